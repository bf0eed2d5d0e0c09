import type { WrittenRecord } from '../format.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, isJsonObject, type Json, type JsonObject } from '../json/value.ts';
import { buildEnvelope } from '../storyline/build-envelope.ts';
import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { validateStoryline } from '../storyline/validate.ts';
import type { Storyline } from '../storyline.ts';
import { outerOf, type WrittenContainer } from './choose-container.ts';
import {
  envelopeBlocks,
  recordKey,
  recordPointer,
  reportNoEnvelope,
  whyNoEnvelope,
} from './envelope-blocks.ts';
import { foreignSources } from './foreign-sources.ts';
import { writerOf } from './plan.ts';
import { throughText } from './reread.ts';
import { type Encode, type Layout, layoutOf } from './text.ts';
import {
  reportFor,
  reportNonFinite,
  type Slot,
  slotsOf,
  type WriteRun,
  type WriteSteps,
  writerReport,
} from './write-run.ts';

/** A Storyline whose records are written, and that may have something for the envelope. */
interface Pending {
  readonly slot: Slot;
  readonly carrier: string;
  readonly first: number;
}

/** A container whose records stand in a member, an array or lines. */
type RecordContainer = Exclude<WrittenContainer, { readonly kind: 'document' }>;

/**
 * Writes one document: frame, root, the records of each Storyline, the envelope. The same steps serve the asynchronous driver and the
 * one in memory, which answer the requests for Storylines; one Storyline is held at a time. After an error (`run.failed`) the text
 * ends early and is worth nothing.
 */
export function* documentText(run: WriteRun): WriteSteps {
  const slots = slotsOf(run.plan);
  const [first] = slots;
  if (first === undefined || run.failed) return;
  const writer = writerOf(run.format);
  const frame = writer.frame(run.plan.heads, writerReport(run, first));
  if (frame === undefined) run.failed = true;
  if (run.failed) return;
  if (run.container.kind === 'document') {
    yield* wholeDocument(run, slots, frame);
    return;
  }
  const root = writer.root(frame);
  if (Object.hasOwn(root, ENVELOPE_KEY)) envelopeTaken(run, first);
  else yield* recordDocument(run, run.container, slots, frame, root);
}

/** A document that is one record. */
function* wholeDocument(run: WriteRun, slots: readonly Slot[], frame: unknown): WriteSteps {
  const [slot] = slots as readonly [Slot];
  if (slots.length > 1) {
    reportFor(run, slot)(
      'error',
      'core/several-storylines',
      '',
      `a document of ${run.format.id} holds one Storyline; ${slots.length} of the selection belong into this one`,
    );
    return;
  }
  const story = yield* storyRecords(run, slot, frame);
  if (story === undefined) return;
  const records = [...story.records];
  const [record, ...others] = records;
  if (run.failed) return;
  if (record === undefined || others.length > 0) {
    throw new TypeError(
      `the writer of ${run.format.id} gave ${records.length} records for a document that is one`,
    );
  }
  let value: Json = record.value;
  if (!isJsonObject(value)) {
    reportNoEnvelope(run, slot, story.storyline, 'the document has no root object for the envelope');
  } else if (Object.hasOwn(value, ENVELOPE_KEY)) {
    envelopeTaken(run, slot);
  } else {
    const blocks = envelopeBlocks(run, slot, story.storyline, records, {
      root: {},
      keys: [],
      first: 0,
      encode: encoderOf(run),
    });
    const envelope = blocks === undefined ? undefined : buildEnvelope([['', blocks]]);
    if (envelope !== undefined) value = { ...value, [ENVELOPE_KEY]: envelope };
  }
  if (run.failed) return;
  yield* layoutFor(run).value(value, 0, encoderOf(run));
  reportNonFinite(run, slot);
}

/** A document whose records are entries of a map, or rows. */
function* recordDocument(
  run: WriteRun,
  container: RecordContainer,
  slots: readonly Slot[],
  frame: unknown,
  root: JsonObject,
): WriteSteps {
  const layout = layoutFor(run);
  const text = framing(container, layout);
  const noEnvelope = whyNoEnvelope(run);
  const pending: Pending[] = [];
  const keys = new Set<string>();
  let count = 0;
  let members = 0;
  if (noEnvelope === undefined) {
    yield '{';
    for (const key of Object.keys(root)) {
      yield `${members === 0 ? '' : ','}${layout.newline(1)}${layout.key(key)}`;
      yield* layout.value(getOwn(root, key) ?? null, 1);
      members += 1;
    }
    yield `${members === 0 ? '' : ','}${layout.newline(1)}${layout.key(container.member)}`;
  }
  yield text.open;
  for (const slot of slots) {
    const story = yield* storyRecords(run, slot, frame);
    if (story === undefined) return;
    const first = count;
    let carrier: string | undefined;
    for (const record of story.records) {
      if (run.failed) return;
      if (carrier === undefined) {
        carrier = recordPointer(run, record, count);
        if (container.kind === 'rows' && !claimKey(run, slot, keys, recordKey(run, record))) return;
      }
      if (container.kind === 'entries' && !claimKey(run, slot, keys, entryKey(run, record))) return;
      yield count === 0 ? text.first : text.next;
      if (container.kind === 'entries') yield layout.key(entryKey(run, record));
      yield* layout.value(record.value, text.level, encoderOf(run));
      count += 1;
    }
    if (run.failed) return;
    reportNonFinite(run, slot);
    if (carrier === undefined) {
      reportFor(run, slot)(
        'loss',
        'core/nothing-written',
        '',
        `${run.format.id} wrote nothing for this Storyline`,
      );
    } else if (noEnvelope !== undefined) {
      reportNoEnvelope(run, slot, story.storyline, noEnvelope);
    } else if (run.options.carry === true || foreignSources(run.format, story.storyline) !== undefined) {
      pending.push({ slot, carrier, first });
    }
  }
  yield count === 0 ? text.closeEmpty : text.close;
  if (noEnvelope !== undefined) return;
  yield* envelopeText(run, layout, pending, frame, root, [...keys]);
  yield `${layout.newline(0)}}`;
}

