import {
  CLOSE_ARRAY,
  COLON,
  COMMA,
  isBlank,
  NEWLINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  skipBlank,
} from '../json/bytes.ts';
import { isWholeValue, skipInMemory } from '../json/skip.ts';
import type { ByteRange } from '../source.ts';
import type { Layout } from './layout.ts';

/** A document or row among others: its bytes, its 1-based number, and its line where each has one of its own. */
export interface Item extends ByteRange {
  readonly record?: number;
  readonly line?: number;
}

/** How the values of bytes in memory lie; by the rules of `findLayout`. */
export function layoutOf(bytes: Uint8Array, start: number): Layout {
  const first = bytes[start];
  if (first === undefined) return 'empty';
  if (first === OPEN_ARRAY) return 'array';
  const newline = bytes.indexOf(NEWLINE, start);
  const next = newline === -1 ? bytes.length : skipBlank(bytes, newline, bytes.length);
  if (next === bytes.length) return 'document';
  const line = bytes.subarray(start, newline);
  const startsObject = bytes[next] === OPEN_OBJECT && bytes[next - 1] === NEWLINE;
  const isOver = isWholeValue(line) || (startsObject && !breaksBetweenTokens(line));
  return first !== OPEN_OBJECT || isOver ? 'lines' : 'document';
}

/** Whether a line ends where a printer of JSON may break: behind a bracket, a comma or a colon. A record that was cut off hardly does. */
export function breaksBetweenTokens(line: Uint8Array): boolean {
  const last = line[trimEnd(line, line.length) - 1];
  return last === COMMA || last === COLON || last === OPEN_ARRAY || last === OPEN_OBJECT;
}

/** The non-blank lines from `start` on. */
export function linesOf(bytes: Uint8Array, start: number): readonly Item[] {
  const lines: Item[] = [];
  for (let at = start, line = 1; at < bytes.length; line += 1) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline === -1 ? bytes.length : newline;
    const first = skipBlank(bytes, at, end);
    if (first < end) lines.push({ start: first, end: trimEnd(bytes, end), record: lines.length + 1, line });
    at = end + 1;
  }
  return lines;
}

/** The elements of an array. */
export interface Elements {
  readonly items: readonly Item[];
  /** Where the array breaks, or something follows it; the end of the bytes when it only is not closed. */
  readonly breakAt?: number;
}

/** The elements of the array at `start`, split by counting brackets. */
export function elementsOf(bytes: Uint8Array, start: number): Elements {
  const items: Item[] = [];
  const end = bytes.length;
  let at = skipBlank(bytes, start + 1, end);
  if (bytes[at] !== CLOSE_ARRAY) {
    for (;;) {
      const stop = skipInMemory(bytes, at);
      if (stop === at) return { items, breakAt: at };
      items.push({ start: at, end: stop, record: items.length + 1 });
      at = skipBlank(bytes, stop, end);
      if (bytes[at] !== COMMA) break;
      at = skipBlank(bytes, at + 1, end);
    }
    if (bytes[at] !== CLOSE_ARRAY) return { items, breakAt: at };
  }
  at = skipBlank(bytes, at + 1, end);
  return at === end ? { items } : { items, breakAt: at };
}

function trimEnd(bytes: Uint8Array, end: number): number {
  let to = end;
  while (to > 0 && isBlank(bytes[to - 1])) to -= 1;
  return to;
}
