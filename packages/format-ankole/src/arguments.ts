import { getOwn, isJsonObject, type Json, parseJson, stringify } from '@pchronicle/storyline-core';

/** Deepest nesting of an arguments text that is read: what lies deeper stays text. */
const DEPTH = 200;

/** The value that an arguments text spells; the text itself where it spells none. */
export function readArguments(text: string): Json {
  return parseArguments(text) ?? text;
}

/** The value that an arguments text spells, but a text that is spelled as one: that stays as it is spelled. */
export function parseArguments(text: string): Json | undefined {
  if (!/^\s*[[{\-0-9tfn]/.test(text)) return undefined;
  const plain = parsePlain(text);
  if (plain !== undefined) return plain;
  return parseJson(text, { limits: { depth: DEPTH } }).value;
}

/** Texts up to this length are looked through before they are parsed. */
const SHORT = 2_000;
/** What the platform's parser would respell, and names that it treats in its own way: the exact parser takes texts with one of these. */
const EXOTIC = /\d{15}|\d[eE]|-0|__proto__|\\u/;

/** A short text that says nothing unusual, parsed by the platform, which is ten times faster; `undefined` for any other. */
function parsePlain(text: string): Json | undefined {
  if (text.length > SHORT || EXOTIC.test(text)) return undefined;
  let depth = 0;
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) depth += 1;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) depth += 1;
  if (depth > DEPTH) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Arguments of a call, and whether a text among them was spelled as a JSON string (`extra.args_form` = `json`). */
export interface CallArguments {
  readonly args: Json;
  readonly isString: boolean;
}

/** What an arguments text says: the value that it spells, a text too; the text itself where it spells none. */
export function readCallArguments(text: string): CallArguments {
  if (!/^\s*"/.test(text)) return { args: readArguments(text), isString: false };
  const { value } = parseJson(text);
  return typeof value === 'string' ? { args: value, isString: true } : { args: text, isString: false };
}

/** The text for arguments: a text is one already, unless it was spelled as a JSON string. */
export function argumentsText(args: Json, extra?: Json): string {
  const isString = isJsonObject(extra) && getOwn(extra, 'args_form') === 'json';
  return typeof args === 'string' && !isString ? args : stringify(args);
}
