import type { Limits } from '../import/events.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, decodeUtf8, QUOTE } from '../json/bytes.ts';
import { parseJson } from '../json/parse.ts';
import { unexpected } from './expect.ts';
import { BrokenStructure } from './fault.ts';
import type { Steps } from './need.ts';
import { skipValue } from './skip-value.ts';
import { peek, positionOf, take, type Window } from './window.ts';

/** A member of an object that is being walked. */
export interface Member {
  readonly key: string;
  /** Position of the key's opening quote. */
  readonly at: number;
}

/**
 * Goes to the next member of the object whose bracket was passed: afterwards the window stands at its value. `undefined` past the
 * closing bracket. Throws {@link BrokenStructure} where the object breaks.
 */
export function* nextMember(
  window: Window,
  isFirst: boolean,
  limits: Limits,
  pointer: string,
): Steps<Member | undefined> {
  let byte = yield* peek(window);
  if (byte === CLOSE_OBJECT) {
    window.at += 1;
    return undefined;
  }
  if (!isFirst) {
    if (byte !== COMMA) yield* unexpected(window, '"," or "}"', pointer);
    window.at += 1;
    byte = yield* peek(window);
  }
  if (byte !== QUOTE)
    yield* unexpected(window, isFirst ? 'a key in double quotes or "}"' : 'a key in double quotes', pointer);
  const at = positionOf(window);
  const fault = yield* skipValue(window, limits);
  if (fault !== undefined) throw new BrokenStructure(fault, pointer);
  const bytes = yield* take(window, at, positionOf(window));
  const key = readKey(bytes, at, pointer);
  if ((yield* peek(window)) !== COLON) yield* unexpected(window, '":" after a key', pointer);
  window.at += 1;
  yield* peek(window);
  return { key, at };
}

function readKey(bytes: Uint8Array, at: number, pointer: string): string {
  try {
    return JSON.parse(decodeUtf8(bytes, 0, bytes.length)) as string;
  } catch {
    const [issue] = parseJson(bytes, { base: { offset: at } }).issues;
    const { code = 'json/syntax', message = 'this key is no JSON string' } = issue ?? {};
    throw new BrokenStructure({ code, message, offset: issue?.at.offset ?? at }, pointer);
  }
}

/**
 * Goes to the next element of the array whose bracket was passed: afterwards the window stands at it. False past the closing
 * bracket. Throws {@link BrokenStructure} where the array breaks.
 */
export function* nextElement(window: Window, isFirst: boolean, pointer: string): Steps<boolean> {
  const byte = yield* peek(window);
  if (byte === CLOSE_ARRAY) {
    window.at += 1;
    return false;
  }
  if (!isFirst) {
    if (byte !== COMMA) yield* unexpected(window, '"," or "]"', pointer);
    window.at += 1;
    yield* peek(window);
  }
  return true;
}

/** Throws when no value can start at the window's position. */
export function* expectValue(window: Window, pointer: string): Steps<void> {
  const byte = yield* peek(window);
  if (byte === -1 || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || byte === COLON) {
    yield* unexpected(window, 'a value', pointer);
  }
}

/** Throws when anything but white space follows. */
export function* expectEnd(window: Window, expected: string): Steps<void> {
  if ((yield* peek(window)) !== -1) yield* unexpected(window, expected, '');
}
