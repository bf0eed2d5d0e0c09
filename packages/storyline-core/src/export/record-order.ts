import type { WrittenRecord } from '../format.ts';
import type { Storyline } from '../storyline.ts';
import { createHeap } from './heap.ts';
import { writerOf } from './plan.ts';
import { storyRecords } from './story-records.ts';
import type { ReadRequest, Slot, WriteRun } from './write-run.ts';

/** A record, and whose it is. */
export interface PlacedRecord {
  readonly slot: Slot;
  readonly record: WrittenRecord;
}

/** The records of a document in the order in which they are written; requests are answered as for the document's text. */
export type RecordSteps = Generator<ReadRequest | PlacedRecord, void, Storyline | undefined>;

/** A Storyline whose rows name their places, as far as it is written. */
interface Lane {
  readonly slot: Slot;
  readonly records: Iterator<WrittenRecord>;
  next: WrittenRecord;
}

/**
 * Gives the records of all Storylines: one Storyline after the other, but rows that name their places stand there, and rows that name
 * none take the places that are free, in order. Places that nobody fills close up. Only Storylines whose rows overlap are held together.
 */
export function* recordsInOrder(run: WriteRun, slots: readonly Slot[], frame: unknown): RecordSteps {
  const writer = writerOf(run.format);
  const starts = new Map<Slot, number>();
  if (run.container.kind === 'rows' && writer.firstPlace !== undefined) {
    for (const slot of slots) {
      const start = writer.firstPlace(slot.head);
      if (start !== undefined) starts.set(slot, start);
    }
  }
  const free = unplaced(
    run,
    slots.filter((slot) => !starts.has(slot)),
    frame,
  );
  if (starts.size === 0) yield* free;
  else yield* merged(run, starts, free, frame);
}

/** The records of Storylines, one after the other. */
function* unplaced(run: WriteRun, slots: readonly Slot[], frame: unknown): RecordSteps {
  for (const slot of slots) {
    const story = yield* storyRecords(run, slot, frame);
    if (run.failed) return;
    for (const record of story?.records ?? []) yield { slot, record };
  }
}

function* merged(
  run: WriteRun,
  starts: ReadonlyMap<Slot, number>,
  free: RecordSteps,
  frame: unknown,
): RecordSteps {
  const waiting = [...starts].sort(([, left], [, right]) => left - right);
  const lanes = createHeap<Lane>(
    (left, right) => placeOf(left.next) - placeOf(right.next) || left.slot.index - right.slot.index,
  );
  let started = 0;
  let freeIsDone = false;
  let place = 0;
  while (!run.failed) {
    // Lanes begin when their first place may be the next one; without free rows to fill it, a gap closes up.
    for (;;) {
      const [slot, start = 0] = waiting[started] ?? [];
      const next = placeOf(lanes.peek()?.next);
      if (slot === undefined || start > (freeIsDone ? next : Math.min(place, next))) break;
      started += 1;
      const story = yield* storyRecords(run, slot, frame);
      if (run.failed) return;
      if (story === undefined) continue;
      const records = story.records[Symbol.iterator]();
      const first = records.next();
      if (first.done !== true) lanes.push({ slot, records, next: first.value });
    }
    const lane = lanes.peek();
    if (!freeIsDone && placeOf(lane?.next) > place) {
      if (yield* oneOf(free)) place += 1;
      else freeIsDone = true;
      continue;
    }
    if (lane === undefined) return;
    yield { slot: lane.slot, record: lane.next };
    place += 1;
    const next = lane.records.next();
    if (next.done === true) lanes.pop();
    else {
      lane.next = next.value;
      lanes.sink();
    }
  }
}

/** Passes on one record, and the requests before it; false when there is none. */
function* oneOf(steps: RecordSteps): Generator<ReadRequest | PlacedRecord, boolean, Storyline | undefined> {
  let answer: Storyline | undefined;
  for (;;) {
    const step = steps.next(answer);
    if (step.done === true) return false;
    answer = yield step.value;
    if ('record' in step.value) return true;
  }
}

/** The place of a record; one that names none comes as soon as it can. */
function placeOf(record: WrittenRecord | undefined): number {
  return record === undefined ? Number.POSITIVE_INFINITY : (record.place ?? 0);
}
