import type { IssueCode, Report } from '../issue.ts';
import { type ParseOptions, parseJson } from './parse.ts';
import type { Json } from './value.ts';

/** The JSON value that a text inside of a document spells, exactly; `undefined` when it is none. Prose is seen at its first character and never parsed. */
export function parseText(text: string, options?: ParseOptions): Json | undefined {
  const start = text.search(/[^ \t\n\r]/);
  return start !== -1 && /[[{"\-0-9tfn]/.test(text.charAt(start))
    ? parseJson(text, options).value
    : undefined;
}

/** Tells of keys that stand twice in an object inside a JSON text, where the last one won (decision G5); of nothing for anything else. */
export function reportRepeatedKeys(
  text: Json | undefined,
  code: IssueCode,
  pointer: string,
  report: Report,
): void {
  if (typeof text !== 'string' || !/^[ \t\n\r]*[[{]/.test(text)) return;
  for (const { severity, at } of parseJson(text).issues) {
    const message = `the JSON text has the key ${at.pointer} twice; the last one is taken`;
    if (severity !== 'error') report('warning', code, pointer, message);
  }
}
