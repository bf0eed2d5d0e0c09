import {
  getPointer,
  type Json,
  type JsonObject,
  memberOf,
  type Report,
  reportRepeatedKeys,
} from '@pchronicle/storyline-core';
import { contentOf } from '../message/content.ts';
import { listOf } from '../values.ts';

/** Tells of repeated keys in the texts of a row that are read as values (decision G5). */
export interface RepeatedKeys {
  /** Looks at a text. `inside` is its pointer in the row. */
  inText(text: Json | undefined, inside: string): void;
  /** Looks at a message: its arguments, and a content of parts. */
  inMessage(inside: string): void;
}

/** Starts telling of the repeated keys of a row. */
export function tellRepeatedKeys(row: JsonObject, pointer: string, report: Report): RepeatedKeys {
  const inText = (text: Json | undefined, inside: string): void =>
    reportRepeatedKeys(text, 'openai-msg/repeated-key-in-text', pointer + inside, report);
  return {
    inText,
    inMessage(inside) {
      const message = getPointer(row, inside);
      const content = memberOf(message, 'content');
      if (contentOf(message) !== content) inText(content, `${inside}/content`);
      for (const [index, call] of listOf(memberOf(message, 'tool_calls')).entries())
        inText(
          memberOf(memberOf(call, 'function'), 'arguments'),
          `${inside}/tool_calls/${index}/function/arguments`,
        );
    },
  };
}
