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
  /** Whether no row of it is written yet. */
  isNew: boolean;
}

/**
 * Gives the records of all Storylines: one Storyline after the other, but rows that name their places stand there, and rows that name
 * none take the places that are free, in order, behind the first rows of the Storylines before them. Places that nobody fills close up. Only Storylines whose rows overlap are held together.
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
  if (starts.size === 0) yield* unplaced(run, slots, frame);
  else yield* merged(run, slots, starts, frame);
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
  slots: readonly Slot[],
  starts: ReadonlyMap<Slot, number>,
  frame: unknown,
): RecordSteps {
  const waiting = [...starts].sort(([, left], [, right]) => left - right);
  // A selection in the order of its source may be a part of it: no free row stands before a Storyline that comes first.
  const inOrder = [...starts.keys()].every((slot, index) => slot === waiting[index]?.[0]);
  const free: { readonly slot: Slot; readonly earlier: number }[] = [];
  let earlier = 0;
  for (const slot of slots) {
    if (starts.has(slot)) earlier += inOrder ? 1 : 0;
    else free.push({ slot, earlier });
  }
  const lanes = createHeap<Lane>(
    (left, right) => placeOf(left.next) - placeOf(right.next) || left.slot.index - right.slot.index,
  );
  let started = 0;
  /** How many lanes have a row written, or have none. */
  let begun = 0;
  let freed = 0;
  let steps: RecordSteps | undefined;
  let place = 0;
  const mayBeFree = (): boolean => begun >= (free[freed]?.earlier ?? Number.POSITIVE_INFINITY);
  while (!run.failed) {
    // Lanes begin when their first place may be the next one; without free rows to fill it, a gap closes up.
    for (;;) {
      const [slot, start = 0] = waiting[started] ?? [];
      const next = placeOf(lanes.peek()?.next);
      if (slot === undefined || start > (mayBeFree() ? Math.min(place, next) : next)) break;
      started += 1;
      const story = yield* storyRecords(run, slot, frame);
      if (run.failed) return;
      const records = (story?.records ?? [])[Symbol.iterator]();
      const first = records.next();
      if (first.done === true) begun += 1;
      else lanes.push({ slot, records, next: first.value, isNew: true });
    }
    const lane = lanes.peek();
    const current = free[freed];
    if (current !== undefined && mayBeFree() && placeOf(lane?.next) > place) {
      steps ??= unplaced(run, [current.slot], frame);
      if (yield* oneOf(steps)) place += 1;
      else {
        freed += 1;
        steps = undefined;
      }
      continue;
    }
    if (lane === undefined) return;
    if (lane.isNew) begun += 1;
    lane.isNew = false;
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
