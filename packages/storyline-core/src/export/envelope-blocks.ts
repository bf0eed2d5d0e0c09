import { groupKeyIn, groupPath } from '../containers/group-keys.ts';
import type { WrittenRecord } from '../format.ts';
import { appendPointer, formatPointer, getPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { fieldsOf } from '../storyline/residual.ts';
import type { Storyline } from '../storyline.ts';
import { carry } from './carry.ts';
import { foreignSources } from './foreign-sources.ts';
import { rereadValues } from './reread.ts';
import type { Encode } from './text.ts';
import { hasRoot, reportFor, type Slot, type WriteRun } from './write-run.ts';

/** Where the records of one Storyline stand in the document. */
export interface Standing {
  /** Root members besides the records and the envelope. */
  readonly root: JsonObject;
  /** Keys of all records of the document. */
  readonly keys: readonly string[];
  /** Number of all records of the document, for rows. */
  readonly count?: number;
  /** Positions of the records of this Storyline. */
  readonly places: readonly number[];
  /** The writer's own way to write a record's value. */
  readonly encode: Encode | undefined;
}

/** The pointer of a record in its document; the first one of a Storyline is its carrier. */
export function recordPointer(run: WriteRun, record: WrittenRecord, index: number): string {
  const { container } = run;
  if (container.kind === 'document') return '';
  return appendPointer('', container.member, container.kind === 'entries' ? (record.key ?? '') : index);
}

/** The key of a Storyline's record: of its entry, or the group of its rows. */
export function recordKey(run: WriteRun, record: WrittenRecord | undefined): string | undefined {
  const { container } = run;
  if (record === undefined || container.kind === 'document') return undefined;
  if (container.kind === 'entries') return record.key;
  if (!isJsonObject(record.value)) return undefined;
  const row = record.value;
  return groupKeyIn(container, (key) => getPointer(row, formatPointer(groupPath(key))))?.text;
}

/** What the envelope has to hold for one Storyline; `undefined` when nothing, or after an error. */
export function envelopeBlocks(
  run: WriteRun,
  slot: Slot,
  storyline: Storyline,
  records: readonly WrittenRecord[],
  standing: Standing,
): ResidualSources | undefined {
  const { format, container, options } = run;
  const foreign = foreignSources(format, storyline);
  if (options.carry !== true || records.length === 0) return foreign;
  const report = reportFor(run, slot);
  const values = rereadValues(
    format,
    container,
    records,
    standing.places,
    (record, index) => recordPointer(run, record, index),
    standing.encode,
  );
  if (values === undefined) {
    report(
      'error',
      'core/not-rereadable',
      '',
      `with --carry, ${format.id} must read back what it wrote, but the text is not valid for it`,
    );
    return undefined;
  }
  return carry(format, storyline, { ...standing, key: recordKey(run, records[0]), values }, foreign, report);
}

/** Says what is lost for want of an envelope: the residuals of other sources (decision G13). */
export function reportNoEnvelope(run: WriteRun, slot: Slot, why: string): void {
  const report = reportFor(run, slot);
  for (const source of Object.keys(foreignSources(run.format, slot.head) ?? {})) {
    report(
      'loss',
      'core/no-envelope',
      appendPointer('/unknown_fields/sources', source),
      `the residuals of ${source} are not written: ${why}`,
    );
  }
  if (run.options.carry === true) report('loss', 'core/no-carry', '', `--carry has no effect: ${why}`);
}

/** Says which root members are lost for want of a root object: those that a Storyline has of its own source (decision G14). */
export function reportNoRoot(run: WriteRun, slot: Slot, root: JsonObject, why: string): void {
  const { id } = run.format;
  const own = fieldsOf(slot.head, id) ?? {};
  for (const key of Object.keys(root)) {
    const field = appendPointer('', key);
    if (!Object.hasOwn(own, field)) continue;
    const pointer = appendPointer('/unknown_fields/sources', id, 'fields', field);
    reportFor(run, slot)('loss', 'core/no-root', pointer, `the root member ${field} is not written: ${why}`);
  }
}

/** Why a container has no place for the envelope. */
export function whyNoEnvelope(run: WriteRun): string | undefined {
  if (hasRoot(run.container)) return undefined;
  const { container } = run;
  return container.kind === 'rows' &&
    run.format.containers.some((other) => other.kind === 'rows' && other.in === 'member')
    ? `rows in ${container.in === 'array' ? 'an array' : 'lines'} have no root object; the object container has one (--container document)`
    : 'the container has no root object';
}

/** The document that a writer gave has a key of the name that the envelope needs. */
export function reportEnvelopeTaken(run: WriteRun, slot: Slot): void {
  reportFor(run, slot)(
    'error',
    'core/envelope-taken',
    appendPointer('', ENVELOPE_KEY),
    `the document to be written already has a ${ENVELOPE_KEY} key, which is reserved for the envelope`,
  );
}
