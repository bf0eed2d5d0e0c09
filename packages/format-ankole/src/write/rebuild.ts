import {
  fieldsOf,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  restoreResiduals,
  type Storyline,
  setOwn,
} from '@pchronicle/storyline-core';
import { ROWS_MEMBER, SOURCE } from '../keys.ts';
import { formOf } from '../layout/layout.ts';
import { deepCopy } from '../layout/patch.ts';
import { unpackRanges } from '../layout/ranges.ts';
import { assignOwn, isEmpty, objectIn } from '../members.ts';
import { columnText } from '../read/columns.ts';
import { makeParts } from './make-parts.ts';
import { type LooseMessages, looseIn, ownMessages } from './own-messages.ts';

/** The document that a Storyline of this format came of, before noted changes are made; all containers on the way are its own, unless it is only `compared`. */
export function rebuildDocument(
  storyline: Storyline,
  layout: JsonObject,
  report: Report,
  compared?: LooseMessages,
): Json {
  const fields = fieldsOf(storyline, SOURCE);
  const messages = ownMessages(storyline.turns, compared ?? looseIn(layout));
  const made = makeParts(storyline, layout, messages);
  messages.tell(report);
  // Nothing is written into what is only compared, and what it shares with the source is known to be equal.
  const parts = compared !== undefined && fields === undefined ? made : made.map(deepCopy);
  const form = formOf(layout);
  const base = getOwn(layout, 'base');
  if (fields !== undefined) {
    if (form !== 'single') restoreInto(parts, placesOf(layout, parts.length), fields, report);
    else if (isJsonObject(parts[0]))
      restoreResiduals(
        parts[0] as MutableJsonObject,
        fields,
        { ...RESTORE, ...(typeof base === 'string' ? { base } : {}) },
        report,
      );
  }
  const columns = objectIn(layout, 'columns');
  const written = isEmpty(columns) ? parts : parts.map((part) => withTexts(part, columns));
  return form === 'single' ? (written[0] ?? null) : written;
}

/** A row whose columns are texts of JSON. */
function withTexts(part: Json, columns: JsonObject): Json {
  if (!isJsonObject(part)) return part;
  const written = assignOwn({}, part);
  for (const column of Object.keys(columns)) {
    const value = getOwn(written, column);
    if (isJsonObject(value) || isJsonArray(value))
      setOwn(written, column, columnText(value, columns[column]));
  }
  return written;
}

/** The source's own value takes the place of whatever the writer made up (decision G12). */
const RESTORE = { createParents: true, mayReplace: () => true } as const;

/** Where each part stood in its source document: positions in the array or lines. */
function placesOf(layout: JsonObject, count: number): readonly number[] {
  const at = getOwn(layout, 'at');
  const places = typeof at === 'string' ? unpackRanges(at, Number.MAX_SAFE_INTEGER, count) : [];
  return places.length === count ? places : Array.from({ length: count }, (_, index) => index);
}

/** Residuals stand at their pointers of the source document, whatever part of it is written now. */
function restoreInto(parts: Json[], places: readonly number[], fields: JsonObject, report: Report): void {
  const byPlace: MutableJsonObject = {};
  parts.forEach((part, index) => {
    setOwn(byPlace, String(places[index]), part);
  });
  const root: MutableJsonObject = { [ROWS_MEMBER]: byPlace };
  restoreResiduals(root, fields, RESTORE, report);
  const restored = objectIn(root, ROWS_MEMBER);
  parts.forEach((_, index) => {
    parts[index] = getOwn(restored, String(places[index])) ?? null;
  });
}
