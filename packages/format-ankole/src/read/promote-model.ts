import { getOwn, isJsonObject } from '@pchronicle/storyline-core';
import { filledText, objectIn } from '../members.ts';
import { rowMembers } from '../write/stored-rows.ts';
import type { MutableTurn } from './parts.ts';

/**
 * Copies the model of a round to the turns that it gave, and its usage to the last of them. Usage is a running snapshot of the
 * conversation, so it is named as one and never summed (notes §1.4).
 */
export function promoteModel(turns: readonly MutableTurn[]): void {
  let from = 0;
  for (let at = 1; at <= turns.length; at += 1) {
    if (at < turns.length && turns[at]?.env?.request_id === turns[from]?.env?.request_id) continue;
    promoteRound(turns.slice(from, at));
    from = at;
  }
}

function promoteRound(turns: readonly MutableTurn[]): void {
  const [first] = turns;
  if (first === undefined) return;
  const row = rowMembers(first);
  const metadata = objectIn(row, 'metadata');
  const model =
    filledText(metadata, 'provider_model') ??
    filledText(objectIn(metadata, 'model_ref'), 'model') ??
    filledText(metadata, 'request_model') ??
    filledText(metadata, 'model') ??
    filledText(row, 'model');
  const usage = getOwn(metadata, 'usage') ?? getOwn(row, 'usage');
  const given = turns.filter(
    ({ src, env }) => src === 'agent' && getOwn(env?.state ?? {}, 'side') === 'output',
  );
  for (const turn of given) if (model !== undefined) turn.model = model;
  const last = given.at(-1);
  if (last !== undefined && isJsonObject(usage)) last.metrics = { usage_snapshot: usage };
}
