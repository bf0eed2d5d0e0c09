import {
  getOwn,
  isJsonArray,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { CHATML_FORMAT, CHATML_VERSION } from '../keys.ts';
import { assignOwn, objectIn, objectOf, without } from '../members.ts';
import type { OwnMessages } from './own-messages.ts';
import { rowMembers, type StoredRow } from './stored-rows.ts';

/** A turn of a job with all its messages. */
export interface JobTurn {
  readonly members: JsonObject;
  readonly messages: readonly Json[];
}

/** The turns of a job that a Storyline came of. */
export function jobTurns(rows: readonly StoredRow[], own: OwnMessages): readonly JobTurn[] {
  return rows.map(({ id, turns }) => {
    const [first] = turns as readonly [Turn, ...Turn[]];
    const last = turns.at(-1) ?? first;
    const row = rowMembers(first);
    const members: MutableJsonObject = { id, status: getOwn(first.env?.state ?? {}, 'status') ?? null };
    if (first.ts !== undefined) members.started_at = first.ts as Json;
    if (last.finished_at !== undefined) members.completed_at = last.finished_at as Json;
    assignOwn(members, without(row, 'trajectory', 'empty'));
    members.trajectory = { format: CHATML_FORMAT, version: CHATML_VERSION, ...objectIn(row, 'trajectory') };
    const messages = getOwn(row, 'empty') === true ? [] : turns.flatMap(own.of);
    return { members, messages };
  });
}

/** A page of a job: all its turns, or those of the recipe, `[turn, first message, messages]` each. */
export function jobPage(
  storyline: Storyline,
  turns: readonly JobTurn[],
  recipe: Json | undefined,
  cursor: Json | undefined,
): JsonObject {
  const pieces = isJsonArray(recipe)
    ? recipe.flatMap((piece) => {
        const [at, from = 0, count = Number.MAX_SAFE_INTEGER] = isJsonArray(piece) ? piece : [piece];
        const turn = typeof at === 'number' ? turns[at] : undefined;
        return turn === undefined || typeof from !== 'number' || typeof count !== 'number'
          ? []
          : [jobTurnOn(turn, from, count)];
      })
    : turns.map((turn) => jobTurnOn(turn, 0, turn.messages.length));
  return { job: { ...jobMembers(storyline), turns: pieces, turns_next_cursor: cursor ?? null } };
}

/** A turn as a page has it: with some of its messages. */
function jobTurnOn(turn: JobTurn, from: number, count: number): JsonObject {
  const trajectory = getOwn(turn.members, 'trajectory');
  const header = objectOf(trajectory);
  return { ...turn.members, trajectory: { ...header, messages: turn.messages.slice(from, from + count) } };
}

/** The job besides its turns. */
function jobMembers(storyline: Storyline): JsonObject {
  return objectIn(objectOf(storyline.meta), 'job');
}
