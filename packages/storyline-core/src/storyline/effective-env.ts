import { getOwn, type MutableJsonObject, setOwn } from '../json/value.ts';
import type { Env, StorylineHead, Turn } from '../storyline.ts';

/**
 * The environment that holds for a turn (storyline-v1 §6): the task's, overlaid by the turn's; the five texts one by one,
 * `state` key by key at its first level. `undefined` when neither has one.
 */
export function effectiveEnv(head: Pick<StorylineHead, 'task'>, turn: Pick<Turn, 'env'>): Env | undefined {
  const base = head.task?.env;
  const delta = turn.env;
  if (base === undefined || delta === undefined) return delta ?? base;
  if (base.state === undefined || delta.state === undefined) return { ...base, ...delta };
  const state: MutableJsonObject = {};
  for (const layer of [base.state, delta.state]) {
    for (const key of Object.keys(layer)) setOwn(state, key, getOwn(layer, key) ?? null);
  }
  return { ...base, ...delta, state };
}
