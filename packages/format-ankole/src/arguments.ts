import { type Json, parseJson, stringify } from '@pchronicle/storyline-core';

/** Deepest nesting of an arguments text that is read: what lies deeper stays text. */
const DEPTH = 200;

/** The value that an arguments text spells; the text itself where it spells none. */
export function readArguments(text: string): Json {
  return parseArguments(text) ?? text;
}

/** The value that an arguments text spells, but a text that is spelled as one: that stays as it is spelled. */
export function parseArguments(text: string): Json | undefined {
  if (!/^\s*[[{\-0-9tfn]/.test(text)) return undefined;
  return parseJson(text, { limits: { depth: DEPTH } }).value;
}

/** The text for arguments: a text is one already. */
export function argumentsText(args: Json): string {
  return typeof args === 'string' ? args : stringify(args);
}
