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
import { wrapOutput } from '../encoded/envelope.ts';
import { closeArguments } from '../encoded/opaque.ts';
import { assignOwn, listOf, objectOf, textOf, without } from '../members.ts';
import { CLIENT_OUTPUTS, outcomeKeyOf } from '../provider/families.ts';
import { HOSTED } from '../read/responses-call.ts';
import { usualPart } from '../read/responses-item.ts';
import { sourceIdOf } from '../read/turn-list.ts';
import type { SourceIds } from './source-ids.ts';

/** The Responses item that a turn came of; the opposite of `readResponsesItem`. */
export function writeResponsesItem(turn: Turn, sourceIds: SourceIds): Json {
  const extra = objectOf(turn.extra);
  const held = getOwn(extra, 'item');
  if (held !== undefined) return held;
  const payload = getOwn(extra, 'payload');
  const rest = objectOf(payload);
  const [call] = turn.tool_calls ?? [];
  if (call !== undefined) return writeCall(call);
  const results = getOwn(objectOf(turn.observation), 'results');
  const [result] = listOf(results);
  if (isJsonObject(result)) return writeResult(result, sourceIds);
  if (getOwn(extra, 'item_type') === 'reasoning')
    return { type: 'reasoning', summary: [{ type: 'summary_text', text: turn.reason ?? '' }], ...rest };
  const item: MutableJsonObject = getOwn(extra, 'item_type') === null ? {} : { type: 'message' };
  item.role = turn.src === 'agent' ? 'assistant' : turn.src;
  const isPlain = typeof turn.msg !== 'string' || getOwn(extra, 'content_form') === 'text';
  item.content = isPlain ? turn.msg : [usualPart(turn.src, turn.msg as string)];
  return assignOwn(item, rest);
}

/** Members of a call besides its `tcid`, as an item; the id goes where its family has it. */
function writeCall(call: ToolCall): JsonObject {
  const extra = objectOf(call.extra);
  const family = textOf(extra, 'family') ?? 'function_call';
  const given = getOwn(extra, 'payload');
  const payload = objectOf(given);
  const item: MutableJsonObject = { type: family };
  const args = closeArguments(call.args, getOwn(extra, 'opaque'));
  const isHosted = HOSTED.has(family);
  const idKey = isHosted || family === 'mcp_approval_request' ? 'id' : 'call_id';
  if (!isHosted && call.fn !== family.replace(/_call$/, '')) item.name = call.fn;
  if (family === 'function_call') {
    item.name = call.fn;
    item.arguments = argumentsText(args, extra);
  } else if (family === 'custom_tool_call') {
    item.name = call.fn;
    if (typeof args === 'string') item.input = args;
    else if (isJsonObject(args)) assignOwn(item, args);
  } else if (isJsonObject(args)) assignOwn(item, args);
  setOwn(item, idKey, sourceIdOf(call));
  for (const key of ['namespace', 'caller']) {
    const value = getOwn(extra, key);
    if (value !== undefined) setOwn(item, key, value);
  }
  return assignOwn(item, payload);
}

function writeResult(result: JsonObject, sourceIds: SourceIds): JsonObject {
  const type = textOf(result, 'type') ?? 'function_call_output';
  const idKey =
    type === 'mcp_approval_response'
      ? 'approval_request_id'
      : type === 'local_shell_call_output'
        ? 'id'
        : 'call_id';
  const item: MutableJsonObject = { type };
  const id = getOwn(result, 'source_call_id');
  if (id !== undefined) setOwn(item, idKey, sourceIds(id));
  const content = getOwn(result, 'content') ?? null;
  const envelope = getOwn(result, 'envelope');
  const isWrapped = typeof content === 'string' && isJsonObject(envelope) && Object.hasOwn(envelope, 'open');
  const outcome = outcomeKeyOf(type);
  if (content !== null || outcome !== 'output' || CLIENT_OUTPUTS.has(type))
    setOwn(item, outcome, isWrapped ? wrapOutput(content, envelope) : content);
  const rest = without(result, 'type', 'source_call_id', 'content', ...(isWrapped ? ['envelope'] : []));
  return assignOwn(item, rest);
}
