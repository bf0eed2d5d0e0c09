import { CLOSE_OBJECT, isBlank, NEWLINE, OPEN_OBJECT, skipBlank } from '../json/bytes.ts';
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
 * Goes to the next line that is not blank and past its break; `undefined` at the end. A line that is an opening brace alone is the first of a
 * value that is printed over several: it goes on up to the next line that starts an object at its first column, as no line inside of an indented
 * value does, and as none of any value does behind a closing brace. Past `most` bytes of such a value nobody looks on: `undefined` too.
 * Lines are split at the byte, before any JSON is looked at, so that a broken line never takes its neighbours with it.
 */
export function* nextLine(
  window: Window,
  state: LineState,
  most = Number.POSITIVE_INFINITY,
): Steps<Line | undefined> {
  for (;;) {
    const start = positionOf(window);
    window.anchor = start;
    const { number } = state;
    let { stop, last } = yield* passLine(window, state);
    if (last === -1) {
      if (positionOf(window) === window.end) return undefined;
      continue;
    }
    const line = trim(window, start, stop);
    if (last !== OPEN_OBJECT || line.end - line.start > 1) return { ...line, number };
    for (let isIndented: boolean | undefined; ; ) {
      if (positionOf(window) - start > most) return undefined;
      if (window.at === window.bytes.length && !(yield* more(window))) break;
      const first = window.bytes[window.at];
      // Right behind the first brace none can follow either: that line was cut off.
      if (first === OPEN_OBJECT && (isIndented !== false || last === CLOSE_OBJECT)) break;
      isIndented ??= isBlank(first);
      const passed = yield* passLine(window, state);
      if (passed.last !== -1) ({ stop, last } = passed);
    }
    return { ...trim(window, start, stop), number };
  }
}

/** Goes past a line: where it stops, and its last byte that is not blank, -1 where all are. */
function* passLine(
  window: Window,
  state: LineState,
): Steps<{ readonly stop: number; readonly last: number }> {
  for (let last = -1; ; ) {
    const newline = window.bytes.indexOf(NEWLINE, window.at);
    const stop = newline === -1 ? window.bytes.length : newline;
    let to = stop;
    while (to > window.at && isBlank(window.bytes[to - 1])) to -= 1;
    if (to > window.at) last = window.bytes[to - 1] as number;
    window.at = stop;
    if (newline !== -1) {
      window.at += 1;
      state.number += 1;
      return { stop: window.base + stop, last };
    }
    if (!(yield* more(window))) return { stop: positionOf(window), last };
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
