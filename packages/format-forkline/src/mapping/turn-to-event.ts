import {
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
  type Turn,
} from '@pchronicle/storyline-core';
import { firstResult, type Spelling } from './spelling.ts';

/** Puts a payload together again from a turn, the way its event spelled it. */
export function payloadOf(turn: Turn, type: string, spelling: Spelling): Json {
  if (spelling.message === '') return turn.msg;
  const call = spelling.call === undefined ? undefined : turn.tool_calls?.[0];
  const payload: MutableJsonObject = { ...restOf(turn.extra), ...restOf(call?.extra) };
  if (spelling.message !== undefined) setOwn(payload, spelling.message, turn.msg);
  if (turn.model !== undefined) payload.model = turn.model;
  if (turn.metrics !== undefined) payload.usage = turn.metrics;
  if (type === 'llm_call' && turn.prompt?.user !== undefined) payload.prompt = turn.prompt.user;
  if (call !== undefined && spelling.call !== undefined) {
    const { name, args, result, id } = spelling.call;
    payload[name] = call.fn;
    if (args !== undefined) payload[args] = call.args;
    const outcome = firstResult(turn);
    if (result !== undefined) payload[result] = outcome?.content ?? call.result ?? null;
    if (outcome !== undefined && Object.hasOwn(outcome, 'error')) payload.error = outcome.error ?? null;
    if (id) payload.invocation_id = call.tcid;
  }
  return payload;
}

/** What this format keeps of a payload in `extra`: its member `payload`. */
function restOf(extra: Json | undefined): JsonObject {
  const rest = isJsonObject(extra) && Object.hasOwn(extra, 'payload') ? extra.payload : undefined;
  return isJsonObject(rest) ? rest : {};
}
