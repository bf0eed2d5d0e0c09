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
import { CHATML_FORMAT, CHATML_VERSION, ROWS_MEMBER, SOURCE } from '../keys.ts';
import { formOf } from '../layout/layout.ts';
import { deepCopy } from '../layout/patch.ts';
import { unpackRanges } from '../layout/ranges.ts';
import { assignOwn, isEmpty, objectIn } from '../members.ts';
import { columnText } from '../read/columns.ts';
import { writeMessages } from './chatml-messages.ts';
import { itemRow } from './item-row.ts';
import { type JobTurn, jobMembers, jobTurnOn, jobTurns } from './job-turns.ts';
import { messageRow, responseObject } from './message-row.ts';
import { sourceIds } from './source-ids.ts';
import { storedRows } from './stored-rows.ts';

/** The document that a Storyline of this format came of, before noted changes are made; all containers on the way are its own, unless it is only compared. */
export function rebuildDocument(
  storyline: Storyline,
  layout: JsonObject,
  report: Report,
  isCompared = false,
): Json {
  const fields = fieldsOf(storyline, SOURCE);
  const made = partsOf(storyline, layout);
  // Nothing is written into what is only compared, and what it shares with the source is known to be equal.
  const parts = isCompared && fields === undefined ? made : made.map(deepCopy);
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

/** The parts of a document, by the recipe of the layout; a Storyline without one is an `ankole_chatml` document. */
function partsOf(storyline: Storyline, layout: JsonObject): Json[] {
  const recipe = getOwn(layout, 'parts');
  if (!isJsonArray(recipe)) return [chatmlDocument(storyline)];
  const rows = storedRows(storyline.turns);
  const ids = sourceIds(storyline.turns);
  let turns: readonly JobTurn[] | undefined;
  const kept = getOwn(isJsonObject(storyline.meta) ? storyline.meta : {}, 'artifacts');
  const artifacts = isJsonArray(kept) ? kept : [];
  let nextArtifact = 0;
  const parts: Json[] = [];
  for (const step of recipe) {
    const [kind, which, cursor] = isJsonArray(step) ? step : [step];
    const positions = (count: number): readonly number[] =>
      typeof which === 'string' ? unpackRanges(which, count) : Array.from({ length: count }, (_, at) => at);
    if (kind === 'page') {
      const messages = positions(rows.length).flatMap((at) => {
        const row = rows[at];
        return row === undefined ? [] : [messageRow(row, storyline, ids)];
      });
      parts.push({ messages, next_cursor: cursor ?? null });
    } else if (kind === 'rows' || kind === 'response') {
      for (const at of positions(rows.length)) {
        const row = rows[at];
        if (row !== undefined)
          parts.push(kind === 'rows' ? messageRow(row, storyline, ids) : responseObject(row, storyline, ids));
      }
    } else if (kind === 'items') {
      for (const at of positions(storyline.turns.length)) {
        const turn = storyline.turns[at];
        if (turn !== undefined) parts.push(itemRow(turn, storyline));
      }
    } else if (kind === 'artifact') {
      const artifact = artifacts[nextArtifact];
      nextArtifact += 1;
      if (artifact !== undefined) parts.push(artifact);
    } else if (kind === 'conversation') {
      parts.push({
        conversation: objectIn(isJsonObject(storyline.meta) ? storyline.meta : {}, 'conversation'),
      });
    } else if (kind === 'job') {
      turns ??= jobTurns(
        rows.filter(({ id }) => id !== ''),
        ids,
      );
      parts.push(jobPage(storyline, turns, which, cursor));
    } else parts.push(chatmlDocument(storyline));
  }
  return parts;
}

/** A page of a job: all its turns, or those of the recipe, `[turn, first message, messages]` each. */
function jobPage(
  storyline: Storyline,
  turns: readonly JobTurn[],
  recipe: Json | undefined,
  cursor: Json | undefined,
): JsonObject {
  const pieces = isJsonArray(recipe)
    ? recipe.flatMap((piece) => {
        const [at, from = 0, count = Number.MAX_SAFE_INTEGER] = isJsonArray(piece) ? piece : [piece];
        const turn = typeof at === 'number' ? turns[at] : undefined;
        return turn === undefined || typeof from !== 'number' || typeof count !== 'number'
          ? []
          : [jobTurnOn(turn, from, count)];
      })
    : turns.map((turn) => jobTurnOn(turn, 0, turn.messages.length));
  return { job: { ...jobMembers(storyline), turns: pieces, turns_next_cursor: cursor ?? null } };
}

function chatmlDocument(storyline: Storyline): JsonObject {
  const header = objectIn(isJsonObject(storyline.meta) ? storyline.meta : {}, 'chatml');
  const ids = sourceIds(storyline.turns);
  const messages = storyline.turns.flatMap((turn) => writeMessages(turn, ids));
  return { format: CHATML_FORMAT, version: CHATML_VERSION, ...header, messages };
}
