import {
  headOf,
  type Json,
  parseJson,
  type StoryCollection,
  type Storyline,
  type StorylineHead,
  stringifyPieces,
} from '@pchronicle/storyline-core';
import { createSpoolFile } from './spool-file.ts';

/**
 * Storylines set aside until a writer asks for them, exact, in memory while they are small and else in a private temporary file.
 * What was added since {@link StorySpool.mark} can be taken back: a rejected document leaves nothing.
 */
export interface StorySpool extends StoryCollection {
  readonly count: number;
  /** `source` names the source document it came from. */
  add(storyline: Storyline, source?: string): void;
  /** Remembers the end; {@link rollback} returns to it. */
  mark(): void;
  rollback(): void;
  clear(): void;
  close(): void;
}

interface Slot {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  readonly source: string | undefined;
}

const PIECE = 64 * 1024;

/** Makes an empty spool. */
export function createStorySpool(memoryBytes?: number): StorySpool {
  const file = createSpoolFile(memoryBytes);
  let slots: Slot[] = [];
  let marked = 0;

  const append = (value: Json): void => {
    let held = '';
    for (const piece of stringifyPieces(value)) {
      held += piece;
      if (held.length < PIECE) continue;
      file.append(Buffer.from(held, 'utf8'));
      held = '';
    }
    file.append(Buffer.from(held, 'utf8'));
  };

  return {
    get count() {
      return slots.length;
    },
    add(storyline, source) {
      const start = file.size;
      append(headOf(storyline) as unknown as Json);
      const middle = file.size;
      append(storyline.turns as unknown as Json);
      slots.push({ start, middle, end: file.size, source });
    },
    mark() {
      marked = slots.length;
    },
    rollback() {
      file.truncate(slots[marked]?.start ?? file.size);
      slots = slots.slice(0, marked);
    },
    clear() {
      file.truncate(0);
      slots = [];
      marked = 0;
    },
    close: () => file.close(),
    sourceOf: (index) => slots[index]?.source,
    async *heads() {
      for (const slot of slots) yield parse(file.read(slot.start, slot.middle)) as unknown as StorylineHead;
    },
    read(index) {
      const slot = slots[index];
      if (slot === undefined) throw new RangeError(`there is no Storyline ${index} in the spool`);
      const head = parse(file.read(slot.start, slot.middle)) as unknown as StorylineHead;
      return { ...head, turns: parse(file.read(slot.middle, slot.end)) as unknown as Storyline['turns'] };
    },
  };
}

// What the spool wrote itself: no limits, and 1.0 stays apart from 1 for the formats that keep it.
function parse(bytes: Uint8Array): Json {
  const unlimited = {
    depth: Number.MAX_SAFE_INTEGER,
    stringBytes: Number.MAX_SAFE_INTEGER,
    recordBytes: Number.MAX_SAFE_INTEGER,
  };
  const { value, issues } = parseJson(bytes, { keepFloats: true, nonFinite: 'keep', limits: unlimited });
  if (value === undefined)
    throw new Error(`the spool gave back no JSON: ${issues[0]?.message ?? 'no reason'}`);
  return value;
}
