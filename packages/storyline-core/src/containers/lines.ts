import { isBlank, NEWLINE, skipBlank } from '../json/bytes.ts';
import type { Steps } from './need.ts';
import { more, positionOf, type Window } from './window.ts';

/** A non-blank line: [start, end) without its line break and the white space around. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** 1-based number in the file. */
  readonly number: number;
}

/** Where a reading of lines stands. */
export interface LineState {
  number: number;
}

/**
 * Goes to the next line that is not blank and past its break; `undefined` at the end.
 * Lines are split at the byte, before any JSON is looked at, so that a broken line never takes its neighbours with it.
 */
export function* nextLine(window: Window, state: LineState): Steps<Line | undefined> {
  for (;;) {
    const start = positionOf(window);
    window.anchor = start;
    let newline = window.bytes.indexOf(NEWLINE, window.at);
    let blank = true;
    while (newline === -1) {
      blank &&= skipBlank(window.bytes, window.at, window.bytes.length) === window.bytes.length;
      window.at = window.bytes.length;
      if (!(yield* more(window))) break;
      newline = window.bytes.indexOf(NEWLINE, window.at);
    }
    const isLast = newline === -1;
    const stop = isLast ? window.bytes.length : newline;
    blank &&= skipBlank(window.bytes, window.at, stop) === stop;
    window.at = isLast ? stop : newline + 1;
    const number = state.number;
    if (!isLast) state.number += 1;
    if (blank && isLast) return undefined;
    if (blank) continue;
    return { ...trim(window, start, window.base + stop), number };
  }
}

/** A range without the white space at its ends, as far as its bytes are at hand. */
function trim(window: Window, start: number, end: number): { readonly start: number; readonly end: number } {
  let from = start - window.base;
  let to = end - window.base;
  while (to > 0 && to > from && isBlank(window.bytes[to - 1])) to -= 1;
  if (from >= 0) from = skipBlank(window.bytes, from, to);
  return { start: window.base + from, end: window.base + to };
}
