import type { Report } from '@pchronicle/storyline-core';
import type { Cell } from './engine.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of plain ASCII without U+0000 are safe to bind as they are
const PLAIN = /^[\u0001-\u007f]*$/;

/** A text as it is bound to a statement: as UTF-8 bytes where an engine would cut it; `forkline/unpaired-surrogate` where SQLite cannot hold it. */
export function bindText(text: string | null, report: Report): Cell {
  if (text === null || PLAIN.test(text)) return text;
  if (/\p{Surrogate}/u.test(text)) {
    const message = `a lone surrogate in ${JSON.stringify(text.slice(0, 40))} cannot be stored: SQLite texts are Unicode`;
    report('error', 'forkline/unpaired-surrogate', '', message);
  }
  return new TextEncoder().encode(text);
}
