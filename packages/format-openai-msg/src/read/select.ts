import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
} from '@pchronicle/storyline-core';
import { decodeContent, hasValue } from '../message/content.ts';

/** What a row's turns are made of (RFC-0009, turn construction and selection). */
export interface Selection {
  /** The messages; empty when the row has no list of them. */
  readonly messages: readonly Json[];
  /** The selected response, if it is the output. */
  readonly response?: JsonObject;
  /** Position of the output among the messages; -1 when the response is the output. */
  readonly output: number;
  /** Position of the last user message; -1 when there is none. */
  readonly lastUser: number;
}

/** Selects output and request of a row: a valid response, else the last valid assistant message. `undefined` when no output is found. */
export function selectMessages(row: JsonObject): Selection | undefined {
  const list = getOwn(row, 'messages');
  const messages = isJsonArray(list) ? list : [];
  const response = getOwn(row, 'response');
  let lastUser = messages.length - 1;
  while (lastUser >= 0 && memberOf(messages[lastUser], 'role') !== 'user') lastUser -= 1;
  if (isJsonObject(response) && isOutput(response)) return { messages, response, output: -1, lastUser };
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (isJsonObject(message) && getOwn(message, 'role') === 'assistant' && isOutput(message))
      return { messages, output: index, lastUser };
  }
  return undefined;
}

/** Whether the output, as later rows would repeat it, is an assistant message. */
export function isAssistantOutput({ response }: Selection): boolean {
  return response === undefined || (getOwn(response, 'role') ?? 'assistant') === 'assistant';
}

/** Whether a message can be an output: it has calls, or a refusal or content that says something. */
function isOutput(message: JsonObject): boolean {
  const calls = getOwn(message, 'tool_calls');
  if (isJsonArray(calls) && calls.length > 0) return true;
  return hasValue(getOwn(message, 'refusal')) || hasValue(decodeContent(getOwn(message, 'content') ?? null));
}
