import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseText,
  setOwn,
  stringify,
} from '@pchronicle/storyline-core';

// Written from the list in MAPPING.md alone; it shares nothing with the reader and the writer, whose work it judges (decision G1).

const PARTS = [
  'text',
  'input_text',
  'output_text',
  'image',
  'image_url',
  'input_image',
  'input_audio',
  'audio',
  'file',
  'input_file',
  'refusal',
  'thinking',
  'reasoning',
  'tool_use',
  'tool_result',
];
const DROPPED_WHEN_EMPTY = ['name', 'refusal', 'tool_call_id', 'tool_calls'];

/** Whether a value is null, `[]` or `{}`. */
export function isVoid(value: Json | undefined): boolean {
  if (value === null) return true;
  return (
    (isJsonArray(value) && value.length === 0) || (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

/** Whether a content or refusal says anything. */
export function says(value: Json | undefined): boolean {
  const stack: (Json | undefined)[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (isJsonArray(next)) for (const element of next) stack.push(element);
    else if (isJsonObject(next) && Object.hasOwn(next, 'text')) stack.push(getOwn(next, 'text'));
    else if (isJsonObject(next)) {
      if (Object.keys(next).length > 0) return true;
    } else if (next !== undefined && next !== null && next !== '') return true;
  }
  return false;
}

/** Normalisation 4: a text that spells content parts is those parts. */
export function partsOf(content: Json): Json {
  if (typeof content !== 'string') return content;
  const value = parseText(content);
  const isPart = (one: Json): boolean => isJsonObject(one) && PARTS.includes(getOwn(one, 'type') as string);
  if (value === undefined) return content;
  return isPart(value) || (isJsonArray(value) && value.length > 0 && value.every(isPart)) ? value : content;
}

/** Whether a message has a role that rows know: system, user, assistant, or tool with an id. */
export function hasKnownRole(message: Json | undefined): message is JsonObject {
  if (!isJsonObject(message)) return false;
  const role = getOwn(message, 'role');
  const id = getOwn(message, 'tool_call_id');
  return (
    ['system', 'user', 'assistant'].includes(role as string) ||
    (role === 'tool' && typeof id === 'string' && id !== '')
  );
}

/** Whether an element of `tool_calls` is a call. */
export function isCall(call: Json): call is JsonObject {
  if (!isJsonObject(call)) return false;
  const id = getOwn(call, 'id');
  const inner = getOwn(call, 'function');
  const name = isJsonObject(inner) ? getOwn(inner, 'name') : undefined;
  return typeof id === 'string' && id !== '' && typeof name === 'string' && name !== '';
}

/** Normalisations 4 to 7 of one message; `spoken` for an assistant's. */
export function normaliseMessage(message: JsonObject, spoken: boolean): MutableJsonObject {
  const result: MutableJsonObject = {};
  for (const key of Object.keys(message)) {
    const value = message[key] as Json;
    if (DROPPED_WHEN_EMPTY.includes(key) && isVoid(value)) continue;
    if (key === 'reasoning_content' && value === null) continue;
    if (key === 'content') result.content = partsOf(value);
    else if (key === 'tool_calls' && spoken && isJsonArray(value))
      result.tool_calls = value.map((call) => (isCall(call) ? normaliseCall(call) : call));
    else setOwn(result, key, value);
  }
  if (spoken && !says(getOwn(result, 'content')) && says(getOwn(result, 'refusal'))) {
    result.content = partsOf(result.refusal ?? null);
    delete result.refusal;
  }
  return result;
}

/** Normalisation 7: a call has its type, and its arguments as text. */
function normaliseCall(call: JsonObject): JsonObject {
  const inner = { ...(getOwn(call, 'function') as JsonObject) };
  const given = getOwn(inner, 'arguments');
  const spelled = typeof given === 'string' ? parseText(given) : undefined;
  const args = spelled === undefined ? (given ?? null) : spelled;
  const raw = typeof args === 'string' && parseText(args) === undefined;
  const type = getOwn(call, 'type');
  return {
    ...call,
    type: type === undefined || type === null ? 'function' : type,
    function: { ...inner, arguments: raw ? args : stringify(args) },
  };
}
