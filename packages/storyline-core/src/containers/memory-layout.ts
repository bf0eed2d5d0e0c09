import { CLOSE_ARRAY, COMMA, skipBlank } from '../json/bytes.ts';
import { skipInMemory } from '../json/skip.ts';
import { bytesSource } from '../source/bytes.ts';
import type { ByteRange } from '../source.ts';
import { findLayout, type Layout } from './layout.ts';
import { nextLine } from './lines.ts';
import type { Steps } from './need.ts';
import { openWindow, type Window } from './window.ts';

/** A document or row among others: its bytes, its 1-based number, and its line where each has one of its own. */
export interface Item extends ByteRange {
  readonly record?: number;
  readonly line?: number;
}

/** How the values of bytes in memory lie. */
export function layoutOf(bytes: Uint8Array, start: number): Layout {
  return atOnce(findLayout(windowOn(bytes, start), bytes.length)).layout;
}

/** The values of lines from `start` on. */
export function linesOf(bytes: Uint8Array, start: number): readonly Item[] {
  const items: Item[] = [];
  const window = windowOn(bytes, start);
  const state = { number: 1 };
  const next = () => atOnce(nextLine(window, state));
  for (let line = next(); line !== undefined; line = next())
    items.push({ start: line.start, end: line.end, record: items.length + 1, line: line.number });
  return items;
}

/** A window that has all bytes at hand, so that nothing is read. */
function windowOn(bytes: Uint8Array, at: number): Window {
  return { ...openWindow(bytesSource('', bytes)), bytes, buffer: bytes, at, anchor: at };
}

/** The result of steps on such a window, which need nothing. */
function atOnce<T>(steps: Steps<T>): T {
  return steps.next().value as T;
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
