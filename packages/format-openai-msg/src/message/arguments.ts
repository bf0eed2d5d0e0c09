import { type Json, parseText, stringify } from '@pchronicle/storyline-core';

/** `args` of a call: the value that an arguments text spells, else the arguments as they are; missing ones are null (RFC-0009, authoritative fields). */
export function argsOf(source: Json | undefined): Json {
  if (source === undefined) return null;
  if (typeof source !== 'string') return source;
  const value = parseText(source);
  return value === undefined ? source : value;
}

/** The arguments text that gives these `args` again: the text itself when it does not parse as JSON, else JSON text (decision O14). */
export function argumentsText(args: Json): string {
  return typeof args === 'string' && parseText(args) === undefined ? args : stringify(args);
}
