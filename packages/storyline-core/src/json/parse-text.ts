import { type ParseOptions, parseJson } from './parse.ts';
import type { Json } from './value.ts';

/** The JSON value that a text inside of a document spells, exactly; `undefined` when it is none. Prose is seen at its first character and never parsed. */
export function parseText(text: string, options?: ParseOptions): Json | undefined {
  const start = text.search(/[^ \t\n\r]/);
  return start !== -1 && /[[{"\-0-9tfn]/.test(text.charAt(start))
    ? parseJson(text, options).value
    : undefined;
}

/** The pointers, inside a JSON text, of keys that stand twice in one object, where the last one won (decision G5); none for anything else. */
export function repeatedKeys(text: Json | undefined): readonly string[] {
  if (typeof text !== 'string' || !/^[ \t\n\r]*[[{]/.test(text)) return [];
  return parseJson(text).issues.flatMap(({ severity, at }) => (severity === 'error' ? [] : [at.pointer]));
}
