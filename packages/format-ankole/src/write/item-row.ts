import {
  equalJson,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { assignOwn, objectIn, without } from '../members.ts';
import { writeThreadItem } from '../read/thread-item.ts';
import type { OwnMessages } from './own-messages.ts';
import { rowMembers } from './stored-rows.ts';

/** The turns of each stored row of a job turn, in their order: they share its position, and all but the first have a number in `env.state.message`. */
export function itemRuns(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const runs: Turn[][] = [];
  for (const turn of turns) {
    const last = runs.at(-1);
    const [first] = last ?? [];
    const isSame = first !== undefined && equalJson(positionOf(first), positionOf(turn));
    if (last === undefined || !isSame || getOwn(turn.env?.state ?? {}, 'message') === undefined)
      runs.push([turn]);
    else last.push(turn);
  }
  return runs;
}

/** The position of a turn's row. */
function positionOf(turn: Turn): Json {
  return getOwn(turn.env?.state ?? {}, 'item') ?? null;
}

/** The row of `background_agent_job_turn_items`, or of its forerunner, that turns came of. */
export function itemRow(turns: readonly Turn[], storyline: Storyline, own: OwnMessages): JsonObject {
  const [turn] = turns as readonly [Turn, ...Turn[]];
  const row = rowMembers(turn);
  const isItem = isJsonObject(turn.extra) && Object.hasOwn(turn.extra, 'item');
  const members: MutableJsonObject = {
    turn_id: storyline.session,
    position: positionOf(turn),
  };
  if (isItem) members.item = writeThreadItem(turn) ?? null;
  if (turn.ts !== undefined) members.inserted_at = turn.ts as JsonObject[string];
  assignOwn(members, without(row, 'empty', 'content'));
  if (isItem) return members;
  const messages = row.empty === true ? [] : turns.flatMap(own.of);
  members.content = { ...objectIn(row, 'content'), messages };
  return members;
}