/**
 * The envelope as the last root member, one Storyline at a time: each is read again, so that no more than one is held. With `carry` it is
 * written again too, and read back by the format's reader, which now knows the keys of all records.
 */
function* envelopeText(
  run: WriteRun,
  layout: Layout,
  pending: readonly Pending[],
  frame: unknown,
  root: JsonObject,
  keys: readonly string[],
): WriteSteps {
  let entries = 0;
  const readRoot = run.options.carry === true ? ((throughText(run.format, root) ?? {}) as JsonObject) : root;
  for (const { slot, carrier, first } of pending) {
    const blocks = yield* blocksOf(run, slot, first, frame, readRoot, keys);
    if (run.failed) return;
    if (blocks === undefined || Object.keys(blocks).length === 0) continue;
    if (entries === 0) {
      yield `,${layout.newline(1)}${layout.key(ENVELOPE_KEY)}{${layout.newline(2)}${layout.key('unknown_fields')}{`;
      yield `${layout.newline(3)}${layout.key('version')}1,${layout.newline(3)}${layout.key('by_trajectory')}{`;
    }
    yield `${entries === 0 ? '' : ','}${layout.newline(4)}${layout.key(carrier)}`;
    yield* layout.value({ sources: blocks as unknown as JsonObject }, 4);
    reportNonFinite(run, slot);
    entries += 1;
  }
  if (entries > 0) yield `${layout.newline(3)}}${layout.newline(2)}}${layout.newline(1)}}`;
}

function* blocksOf(
  run: WriteRun,
  slot: Slot,
  first: number,
  frame: unknown,
  root: JsonObject,
  keys: readonly string[],
): WriteSteps<ResidualSources | undefined> {
  if (run.options.carry !== true)
    return foreignSources(run.format, (yield { read: slot.index }) ?? slot.head);
  const silent: WriteRun = { ...run, issues: [], failed: false, nonFinite: 0 };
  const story = yield* storyRecords(silent, slot, frame);
  if (story === undefined) return undefined;
  return envelopeBlocks(run, slot, story.storyline, [...story.records], {
    root,
    keys,
    first,
    encode: encoderOf(run),
  });
}

/** Asks for a Storyline, checks it and starts writing it; `undefined` after an error. */
function* storyRecords(
  run: WriteRun,
  slot: Slot,
  frame: unknown,
): WriteSteps<{ readonly storyline: Storyline; readonly records: Iterable<WrittenRecord> } | undefined> {
  const given = yield { read: slot.index };
  const storyline = given === undefined ? undefined : validateStoryline(given, reportFor(run, slot));
  const records =
    storyline === undefined
      ? undefined
      : writerOf(run.format).write(storyline, frame, writerReport(run, slot));
  if (storyline === undefined || records === undefined) {
    run.failed = true;
    return undefined;
  }
  return { storyline, records };
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

/** The layout of a document; lines are compact. */
function layoutFor(run: WriteRun): Layout {
  const indent = outerOf(run.container) === 'lines' ? 0 : (run.options.indent ?? 0);
  const count = (): void => {
    run.nonFinite += 1;
  };
  return layoutOf(indent, run.format.nonFinite === 'keep' ? undefined : count);
}

function encoderOf(run: WriteRun): Encode | undefined {
  const writer = writerOf(run.format);
  return writer.encode === undefined ? undefined : (value) => writer.encode?.(value) ?? [];
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
  reportFor(run, slot)(
    'error',
    'core/duplicate-record-key',
    '',
    `two records of one document have the key ${JSON.stringify(key)}; they would be read back as one`,
  );
  return false;
}

function envelopeTaken(run: WriteRun, slot: Slot): void {
  reportFor(run, slot)(
    'error',
    'core/envelope-taken',
    appendPointer('', ENVELOPE_KEY),
    `the document to be written already has a ${ENVELOPE_KEY} key, which is reserved for the envelope`,
  );
}
