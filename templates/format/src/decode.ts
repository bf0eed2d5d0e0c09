import {
  appendPointer,
  canonicalNumber,
  getOwn,
  isInteger,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseTime,
  type Report,
  type SourceRecord,
  type TimeValue,
} from '@pchronicle/storyline-core';
import { type ExampleDocument, type ExampleMessage, knownKeys } from './document.ts';

/** Checks one document; reports every fault it finds, and gives `undefined` when there was one. */
export function decode(record: SourceRecord<object>, report: Report): ExampleDocument | undefined {
  const [first] = record.values();
  const value = first?.value;
  if (!isJsonObject(value)) {
    report('error', 'example/not-an-object', '', 'an Example document is a JSON object, but this is none');
    return undefined;
  }
  const unknown = unknownMembers(value, '', knownKeys.root);
  const conversation = requiredText(value, 'conversation', '', report);
  const agent = requiredText(value, 'agent', '', report);
  const list = getOwn(value, 'messages');
  if (!isJsonArray(list)) {
    report('error', 'example/not-a-list', '/messages', '"messages" must be a list of messages');
    return undefined;
  }
  const ids = new Set<string>();
  const messages: ExampleMessage[] = [];
  for (const [index, element] of list.entries()) {
    const message = decodeMessage(element, `/messages/${index}`, ids, report);
    if (message === undefined) continue;
    messages.push(message);
    unknown.push(...unknownMembers(element as JsonObject, `/messages/${index}`, knownKeys.message));
  }
  if (conversation === undefined || agent === undefined || messages.length < list.length) return undefined;
  return { conversation, agent, messages, unknown };
}

function decodeMessage(
  value: Json,
  pointer: string,
  ids: Set<string>,
  report: Report,
): ExampleMessage | undefined {
  if (!isJsonObject(value)) {
    report('error', 'example/not-an-object', pointer, 'a message is a JSON object, but this is none');
    return undefined;
  }
  const from = requiredText(value, 'from', pointer, report);
  const text = getOwn(value, 'text');
  if (text === undefined)
    report('error', 'example/missing-text', `${pointer}/text`, 'a message needs a "text"; null is one');
  const at = getOwn(value, 'at') ?? undefined;
  const time = at === undefined ? undefined : parseTime(at);
  if (time !== undefined && 'fault' in time)
    report('error', 'example/bad-time', `${pointer}/at`, `"at" is no time: ${time.fault}`);
  const id = getOwn(value, 'id');
  if (!isInteger(id)) {
    report('error', 'example/bad-id', `${pointer}/id`, 'a message needs an integer "id"');
    return undefined;
  }
  const name = canonicalNumber(id);
  if (ids.has(name)) {
    report(
      'error',
      'example/repeated-id',
      `${pointer}/id`,
      `the id ${name} belongs to an earlier message; ids are unique in a document`,
    );
    return undefined;
  }
  ids.add(name);
  if (from === undefined || text === undefined || (time !== undefined && 'fault' in time)) return undefined;
  return { id, from, text, ...(at === undefined ? {} : { at: at as TimeValue }) };
}

function requiredText(object: JsonObject, key: string, pointer: string, report: Report): string | undefined {
  const value = getOwn(object, key);
  if (typeof value === 'string' && value !== '') return value;
  report(
    'error',
    'example/missing-text',
    appendPointer(pointer, key),
    `"${key}" must be a text that is not empty`,
  );
  return undefined;
}

function unknownMembers(object: JsonObject, pointer: string, known: readonly string[]): [string, Json][] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => [appendPointer(pointer, key), object[key] ?? null]);
}
