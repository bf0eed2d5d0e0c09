import { getOwn, isJsonArray, isJsonObject, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { CHATML_FORMAT, CHATML_VERSION } from '../keys.ts';

/** Whether a value is a canonical message of `ankole_chatml` version 1 (notes §3): a known role with the members it needs, no nulls for optional ones; more keys are allowed. */
export function isCanonicalMessage(message: Json): message is JsonObject {
  return isJsonObject(message) && messageFault(message) === undefined;
}

/** What is not canonical in a message: the member, and what it should be. */
export function messageFault(
  message: JsonObject,
): { readonly key: string; readonly expected: string } | undefined {
  const fault = (key: string, expected: string) => ({ key, expected });
  const has = (key: string): boolean => Object.hasOwn(message, key);
  const isText = (key: string): boolean => typeof getOwn(message, key) === 'string';
  if (has('id') && !isText('id')) return fault('id', 'text, or to be left out');
  if (has('metadata') && !isJsonObject(getOwn(message, 'metadata')))
    return fault('metadata', 'an object, or to be left out');
  switch (getOwn(message, 'role')) {
    case 'user':
    case 'developer':
      return isContent(getOwn(message, 'content'))
        ? undefined
        : fault('content', 'text, or a list of objects that each have a text type');
    case 'assistant':
      if (!isText('content')) return fault('content', 'text');
      return !has('tool_calls') || isCallList(getOwn(message, 'tool_calls'))
        ? undefined
        : fault('tool_calls', 'a list of function calls with text ids, names and arguments');
    case 'tool':
      for (const key of ['tool_call_id', 'name', 'content']) if (!isText(key)) return fault(key, 'text');
      return has('namespace') && !isText('namespace')
        ? fault('namespace', 'text, or to be left out')
        : undefined;
    default:
      return fault('role', 'user, developer, assistant or tool');
  }
}

function isContent(content: Json | undefined): boolean {
  if (typeof content === 'string') return true;
  return (
    isJsonArray(content) &&
    content.every((part) => isJsonObject(part) && typeof getOwn(part, 'type') === 'string')
  );
}

function isCallList(calls: Json | undefined): boolean {
  return isJsonArray(calls) && calls.every(isCanonicalCall);
}

/** Whether a value is a call as a canonical assistant message has it. */
export function isCanonicalCall(call: Json): call is JsonObject {
  if (!isJsonObject(call) || typeof getOwn(call, 'id') !== 'string') return false;
  const called = getOwn(call, 'function');
  if (getOwn(call, 'type') !== 'function' || !isJsonObject(called)) return false;
  const namespace = getOwn(called, 'namespace');
  return (
    typeof getOwn(called, 'name') === 'string' &&
    typeof getOwn(called, 'arguments') === 'string' &&
    (namespace === undefined || typeof namespace === 'string')
  );
}

/** Whether a value is a header as a turn stores it: format, version, and the two flags in `metadata`; nothing else (notes §3). */
export function isCanonicalHeader(header: Json): header is JsonObject {
  if (!isJsonObject(header)) return false;
  const keys = Object.keys(header);
  if (keys.some((key) => key !== 'format' && key !== 'version' && key !== 'metadata')) return false;
  if (getOwn(header, 'format') !== CHATML_FORMAT || getOwn(header, 'version') !== CHATML_VERSION)
    return false;
  const metadata = getOwn(header, 'metadata');
  if (metadata === undefined) return !Object.hasOwn(header, 'metadata');
  return (
    isJsonObject(metadata) &&
    Object.keys(metadata).every(
      (key) =>
        (key === 'redacted' || key === 'content_truncated') && typeof getOwn(metadata, key) === 'boolean',
    )
  );
}
