import {
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import { argumentsText } from '../arguments.ts';
import { assignOwn, listOf, objectOf, without } from '../members.ts';
import { sourceIdOf } from '../read/turn-list.ts';
import type { SourceIds } from './source-ids.ts';

/** The messages that a turn came of; the opposite of `readMessages`. */
export function writeMessages(turn: Turn, sourceIds: SourceIds): readonly Json[] {
  const extra = objectOf(turn.extra);
  const held = getOwn(extra, 'message');
  if (held !== undefined) return [held];
  const results = getOwn(objectOf(turn.observation), 'results');
  const answers = listOf(results)
    .filter(isJsonObject)
    .map((result) => writeResult(result, sourceIds));
  if (turn.src === 'tool') return answers;
  const message: MutableJsonObject = {
    role: turn.src === 'agent' ? 'assistant' : turn.src,
    content: turn.msg,
  };
  if (turn.reason !== undefined) message.reasoning_content = turn.reason;
  if (turn.tool_calls !== undefined) message.tool_calls = turn.tool_calls.map(writeCall);
  for (const key of ['payload', 'chatml']) {
    const payload = getOwn(extra, key);
    if (isJsonObject(payload)) assignOwn(message, payload);
  }
  return [message, ...answers];
}

function writeCall(call: ToolCall): JsonObject {
  const extra = objectOf(call.extra);
  const called: MutableJsonObject = { name: call.fn, arguments: argumentsText(call.args, call.extra) };
  const namespace = getOwn(extra, 'namespace');
  if (namespace !== undefined) called.namespace = namespace;
  const inside = getOwn(extra, 'function_payload');
  if (isJsonObject(inside)) assignOwn(called, inside);
  const message: MutableJsonObject = { id: sourceIdOf(call), type: 'function', function: called };
  const payload = getOwn(extra, 'payload');
  return isJsonObject(payload) ? assignOwn(message, payload) : message;
}

function writeResult(result: JsonObject, sourceIds: SourceIds): JsonObject {
  const message: MutableJsonObject = { role: 'tool' };
  const id = getOwn(result, 'source_call_id');
  if (id !== undefined) setOwn(message, 'tool_call_id', sourceIds(id));
  return assignOwn(message, without(result, 'source_call_id'));
}
