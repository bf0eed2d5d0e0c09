import { getOwn, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { filledText, objectIn } from '../members.ts';

/** A stored round of a conversation, from a row or a Response object. */
export interface Round {
  readonly shape: 'row' | 'response';
  readonly id: string;
  readonly value: JsonObject;
  readonly pointer: string;
  readonly time: Json;
}

/** The row that a round continues, without the prefix of the API. */
export function previousOf({ shape, value }: Pick<Round, 'shape' | 'value'>): string | null {
  const anchor = getOwn(value, shape === 'row' ? 'previous_message_id' : 'previous_response_id');
  if (typeof anchor !== 'string') return null;
  return shape === 'row' ? anchor : anchor.replace(/^resp_(?=.)/, '');
}

/** The conversation that a Response names, without the prefix of the API. */
export function conversationOfResponse(value: JsonObject): string | undefined {
  return filledText(objectIn(value, 'conversation'), 'id')?.replace(/^conv_(?=.)/, '');
}

/** The id of a Response, without the prefix of the API. */
export function idOfResponse(value: JsonObject): string | undefined {
  return filledText(value, 'id')?.replace(/^resp_(?=.)/, '');
}

/** The conversation that a round names. */
export function conversationOf({ shape, value }: Round): string | undefined {
  return shape === 'row' ? filledText(value, 'conversation_id') : conversationOfResponse(value);
}
