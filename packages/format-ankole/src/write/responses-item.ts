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
import { ARGUMENTS } from '../read/call-arguments.ts';
import { HOSTED } from '../read/hosted-call.ts';
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
  const results = getOwn(objectOf(turn.observation), 'results');
  const [result] = listOf(results);
  if (call !== undefined) return assignOwn(writeCall(call), ownResult(call, result));
  if (isJsonObject(result)) return writeResult(result, sourceIds);
  if (getOwn(extra, 'item_type') === 'reasoning')
    return { type: 'reasoning', summary: [{ type: 'summary_text', text: turn.reason ?? '' }], ...rest };
  const item: MutableJsonObject = getOwn(extra, 'item_type') === null ? {} : { type: 'message' };
  item.role = turn.src === 'agent' ? 'assistant' : turn.src;
  const isPlain = typeof turn.msg !== 'string' || getOwn(extra, 'content_form') === 'text';
  item.content = isPlain ? turn.msg : [usualPart(turn.src, turn.msg as string)];
  return assignOwn(item, rest);
}

/** Families whose calls always name their tool. */
const NAMED: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call']);

/** Members of a call besides its `tcid`, as an item; the id goes where its family has it. */
function writeCall(call: ToolCall): MutableJsonObject {
  const extra = objectOf(call.extra);
  const family = textOf(extra, 'family') ?? 'function_call';
  const given = getOwn(extra, 'payload');
  const payload = objectOf(given);
  const item: MutableJsonObject = { type: family };
  const args = closeArguments(call.args, getOwn(extra, 'opaque'));
  const idKey = HOSTED.has(family) || family === 'mcp_approval_request' ? 'id' : 'call_id';
  if (NAMED.has(family) || call.fn !== family.replace(/_call$/, '')) item.name = call.fn;
  const place = getOwn(extra, 'args_form') === 'members' ? undefined : ARGUMENTS.get(family);
  if (place !== undefined) item[place.key] = place.form === 'json' ? argumentsText(args, extra) : args;
  else if (isJsonObject(args)) assignOwn(item, args);
  setOwn(item, idKey, sourceIdOf(call));
  for (const key of ['namespace', 'caller']) {
    const value = getOwn(extra, key);
    if (value !== undefined) setOwn(item, key, value);
  }
  return assignOwn(item, payload);
}

/** The members of a hosted call that say its result. */
function ownResult(call: ToolCall, result: Json | undefined): JsonObject {
  const outcomeKey = HOSTED.get(textOf(objectOf(call.extra), 'family') ?? '');
  if (outcomeKey === undefined || !isJsonObject(result) || getOwn(result, 'source_call_id') !== call.tcid)
    return {};
  const content = getOwn(result, 'content') ?? null;
  if (getOwn(result, 'success') === false) return { error: content };
  const error = getOwn(result, 'error');
  return { [outcomeKey]: content, ...(error === undefined ? {} : { error }) };
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
