import {
  getOwn,
  isCheckpoint,
  isJsonObject,
  type JsonObject,
  type MutableJsonObject,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { assignOwn, without } from '../members.ts';
import { writeResponsesItem } from './responses-item.ts';
import type { SourceIds } from './source-ids.ts';
import { rowMembers, type StoredRow } from './stored-rows.ts';

/** The row of `ai_gateway_messages` that turns came of. */
export function messageRow({ id, turns }: StoredRow, storyline: Storyline, sourceIds: SourceIds): JsonObject {
  const [first] = turns as readonly [Turn, ...Turn[]];
  const last = turns.at(-1) ?? first;
  const row = rowMembers(first);
  const state = first.env?.state ?? {};
  const members: MutableJsonObject = {
    id,
    subject_uid: storyline.agent.id,
    conversation_id: storyline.session,
    type: isCheckpoint(first) ? 'checkpoint' : 'message',
    role: null,
    status: getOwn(state, 'status') ?? null,
    previous_message_id: getOwn(state, 'previous') ?? null,
    content: getOwn(row, 'empty') === true ? [] : turns.map((turn) => writeResponsesItem(turn, sourceIds)),
    metadata: {},
  };
  if (first.ts !== undefined) members.inserted_at = first.ts as JsonObject[string];
  if (last.finished_at !== undefined) members.updated_at = last.finished_at as JsonObject[string];
  return assignOwn(members, without(row, 'empty'));
}

/** The Response object that turns came of. */
export function responseObject(
  { id, turns }: StoredRow,
  storyline: Storyline,
  sourceIds: SourceIds,
): JsonObject {
  const [first] = turns as readonly [Turn, ...Turn[]];
  const row = rowMembers(first);
  const previous = getOwn(first.env?.state ?? {}, 'previous');
  const itemsOf = (side: string): readonly JsonObject[string][] =>
    getOwn(row, 'empty') === true
      ? []
      : turns
          .filter((turn) => getOwn(turn.env?.state ?? {}, 'side') === side)
          .map((turn) => writeResponsesItem(turn, sourceIds));
  const isText = isJsonObject(first.extra) && getOwn(first.extra, 'input_form') === 'text';
  const members: MutableJsonObject = {
    id: `resp_${id}`,
    object: 'response',
    previous_response_id: typeof previous === 'string' ? `resp_${previous}` : null,
    conversation: { id: `conv_${storyline.session}` },
    input: isText ? first.msg : itemsOf('input'),
    output: itemsOf('output'),
  };
  if (first.ts !== undefined) members.created_at = first.ts as JsonObject[string];
  return assignOwn(members, without(row, 'empty'));
}
