import { callIds, type JsonInteger } from '@pchronicle/storyline-core';
import { synthesisedId } from './tools.ts';

/** The ids that the calls of one turn have in their source. */
export interface TurnCallIds {
  readonly turn: JsonInteger;
  readonly ids: readonly string[];
}

/**
 * A document-wide unique tcid for each call, by turn (decision G11): the first call with an id keeps it, a later one gets
 * `{id}@{turn id}`, again `@{turn id}` if that is taken. Ids of the source are reserved first.
 */
export function uniqueCallIds(turns: readonly TurnCallIds[]): readonly (readonly string[])[] {
  const taken = new Set<string>();
  let calls = 0;
  for (const { ids } of turns) {
    calls += ids.length;
    for (const id of ids) taken.add(id);
  }
  if (taken.size === calls) return turns.map(({ ids }) => ids);
  const given = callIds(taken);
  return turns.map(({ turn, ids }) => ids.map((id) => given.take(id, turn)));
}

/** Whether a tcid is one that the reader made for a call without id, at this place (decision A9). */
export function isSynthesised(tcid: string, turn: JsonInteger, index: number): boolean {
  const suffix = `@${turn}`;
  let id = tcid;
  while (id.endsWith(suffix)) id = id.slice(0, -suffix.length);
  return id === synthesisedId(turn, index);
}
