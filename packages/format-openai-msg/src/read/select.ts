import { isJsonObject, type Json, type JsonObject, memberOf } from '@pchronicle/storyline-core';
import { contentOf, hasValue } from '../message/content.ts';
import { listOf } from '../values.ts';

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
  const messages = listOf(memberOf(row, 'messages'));
  const response = memberOf(row, 'response');
  const lastUser = messages.findLastIndex((message) => memberOf(message, 'role') === 'user');
  if (isJsonObject(response) && isOutput(response)) return { messages, response, output: -1, lastUser };
  const output = messages.findLastIndex(
    (message) => memberOf(message, 'role') === 'assistant' && isOutput(message),
  );
  return output === -1 ? undefined : { messages, output, lastUser };
}

/** Whether the output, as later rows would repeat it, is an assistant message. */
export function isAssistantOutput({ response }: Selection): boolean {
  return response === undefined || (memberOf(response, 'role') ?? 'assistant') === 'assistant';
}

/** Whether a message can be an output: it has calls, or a refusal or content that says something. */
function isOutput(message: Json): boolean {
  return (
    listOf(memberOf(message, 'tool_calls')).length > 0 ||
    hasValue(memberOf(message, 'refusal')) ||
    hasValue(contentOf(message))
  );
}
