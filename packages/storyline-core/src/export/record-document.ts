import type { WrittenRecord } from '../format.ts';
import { getOwn, type JsonObject } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import type { WrittenContainer } from './choose-container.ts';
import {
  recordKey,
  recordPointer,
  reportNoEnvelope,
  reportNoRoot,
  whyNoEnvelope,
} from './envelope-blocks.ts';
import { envelopeText } from './envelope-text.ts';
import { recordsInOrder } from './record-order.ts';
import { encoderOf, layoutFor } from './story-records.ts';
import type { Layout } from './text.ts';
import { reportFor, reportNonFinite, type Slot, type WriteRun, type WriteSteps } from './write-run.ts';

/** A container whose records stand in a member, an array or lines. */
export type RecordContainer = Exclude<WrittenContainer, { readonly kind: 'document' }>;

/** What is known of a Storyline of which a record was written. */
export interface WrittenStory {
  readonly slot: Slot;
  /** Pointer of its first record: where it hangs in the envelope. */
  readonly carrier: string;
  /** Positions of its records; kept for `carry` alone. */
  readonly places: number[];
  /** Numbers written as null. */
  nonFinite: number;
}

/** Writes a document whose records are entries of a map, or rows. */
export function* recordDocument(
  run: WriteRun,
  container: RecordContainer,
  slots: readonly Slot[],
  frame: unknown,
  root: JsonObject,
): WriteSteps {
  const layout = layoutFor(run);
  const text = framing(container, layout);
  const noEnvelope = whyNoEnvelope(run);
  const encode = encoderOf(run);
  const keys = new Set<string>();
  const written = new Map<Slot, WrittenStory>();
  if (noEnvelope === undefined) yield* rootText(container, layout, root);
  else for (const slot of slots) reportNoRoot(run, slot, root, noEnvelope);
  if (run.failed) return;
  yield text.open;
  let count = 0;
  const steps = recordsInOrder(run, slots, frame);
  let answer: Storyline | undefined;
  for (;;) {
    const step = steps.next(answer);
    answer = undefined;
    if (run.failed) return;
    if (step.done === true) break;
    if ('read' in step.value) {
      answer = yield step.value;
      continue;
    }
    const { slot, record } = step.value;
    let story = written.get(slot);
    if (container.kind === 'entries' && !claimKey(run, slot, keys, entryKey(run, record))) return;
    if (story === undefined) {
      if (container.kind === 'rows' && !claimKey(run, slot, keys, recordKey(run, record))) return;
      story = { slot, carrier: recordPointer(run, record, count), places: [], nonFinite: 0 };
      written.set(slot, story);
    }
    if (run.options.carry === true) story.places.push(count);
    yield count === 0 ? text.first : text.next;
    if (container.kind === 'entries') yield layout.key(entryKey(run, record));
    yield* layout.value(record.value, text.level, encode);
    story.nonFinite += run.nonFinite;
    run.nonFinite = 0;
    count += 1;
  }
  yield count === 0 ? text.closeEmpty : text.close;
  for (const slot of slots) {
    const story = written.get(slot);
    if (story === undefined) {
      if (run.rejected.has(slot)) continue;
      // A document of rows without a row is none: its importer refuses it (decision G8).
      const severity = count === 0 && container.kind === 'rows' ? 'error' : 'loss';
      const message = `${run.format.id} has no record for this Storyline: nothing of it is written, in an envelope neither`;
      reportFor(run, slot)(severity, 'core/nothing-written', '', message);
      continue;
    }
    reportNonFinite(run, slot, story.nonFinite);
    if (noEnvelope !== undefined) reportNoEnvelope(run, slot, noEnvelope);
  }
  if (run.rejected.size === slots.length) run.failed = true;
  if (noEnvelope !== undefined || run.failed) return;
  const stories = slots.flatMap((slot) => written.get(slot) ?? []);
  yield* envelopeText(run, layout, stories, { frame, root, keys: [...keys], count });
  yield `${layout.newline(0)}}`;
}

/** The root object up to the member that holds the records. */
function* rootText(container: RecordContainer, layout: Layout, root: JsonObject): Generator<string> {
  let separator = '{';
  for (const key of Object.keys(root)) {
    yield `${separator}${layout.newline(1)}${layout.key(key)}`;
    yield* layout.value(getOwn(root, key) ?? null, 1);
    separator = ',';
  }
  yield `${separator}${layout.newline(1)}${layout.key(container.member)}`;
}

/** What stands around and between records. */
function framing(
  container: RecordContainer,
  layout: Layout,
): {
  readonly open: string;
  readonly first: string;
  readonly next: string;
  readonly close: string;
  readonly closeEmpty: string;
  readonly level: number;
} {
  if (container.kind === 'rows' && container.in === 'lines') {
    return { open: '', first: '', next: '\n', close: '', closeEmpty: '', level: 0 };
  }
  const level = container.kind === 'rows' && container.in === 'array' ? 1 : 2;
  const [open, close] = container.kind === 'entries' ? ['{', '}'] : ['[', ']'];
  const before = layout.newline(level);
  return {
    open,
    first: before,
    next: `,${before}`,
    close: `${layout.newline(level - 1)}${close}`,
    closeEmpty: close,
    level,
  };
}

function entryKey(run: WriteRun, record: WrittenRecord): string {
  if (record.key === undefined)
    throw new TypeError(`the writer of ${run.format.id} gave an entry without a key`);
  return record.key;
}

/** Records that share a key would be read back as one. */
function claimKey(run: WriteRun, slot: Slot, keys: Set<string>, key: string | undefined): boolean {
  if (key === undefined) return true;
  if (!keys.has(key)) {
    keys.add(key);
    return true;
  }
  const message = `two records of one document have the key ${JSON.stringify(key)}; they would be read back as one`;
  reportFor(run, slot)('error', 'core/duplicate-record-key', '', message);
  return false;
}
