import {
  getOwn,
  isInteger,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
  type ToolCall,
  type Turn,
  toBigInt,
} from '@pchronicle/storyline-core';
import { isFloat, isNonFinite } from '../python/number.ts';
import type { CallSpelling } from './spelling.ts';
import { EVENT_KEYS, type EventKey, hasUsage, messageKeysOf } from './vocabulary.ts';

/** What one payload became. */
export interface MappedPayload {
  /** The members of the turn that come from the payload, `msg` among them; a tool call has an empty `tcid` still. */
  readonly members: Partial<Turn> & Pick<Turn, 'msg'>;
  readonly message?: string;
  readonly call?: CallSpelling;
  /** The `invocation_id` of the call, where it has a usable one. */
  readonly callId?: string;
}

/** Splits a payload into what a Storyline has a place for and the rest, which stays together as `extra.payload` (decision F2). */
export function mapPayload(type: string, payload: Json | undefined): MappedPayload {
  if (payload === undefined) return { members: { msg: null } };
  if (!isJsonObject(payload)) return { members: { msg: payload }, message: '' };
  if (type === 'tool_call') {
    const call = mapCall(payload);
    if (call !== undefined) return call;
  }
  const taken = new Set<string>();
  const members: { -readonly [K in keyof Turn]?: Turn[K] } & { msg: Json } = { msg: null };
  const message = messageKeysOf(type).find((key) => Object.hasOwn(payload, key));
  if (message !== undefined) {
    members.msg = getOwn(payload, message) ?? null;
    taken.add(message);
  }
  const model = getOwn(payload, 'model');
  if (typeof model === 'string' && model !== '') {
    members.model = model;
    taken.add('model');
  }
  const usage = getOwn(payload, 'usage');
  if (hasUsage(type) && isJsonObject(usage)) {
    members.metrics = usage;
    taken.add('usage');
  }
  const prompt = getOwn(payload, 'prompt');
  if (type === 'llm_call' && typeof prompt === 'string' && prompt !== '') {
    members.prompt = { user: prompt };
    taken.add('prompt');
  }
  const rest = without(payload, taken);
  if (rest !== undefined) members.extra = { payload: rest };
  return { members, ...(message === undefined ? {} : { message }) };
}

/** A tool call, in the shape of 0.1 to 0.4 (`name`, `args`, `result`) or of 0.5 (`tool_name`, `request`, `response`); `undefined` without a name. */
function mapCall(payload: JsonObject): MappedPayload | undefined {
  const name = (['tool_name', 'name'] as const).find((key) => {
    const value = getOwn(payload, key);
    return typeof value === 'string' && value !== '';
  });
  if (name === undefined) return undefined;
  const newer = name === 'tool_name';
  const pick = <A extends string, B extends string>(first: A, second: B): A | B | undefined =>
    Object.hasOwn(payload, first) ? first : Object.hasOwn(payload, second) ? second : undefined;
  const args = newer ? pick('request', 'args') : pick('args', 'request');
  const result = newer ? pick('response', 'result') : pick('result', 'response');
  const invocation = getOwn(payload, 'invocation_id');
  const callId = typeof invocation === 'string' && invocation !== '' ? invocation : undefined;
  const taken = new Set<string>([name]);
  for (const key of [args, result, callId === undefined ? undefined : 'invocation_id']) {
    if (key !== undefined) taken.add(key);
  }
  const outcome: MutableJsonObject = {};
  if (result !== undefined) outcome.content = getOwn(payload, result) ?? null;
  const error = getOwn(payload, 'error');
  if (error !== undefined) {
    outcome.error = error;
    taken.add('error');
  }
  const model = getOwn(payload, 'model');
  const hasModel = typeof model === 'string' && model !== '';
  if (hasModel) taken.add('model');
  const rest = without(payload, taken);
  const duration = durationOf(payload);
  const call: ToolCall = {
    tcid: '',
    fn: String(getOwn(payload, name)),
    args: args === undefined ? null : (getOwn(payload, args) ?? null),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    ...(rest === undefined ? {} : { extra: { payload: rest } }),
    ...(error === undefined || error === null ? {} : { response: { status: 'error' } }),
  };
  const answered = Object.keys(outcome).length > 0;
  return {
    members: {
      msg: null,
      ...(hasModel ? { model } : {}),
      tool_calls: [call],
      ...(answered ? { observation: { results: [outcome] } } : {}),
    },
    call: {
      name,
      ...(args === undefined ? {} : { args }),
      ...(result === undefined ? {} : { result }),
      id: callId !== undefined,
    },
    ...(callId === undefined ? {} : { callId }),
  };
}

/** The whole milliseconds of `timing.duration_ms`, cut toward zero; the exact value stays where it is. */
function durationOf(payload: JsonObject): number | undefined {
  const timing = getOwn(payload, 'timing');
  const value = isJsonObject(timing) ? getOwn(timing, 'duration_ms') : undefined;
  if (!isNumeric(value) || isNonFinite(value)) return undefined;
  const whole = Math.trunc(Number(value));
  return Number.isSafeInteger(whole) ? whole + 0 : undefined;
}

function without(payload: JsonObject, taken: ReadonlySet<string>): JsonObject | undefined {
  const keys = Object.keys(payload).filter((key) => !taken.has(key));
  if (keys.length === 0) return undefined;
  if (taken.size === 0) return payload;
  const rest: MutableJsonObject = {};
  for (const key of keys) setOwn(rest, key, payload[key] ?? null);
  return rest;
}

const NOTHING_LACKED: readonly EventKey[] = [];

/** The schema fields that an event lacks. */
export function lackedKeys(event: JsonObject): readonly EventKey[] {
  for (const key of EVENT_KEYS) {
    if (!Object.hasOwn(event, key)) return EVENT_KEYS.filter((one) => !Object.hasOwn(event, one));
  }
  return NOTHING_LACKED;
}

/** The id of an event where it can be a turn's: a 64-bit integer, and spelled as one. */
export function turnIdOf(id: Json | undefined): JsonInteger | undefined {
  if (!isNumeric(id) || !isInteger(id) || isFloat(id) || Object.is(id, -0)) return undefined;
  if (typeof id === 'number' && Number.isSafeInteger(id)) return id;
  if (typeof id === 'object' && id.raw === '-0') return undefined;
  return BigInt.asIntN(64, toBigInt(id)) === toBigInt(id) ? id : undefined;
}

/** The event type that the engines see; one that is no text counts as Forkline's default. */
export function typeTextOf(event: JsonObject): string {
  const type = getOwn(event, 'type');
  return typeof type === 'string' ? type : 'system';
}
