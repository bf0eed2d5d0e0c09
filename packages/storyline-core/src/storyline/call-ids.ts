import type { JsonInteger } from '../json/value.ts';

/** So many turn ids are appended to one id; a message with more equal calls gets numbers, or its ids would grow without bound. */
const LONGEST_CHAIN = 16;

/** Gives every call of a Storyline its own id (decision G11). */
export interface CallIds {
  /** The id of a source call, in the order of the turns. */
  take(id: string, turn: JsonInteger): string;
  /** An id for a call that has none in its source: never one that the source has elsewhere. */
  takeMade(id: string, turn: JsonInteger): string;
}

/**
 * Starts giving ids: the first call of an id keeps it, a later one gets `{id}@{turn id}`, again `@{turn id}` behind if that is taken.
 * All ids that the source has anywhere are reserved first.
 */
export function callIds(reserved: ReadonlySet<string>): CallIds {
  const used = new Set<string>();
  /** How many ids were made of an id for a turn, once there are many. */
  const made = new Map<string, number>();
  const isTaken = (id: string): boolean => used.has(id) || reserved.has(id);
  const free = (id: string, turn: JsonInteger, own: boolean): string => {
    let found = id;
    if (own ? used.has(id) : isTaken(id)) {
      for (let tries = 0; tries < LONGEST_CHAIN && (tries === 0 || isTaken(found)); tries += 1)
        found += `@${turn}`;
      const base = found;
      for (let count = made.get(base) ?? 1; isTaken(found); count += 1) {
        found = `${base}@${count}`;
        made.set(base, count + 1);
      }
    }
    used.add(found);
    return found;
  };
  return {
    take: (id, turn) => free(id, turn, true),
    takeMade: (id, turn) => free(id, turn, false),
  };
}
