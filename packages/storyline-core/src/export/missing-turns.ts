import { equalJson } from '../json/equal.ts';
import { fingerprint } from '../json/fingerprint.ts';
import { getPointer } from '../json/pointer.ts';
import type { Json } from '../json/value.ts';
import type { Turn } from '../storyline.ts';
import { missingFrom } from './missing.ts';
import type { Patterned } from './tell-by-kind.ts';

/** What of the turns of a Storyline their rereading does not give back. */
export interface MissingTurns {
  readonly missing: readonly Patterned[];
  /** How many of the turns are there again, at other places and with other ids; absent when each stands at its own place. */
  readonly moved?: number;
}

/**
 * Compares turns with their rereading (decision G14): place by place when each has its counterpart there, else in order with the next
 * turn that says the same, wherever it stands now.
 */
export function missingTurns(turns: readonly Turn[], reread: readonly Turn[]): MissingTurns {
  const inPlace =
    turns.length === reread.length && turns.every((turn, index) => turn.src === reread[index]?.src);
  const missing: Patterned[] = [];
  const find = inPlace ? undefined : turnFinder(reread);
  let next = 0;
  let moved = 0;
  turns.forEach((turn, index) => {
    const place = { pointer: `/turns/${index}`, pattern: '/turns/*' };
    const here = reread[index];
    if (find === undefined) {
      missing.push(...missingFrom(asJson(turn), asJson(here), place));
      return;
    }
    const found = find(turn, next);
    if (found === undefined) {
      missing.push(place);
      return;
    }
    next = found + 1;
    moved += 1;
    const { id: _, ...rest } = turn;
    for (const { pointer, pattern, value } of missingFrom(asJson(rest), asJson(reread[found]))) {
      // A place that by chance has the same value is none where a reader would miss it.
      const now = here === undefined ? undefined : getPointer(asJson(here), pointer);
      if (now === undefined || value === null || !equalJson(now, value))
        missing.push({ pointer: place.pointer + pointer, pattern: place.pattern + pattern });
    }
  });
  return inPlace ? { missing } : { missing, moved };
}

/** Finds the first turn from a position on that says the same; positions asked for only grow. */
function turnFinder(turns: readonly Turn[]): (turn: Turn, from: number) => number | undefined {
  const bySaying = new Map<number, { readonly indexes: number[]; at: number }>();
  const keyOf = ({ src, msg }: Turn): number => fingerprint([src, msg]);
  for (const [index, turn] of turns.entries()) {
    const key = keyOf(turn);
    const known = bySaying.get(key);
    if (known === undefined) bySaying.set(key, { indexes: [index], at: 0 });
    else known.indexes.push(index);
  }
  return (turn, from) => {
    const known = bySaying.get(keyOf(turn));
    while (known !== undefined && (known.indexes[known.at] ?? from) < from) known.at += 1;
    const found = known?.indexes[known.at];
    const other = found === undefined ? undefined : turns[found];
    return other !== undefined && turn.src === other.src && equalJson(turn.msg, other.msg)
      ? found
      : undefined;
  };
}

function asJson(turn: Partial<Turn> | undefined): Json {
  return (turn ?? {}) as unknown as Json;
}
