import type { Limits } from '../import/events.ts';
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, isBlank, QUOTE, skipString } from '../json/bytes.ts';
import type { Fault } from './fault.ts';
import type { Steps } from './need.ts';
import { more, positionOf, type Window } from './window.ts';

/** Sets this bit and `[` and `{` are one byte, `]` and `}` another. */
const EITHER = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Steps over the value that starts at the window's position by counting brackets; what stands inside is looked at when it is parsed.
 * A value that breaks a limit is stepped over all the same, and the fault tells; so does truncation. Memory does not grow with the value.
 */
export function* skipValue(window: Window, limits: Limits): Steps<Fault | undefined> {
  const start = positionOf(window);
  const first = window.bytes[window.at] as number;
  if (first !== QUOTE && (first | EITHER) !== OPEN) return yield* skipToken(window, start, limits);
  return yield* skipBrackets(window, limits, 0);
}

/** Steps over what is left of a container whose opening bracket was passed, and over its closing one. */
export function* skipRest(window: Window, limits: Limits): Steps<Fault | undefined> {
  return yield* skipBrackets(window, limits, 1);
}

function* skipBrackets(window: Window, limits: Limits, openBrackets: number): Steps<Fault | undefined> {
  const start = positionOf(window);
  let fault: Fault | undefined;
  let depth = openBrackets;
  /** Position of the first byte of the string that is being stepped over, -1 outside of strings. */
  let string = -1;
  for (;;) {
    const bytes = window.bytes;
    const end = bytes.length;
    let at = window.at;
    while (at < end) {
      if (string === -1) {
        const byte = bytes[at] as number;
        at += 1;
        if (byte === QUOTE) {
          string = window.base + at;
        } else if ((byte | EITHER) === OPEN) {
          depth += 1;
          if (depth > limits.depth) fault ??= tooDeep(window.base + at - 1, limits);
          continue;
        } else if ((byte | EITHER) === CLOSE) {
          depth -= 1;
          if (depth > 0) continue;
          window.at = at;
          return fault ?? checkSize(window, start, limits);
        } else {
          continue;
        }
      }
      const next = skipString(bytes, at);
      at = next === -1 ? resumeAt(bytes, at) : next;
      const length = window.base + at - string - (next === -1 ? 0 : 1);
      if (length > limits.stringBytes) fault ??= tooLarge('a string', string - 1, limits.stringBytes);
      if (next === -1) break;
      string = -1;
      if (depth === 0) {
        window.at = at;
        return fault;
      }
    }
    window.at = at;
    if (!(yield* more(window))) return fault ?? truncated(window, string !== -1);
  }
}

/** Where to go on in a string that the bytes at hand do not end: before a backslash whose escape is still to come. */
function resumeAt(bytes: Uint8Array, from: number): number {
  let before = bytes.length - 1;
  while (before >= from && bytes[before] === BACKSLASH) before -= 1;
  return (bytes.length - 1 - before) % 2 === 1 ? bytes.length - 1 : bytes.length;
}

function* skipToken(window: Window, start: number, limits: Limits): Steps<Fault | undefined> {
  for (;;) {
    for (let byte = window.bytes[window.at]; byte !== undefined; byte = window.bytes[window.at]) {
      if (byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isBlank(byte))
        return checkSize(window, start, limits);
      window.at += 1;
    }
    if (!(yield* more(window))) return checkSize(window, start, limits);
  }
}

function checkSize(window: Window, start: number, limits: Limits): Fault | undefined {
  return positionOf(window) - start > limits.recordBytes
    ? tooLarge('a record', start, limits.recordBytes)
    : undefined;
}

/** The fault of a value over a size limit. */
export function tooLarge(what: string, offset: number, limit: number): Fault {
  return {
    code: 'core/value-too-large',
    message: `${what} is longer than the limit of ${limit} bytes`,
    offset,
  };
}

function tooDeep(offset: number, limits: Limits): Fault {
  return {
    code: 'core/too-deep',
    message: `nesting goes deeper than the limit of ${limits.depth} levels`,
    offset,
  };
}

function truncated(window: Window, isInString: boolean): Fault {
  const message = `the input ends inside a ${isInString ? 'string' : 'value'}`;
  return { code: 'json/truncated', message, offset: window.end, isInString };
}
