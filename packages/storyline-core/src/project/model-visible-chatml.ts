import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';

/** How {@link modelVisibleChatml} numbers. */
export interface ModelVisibleOptions {
  /** Text before the number; default `call_`. */
  readonly prefix?: string;
  /** Messages of one text have their own numbers (decision K6, scope `turn`), but a result has that of its call; default: one scope. */
  scope?(message: number): string;
}

/**
 * The model-visible form of any ChatML document: message ids are removed, and the ids that join calls and results become `call_1`,
 * `call_2` … by first appearance. Everything else stays, order, content and loose shapes included (decisions K6, K7). Doing it twice
 * changes nothing more; the document itself is not changed.
 */
export function modelVisibleChatml(document: JsonObject, options: ModelVisibleOptions = {}): JsonObject {
  const messages = getOwn(document, 'messages');
  if (!isJsonArray(messages)) return document;
  const prefix = options.prefix ?? 'call_';
  const scopes = new Map<string, Map<string, string>>();
  /** By id, the scope of its latest call. */
  const called = new Map<string, string>();
  const visible = messages.map((message, index) => {
    const here = options.scope?.(index) ?? '';
    const alias: Alias = (id, isResult) => {
      const scope = isResult ? (called.get(id) ?? here) : here;
      if (!isResult) called.set(id, here);
      const aliases = scopes.get(scope) ?? new Map<string, string>();
      scopes.set(scope, aliases);
      const made = aliases.get(id) ?? `${prefix}${aliases.size + 1}`;
      aliases.set(id, made);
      return made;
    };
    return isJsonObject(message) ? visibleMessage(message, alias) : message;
  });
  return copyWith(document, (key, value) => (key === 'messages' ? visible : value));
}

type Alias = (id: string, isResult?: boolean) => string;

function visibleMessage(message: JsonObject, alias: Alias): JsonObject {
  // Calls take their numbers before the result reference, whatever the order of the keys.
  const given = getOwn(message, 'tool_calls');
  const calls = isJsonArray(given) ? given.map((call) => visibleCall(call, alias)) : given;
  const isResult = getOwn(message, 'role') === 'tool';
  return copyWith(message, (key, value) => {
    if (key === 'id') return undefined;
    if (key === 'tool_calls') return calls;
    return key === 'tool_call_id' && isResult && typeof value === 'string' ? alias(value, true) : value;
  });
}

function visibleCall(call: Json, alias: Alias): Json {
  if (!isJsonObject(call) || typeof getOwn(call, 'id') !== 'string') return call;
  return copyWith(call, (key, value) => (key === 'id' ? alias(value as string) : value));
}

/** A shallow copy with some members changed, or left out where `change` gives undefined. */
function copyWith(object: JsonObject, change: (key: string, value: Json) => Json | undefined): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const value = change(key, object[key] as Json);
    if (value !== undefined) setOwn(copy, key, value);
  }
  return copy;
}
