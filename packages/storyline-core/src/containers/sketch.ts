import { DEFAULT_LIMITS } from '../import/events.ts';
import { BACKSLASH, decodeUtf8, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../json/bytes.ts';
import { parseFast } from '../json/parse-fast.ts';
import { type Json, type MutableJsonObject, setOwn } from '../json/value.ts';
import { BrokenStructure } from './fault.ts';
import type { Steps } from './need.ts';
import { skipRest, skipValue } from './skip-value.ts';
import { expectValue, nextElement, nextMember } from './walk.ts';
import { moveAnchor, peek, positionOf, take, type Window } from './window.ts';

/** Levels of nesting that are shown, the root being the first. */
const LEVELS = 4;
/** Characters of a string that are shown. */
const CHARACTERS = 256;
/** Keys of a map below the root that are shown. */
const KEYS = 1000;

/**
 * Passes over the value at the window's position and gives it cut down: containers below the fourth level are empty, strings end
 * after 256 characters, arrays after their first element, maps below the root after 1,000 keys. What stands behind a break is missing;
 * `undefined` when there is no value at all.
 */
export function* sketchValue(window: Window): Steps<Json | undefined> {
  const holder: Json[] = [];
  try {
    yield* sketchInto(window, 1, (value) => holder.push(value));
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
  }
  return holder[0];
}

/** Puts the sketch in its place before it is complete, so that a break further on leaves what was read. Recursion ends at four levels. */
function* sketchInto(window: Window, level: number, put: (value: Json) => void): Steps<void> {
  moveAnchor(window);
  const byte = yield* peek(window);
  const isObject = byte === OPEN_OBJECT;
  if (!isObject && byte !== OPEN_ARRAY) {
    const scalar = yield* sketchScalar(window, byte === QUOTE);
    if (scalar === undefined)
      throw new BrokenStructure({ code: 'json/syntax', message: 'no value', offset: positionOf(window) });
    put(scalar);
    return;
  }
  const container: Json[] | MutableJsonObject = isObject ? {} : [];
  put(container as Json);
  window.at += 1;
  if (level > LEVELS) yield* skipRest(window, DEFAULT_LIMITS);
  else if (Array.isArray(container)) {
    if (!(yield* nextElement(window, true, ''))) return;
    yield* expectValue(window, '');
    yield* sketchInto(window, level + 1, (value) => container.push(value));
    yield* skipRest(window, DEFAULT_LIMITS);
  } else {
    yield* sketchMembers(window, level, container);
  }
}

function* sketchMembers(window: Window, level: number, container: MutableJsonObject): Steps<void> {
  for (let count = 0; level === 1 || count < KEYS; count += 1) {
    const member = yield* nextMember(window, count === 0, DEFAULT_LIMITS, '');
    if (member === undefined) return;
    yield* expectValue(window, '');
    yield* sketchInto(window, level + 1, (value) => setOwn(container, member.key, value));
  }
  yield* skipRest(window, DEFAULT_LIMITS);
}

function* sketchScalar(window: Window, isString: boolean): Steps<Json | undefined> {
  const start = positionOf(window);
  yield* skipValue(window, DEFAULT_LIMITS);
  const end = positionOf(window);
  // Twelve bytes are the most that one character takes: a surrogate pair as two escapes.
  const most = start + 2 + 12 * CHARACTERS;
  const bytes = yield* take(window, start, Math.min(end, most));
  if (isString) return cutString(bytes);
  if (end > most) return undefined;
  // Python's non-finite numbers must not hide what a document is: the reader says what is wrong with them.
  const isNonFinite = bytes.length <= 9 && /^(NaN|-?Infinity)$/.test(String.fromCharCode(...bytes));
  return isNonFinite ? null : parseFast(bytes, DEFAULT_LIMITS, false)?.value;
}

/** The first characters of the string whose opening quote comes first; `undefined` when they are broken. */
function cutString(bytes: Uint8Array): Json | undefined {
  let at = 1;
  for (let count = 0; count < CHARACTERS && at < bytes.length; count += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) at += bytes[at + 1] === 0x75 ? 6 : 2;
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  try {
    return JSON.parse(`${decodeUtf8(bytes, 0, Math.min(at, bytes.length))}"`) as string;
  } catch {
    return undefined;
  }
}
