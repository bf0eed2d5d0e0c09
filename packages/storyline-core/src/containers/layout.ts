import { DEFAULT_LIMITS } from '../import/events.ts';
import { byteOrderMark, COLON, COMMA, isBlank, NEWLINE, OPEN_ARRAY, OPEN_OBJECT } from '../json/bytes.ts';
import { startScan } from '../json/scan-state.ts';
import type { Source } from '../source.ts';
import { nextLine } from './lines.ts';
import type { Steps } from './need.ts';
import { skipValue } from './skip-value.ts';
import { more, openInner, openWindow, peek, positionOf, seek, take, type Window } from './window.ts';

/** How the JSON values of an input lie: one object (or scalar), one array, or several values, one a line. */
export type Layout = 'empty' | 'document' | 'array' | 'lines';

/** What was found out about an input. */
export interface FoundLayout {
  readonly layout: Layout;
  /** False for a `document` whose first line is so long that nobody looked whether another one follows. */
  readonly isSure: boolean;
}

/** Opens a window on a source, behind its byte order mark. */
export function openSource(source: Source): Steps<Window> {
  return openRange(source, 0, source.size);
}

/** Opens a window on a range of a source, behind its byte order mark. */
export function* openRange(source: Source, start: number, end: number): Steps<Window> {
  const window = openWindow(source, start, end);
  while (window.bytes.length < 3 && (yield* more(window)));
  window.at = byteOrderMark(window.bytes, 0, window.bytes.length);
  return window;
}

/**
 * Looks how the values of an input lie, without parsing; leaves the window where it was. The end of the first line is looked for in
 * the first `most` bytes. An object is `lines` when another
 * non-blank line follows its first one and either the first line holds a complete value, or one that ends inside a string (no JSON
 * string goes over a line break), or the second one starts an object at its first column, as pretty-printed text does not, and the first
 * does not end where a printer would break a line; or when values that are printed over several lines follow each other (`nextLine`).
 */
export function* findLayout(window: Window, most: number): Steps<FoundLayout> {
  const beginning = positionOf(window);
  const first = yield* peek(window);
  const hasMore = first === -1 || first === OPEN_ARRAY ? false : yield* hasLines(window, most);
  seek(window, beginning);
  if (first === -1) return { layout: 'empty', isSure: true };
  if (first === OPEN_ARRAY) return { layout: 'array', isSure: true };
  return { layout: hasMore === true ? 'lines' : 'document', isSure: hasMore !== undefined };
}

/** Whether there are several lines of values; `undefined` when the first line or value is longer than `most`. */
function* hasLines(window: Window, most: number): Steps<boolean | undefined> {
  const start = positionOf(window);
  const isObject = window.bytes[window.at] === OPEN_OBJECT;
  let newline = window.bytes.indexOf(NEWLINE, window.at);
  while (newline === -1) {
    window.at = window.bytes.length;
    if (positionOf(window) - start > most) return undefined;
    if (!(yield* more(window))) return false;
    newline = window.bytes.indexOf(NEWLINE, window.at);
  }
  window.at = newline;
  const end = positionOf(window);
  let lineStart = end;
  let next = window.bytes[window.at];
  while (next === undefined || isBlank(next)) {
    if (next === undefined) {
      if (!(yield* more(window))) return false;
    } else {
      window.at += 1;
      if (next === NEWLINE) lineStart = positionOf(window);
    }
    next = window.bytes[window.at];
  }
  if (!isObject) return true;
  const startsObject = next === OPEN_OBJECT && positionOf(window) === lineStart;
  const line = openInner(window, start, end);
  if (startsObject && !breaksBetweenTokens(yield* take(window, Math.max(start, end - 64), end))) return true;
  yield* peek(line);
  // Asked of the scan: a value that breaks a limit has that for its fault, whether it ends on this line or not.
  const scan = startScan(DEFAULT_LIMITS, false, Number.POSITIVE_INFINITY);
  yield* skipValue(line, DEFAULT_LIMITS, scan);
  if (scan.isOver || scan.string !== -1) return true;
  seek(window, start);
  const value = yield* nextLine(window, { number: 1 }, most);
  return value && value.end > end && (yield* peek(window)) !== -1;
}

/** Whether a line ends where a printer of JSON may break: behind a bracket, a comma or a colon. A record that was cut off hardly does. */
function breaksBetweenTokens(line: Uint8Array): boolean {
  const last = line.findLast((byte) => !isBlank(byte));
  return last === COMMA || last === COLON || last === OPEN_ARRAY || last === OPEN_OBJECT;
}
