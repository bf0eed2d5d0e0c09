import {
  appendPointer,
  type Container,
  collectIssues,
  fieldsOf,
  getOwn,
  isJsonArray,
  type Json,
  type Report,
  type Storyline,
  type WrittenRecord,
} from '@pchronicle/storyline-core';
import { CHATML_VERSION, ROWS_MEMBER, SOURCE } from '../keys.ts';
import { layoutOf } from '../layout/layout.ts';
import { decode } from '../read/decode.ts';
import { toStorylines } from '../read/to-storylines.ts';
import { ownDocument } from './document.ts';
import { reportLosses } from './losses.ts';
import { placedTurns } from './placed-turns.ts';
import { toAnkoleChatml } from './to-ankole-chatml.ts';

/** Whether a Storyline came of Ankole data and still knows of which. */
export function isOwn(storyline: Storyline): boolean {
  if (storyline.origin?.format !== SOURCE) return false;
  return (
    Object.hasOwn(layoutOf(storyline), 'parts') || storyline.origin.schema_version === String(CHATML_VERSION)
  );
}

/** Writes one Storyline; rows of JSON Lines are records of their own where the container takes rows. */
export function writeStoryline(
  storyline: Storyline,
  report: Report,
  container?: Container,
): Iterable<WrittenRecord> | undefined {
  if (!isOwn(storyline)) {
    const value = toAnkoleChatml(storyline, report);
    if (fieldsOf(storyline, SOURCE) !== undefined)
      report(
        'loss',
        'ankole/residuals-not-restored',
        '/unknown_fields/sources/ankole',
        'residuals of Ankole data have no place in a document made from another one',
      );
    return reportWhatIsLost(storyline, value, 'single', report) ? [{ value }] : undefined;
  }
  const own = ownDocument(storyline, report);
  if (own === undefined) return undefined;
  if (!reportWhatIsLost(storyline, own.value, own.form, report)) return undefined;
  if (own.form !== 'single' && container?.kind === 'rows' && isJsonArray(own.value))
    return own.value.map((value) => ({ value }));
  return [{ value: own.value }];
}

/** Rereads what was written and tells what differs; `false` where it cannot be read, so that it must not be written. */
function reportWhatIsLost(
  storyline: Storyline,
  value: Json,
  form: 'single' | 'array' | 'lines',
  report: Report,
): boolean {
  const { report: note, issues } = collectIssues();
  const values = form !== 'single' && isJsonArray(value) ? value : [value];
  const part = decode(
    {
      frame: { form: form === 'single' ? 'document' : form, count: values.length },
      // A document made for a Storyline of another format will be read from somewhere else.
      source: (isOwn(storyline) ? storyline.origin?.document_id : undefined) ?? '',
      at: { pointer: '' },
      values: () =>
        values.map((one, index) => ({
          value: one,
          index,
          at: { pointer: form === 'single' ? '' : appendPointer('', ROWS_MEMBER, index) },
        })),
    },
    note,
  );
  const [reread] = part === undefined ? [] : [...toStorylines({ ...part, isReread: true }, note)];
  const fault = issues.find(({ severity }) => severity === 'error');
  if (reread === undefined || fault !== undefined) {
    const why = fault === undefined ? 'there is nothing in it' : `${fault.message} (${fault.at.pointer})`;
    report('error', 'ankole/not-readable', '', `what could be written for it is no data of Ankole: ${why}`);
    return false;
  }
  const recipe = isOwn(storyline) ? getOwn(layoutOf(storyline), 'parts') : undefined;
  const placed = new Set(recipe === undefined ? storyline.turns : placedTurns(storyline.turns, recipe));
  reportLosses(storyline, placed, reread, report);
  return true;
}
