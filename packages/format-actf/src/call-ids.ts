import type { JsonInteger } from '@pchronicle/storyline-core';
import { synthesisedId } from './tools.ts';

/** A call of a trajectory by the id it has in its source. */
export interface CallId {
  readonly id: string;
  /** Id of the call's turn. */
  readonly turn: JsonInteger;
}

/**
 * A document-wide unique tcid for each call (decision G11): the first call with an id keeps it, a later one gets `{id}@{turn id}`,
 * again `@{turn id}` if that is taken. Ids of the source are reserved first.
 */
export function uniqueCallIds(calls: readonly CallId[]): readonly string[] {
  const taken = new Set(calls.map((call) => call.id));
  if (taken.size === calls.length) return calls.map((call) => call.id);
  const seen = new Set<string>();
  return calls.map(({ id, turn }) => {
    if (!seen.has(id)) {
      seen.add(id);
      return id;
    }
    let unique = id;
    do unique += `@${turn}`;
    while (taken.has(unique));
    taken.add(unique);
    return unique;
  });
}

/** Whether a tcid is one that the reader made for a call without id, at this place (decision A9). */
export function isSynthesised(tcid: string, turn: JsonInteger, index: number): boolean {
  const suffix = `@${turn}`;
  let id = tcid;
  while (id.endsWith(suffix)) id = id.slice(0, -suffix.length);
  return id === synthesisedId(turn, index);
}
