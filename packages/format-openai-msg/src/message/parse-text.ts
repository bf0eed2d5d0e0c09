import { type Json, parseJson } from '@pchronicle/storyline-core';

/** The JSON value that a text spells, exactly; `undefined` when it is no JSON text. */
export function parseText(text: string): Json | undefined {
  return mayBeJson(text) ? parseJson(text).value : undefined;
}

/** The pointers, inside the text, of keys that stand twice in one object: the last one won (decision G5). */
export function repeatedKeys(text: string): readonly string[] {
  if (!mayBeJson(text)) return [];
  return parseJson(text)
    .issues.filter((issue) => issue.severity === 'warning')
    .map((issue) => issue.at.pointer);
}

/** A cheap look at both ends, so that prose is never parsed. */
function mayBeJson(text: string): boolean {
  const start = text.search(/[^ \t\n\r]/);
  return start !== -1 && /[[{"\-0-9tfn]/.test(text.charAt(start));
}
