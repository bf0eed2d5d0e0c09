import {
  getOwn,
  type JsonObject,
  type MutableJsonObject,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { assignOwn } from '../members.ts';
import { writeThreadItem } from '../read/thread-item.ts';
import { rowMembers } from './stored-rows.ts';

/** The row of `background_agent_job_turn_items` that a turn came of. */
export function itemRow(turn: Turn, storyline: Storyline): JsonObject {
  const members: MutableJsonObject = {
    turn_id: storyline.session,
    position: getOwn(turn.env?.state ?? {}, 'item') ?? null,
    item: writeThreadItem(turn) ?? null,
  };
  if (turn.ts !== undefined) members.inserted_at = turn.ts as JsonObject[string];
  return assignOwn(members, rowMembers(turn));
}
