import {
  canonicalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { hasKnownRole, isCall, normaliseMessage, partsOf, says } from './message.ts';

/** What a session said so far: message without unknown keys → how often, and with which reasoning. */
export type Said = Map<string, { count: number; readonly reasons: Set<string> }>;

/** The messages and the response of a row. */
export interface NormalMessages {
  readonly messages?: Json;
  readonly response?: Json;
  /** Whether the response is the row's output. */
  readonly isAnswered?: boolean;
}

/** Normalises the messages of a row; `said` is what the session said before it, and grows. */
export function normaliseMessages(row: JsonObject, said: Said, isFirst: boolean): NormalMessages {
  const given = getOwn(row, 'messages') ?? null;
  const response = getOwn(row, 'response') ?? null;
  const list = isJsonArray(given) ? given : [];
  const answers = (message: Json): boolean =>
    isJsonObject(message) &&
    (hasElements(getOwn(message, 'tool_calls')) ||
      says(getOwn(message, 'refusal')) ||
      says(partsOf(getOwn(message, 'content') ?? null)));
  const isSelected = answers(response);
  const outputAt = isSelected
    ? -1
    : list.findLastIndex(
        (message) => isJsonObject(message) && getOwn(message, 'role') === 'assistant' && answers(message),
      );
  const lastUser = list.findLastIndex(
    (message) => isJsonObject(message) && getOwn(message, 'role') === 'user',
  );
  const normal = list.map((message) =>
    hasKnownRole(message) ? normaliseMessage(message, getOwn(message, 'role') === 'assistant') : message,
  );
  const output = isSelected
    ? normalResponse(response as JsonObject)
    : (normal[outputAt] as MutableJsonObject);
  const ownKey = getOwn(output, 'role') === 'assistant' ? keyOf(output) : undefined;

  const isContext = (index: number): boolean =>
    isFirst &&
    index < lastUser &&
    ['system', 'user', 'assistant'].includes(getOwn(Object(list[index]) as JsonObject, 'role') as string);
  const known = new Map([...said].map(([key, { count }]) => [key, count]));
  const fresh: MutableJsonObject[] = [];
  normal.forEach((message, index) => {
    if (!isContext(index)) return;
    say(said, message as MutableJsonObject);
  });
  const used = new Map<string, number>();
  const messages = normal.map((message, index) => {
    if (isContext(index) || !hasKnownRole(message) || index === outputAt) return message;
    const key = keyOf(message);
    const times = (used.get(key) ?? 0) + 1;
    const reason = getOwn(message, 'reasoning_content');
    // In the first row nothing is known but the context, each message of which stands there already.
    const isCopy = times <= (known.get(key) ?? 0);
    if (isCopy) {
      used.set(key, times);
      return typeof reason === 'string' && said.get(key)?.reasons.has(reason) === false
        ? withoutReason(message)
        : message;
    }
    if (key === ownKey) {
      const isKnown =
        typeof reason !== 'string' ||
        reason === getOwn(output, 'reasoning_content') ||
        said.get(key)?.reasons.has(reason);
      return isKnown === true ? message : withoutReason(message);
    }
    fresh.push(message as MutableJsonObject);
    return message;
  });
  for (const message of fresh) say(said, message);
  if (ownKey !== undefined && !isContext(outputAt)) say(said, output);
  return {
    ...(isJsonArray(given) ? { messages } : given === null ? {} : { messages: given }),
    ...(isSelected ? { response: output, isAnswered: true } : response === null ? {} : { response }),
  };
}

function normalResponse(response: JsonObject): MutableJsonObject {
  const result = normaliseMessage(response, true);
  if ((getOwn(result, 'role') ?? null) === null) result.role = 'assistant';
  return result;
}

function hasElements(value: Json | undefined): boolean {
  return isJsonArray(value) && value.length > 0;
}

function say(said: Said, message: MutableJsonObject): void {
  const key = keyOf(message);
  const entry = said.get(key) ?? { count: 0, reasons: new Set<string>() };
  entry.count += 1;
  const reason = getOwn(message, 'reasoning_content');
  if (getOwn(message, 'role') === 'assistant' && typeof reason === 'string') entry.reasons.add(reason);
  said.set(key, entry);
}

function withoutReason(message: JsonObject): JsonObject {
  if (getOwn(message, 'role') !== 'assistant') return message;
  const { reasoning_content: _, ...rest } = message;
  return rest;
}

/** A message without its unknown keys and its reasoning, as text. */
export function keyOf(message: JsonObject): string {
  const calls = getOwn(message, 'role') === 'assistant' ? getOwn(message, 'tool_calls') : undefined;
  const plain = isJsonArray(calls) ? calls.filter(isCall) : [];
  const places = isJsonArray(calls) ? calls.flatMap((call, index) => (isCall(call) ? [index] : [])) : [];
  return canonicalJson([
    getOwn(message, 'role') ?? null,
    getOwn(message, 'content') ?? null,
    getOwn(message, 'role') === 'tool' ? (getOwn(message, 'tool_call_id') ?? null) : null,
    plain.map((call) => {
      const inner = getOwn(call, 'function') as JsonObject;
      return [getOwn(call, 'id') ?? null, getOwn(inner, 'name') ?? null, getOwn(inner, 'arguments') ?? null];
    }),
    places,
  ]);
}
