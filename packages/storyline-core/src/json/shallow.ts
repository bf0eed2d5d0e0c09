import { DEFAULT_LIMITS } from '../import/events.ts';
import { COLON, COMMA, decodeUtf8, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipBlank } from './bytes.ts';
import { parseFast } from './parse-fast.ts';
import { parseArrayIndex } from './pointer.ts';
import { skipInMemory } from './skip.ts';
import { isNumeric, type Json } from './value.ts';

/** A range of bytes. */
export interface ShallowValue {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the values of some members of an object lie, without parsing the object: by name, the last one of equal keys. `undefined`
 * for a name that is missing, for bytes that are no object, and behind the place where the object breaks.
 */
export function findMembers(
  bytes: Uint8Array,
  names: readonly string[],
): readonly (ShallowValue | undefined)[] {
  const found: (ShallowValue | undefined)[] = names.map(() => undefined);
  let position = skipBlank(bytes, 0, bytes.length);
  if (bytes[position] !== OPEN_OBJECT) return found;
  position += 1;
  for (;;) {
    position = skipBlank(bytes, position, bytes.length);
    if (bytes[position] === COMMA) position = skipBlank(bytes, position + 1, bytes.length);
    if (bytes[position] !== QUOTE) return found;
    const keyEnd = skipInMemory(bytes, position);
    const colon = skipBlank(bytes, keyEnd, bytes.length);
    if (bytes[colon] !== COLON) return found;
    const start = skipBlank(bytes, colon + 1, bytes.length);
    const end = skipInMemory(bytes, start);
    if (end === start) return found;
    const which = indexOfKey(bytes, position, keyEnd, names);
    if (which !== -1) found[which] = { start, end };
    position = end;
  }
}

/** The value at the end of a path of member names and array positions, inside a value; `undefined` where the path leads nowhere. */
export function findWithin(
  bytes: Uint8Array,
  value: ShallowValue | undefined,
  tokens: readonly string[],
): ShallowValue | undefined {
  let found = value;
  for (const token of tokens) {
    if (found === undefined) return undefined;
    const { start, end } = found;
    const held = bytes.subarray(start, end);
    const inner = held[0] === OPEN_ARRAY ? elementAt(held, token) : findMembers(held, [token])[0];
    found = inner && { start: start + inner.start, end: start + inner.end };
  }
  return found;
}

/** The element of an array at a position. */
function elementAt(bytes: Uint8Array, token: string): ShallowValue | undefined {
  const wanted = parseArrayIndex(token);
  if (wanted === undefined) return undefined;
  let start = skipBlank(bytes, 1, bytes.length);
  for (let index = 0; ; index += 1) {
    const end = skipInMemory(bytes, start);
    if (end === start) return undefined;
    if (index === wanted) return { start, end };
    const next = skipBlank(bytes, end, bytes.length);
    if (bytes[next] !== COMMA) return undefined;
    start = skipBlank(bytes, next + 1, bytes.length);
  }
}

/** Which of the names the key with its quotes at [start, end) is; -1 for none. */
function indexOfKey(bytes: Uint8Array, start: number, end: number, names: readonly string[]): number {
  // A key with escapes is longer than what it says; a name of more bytes than the key cannot be it.
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    if (name.length > end - start - 2) continue;
    if (
      name.length === end - start - 2 ? equalsAscii(bytes, start + 1, name) : spells(bytes, start, end, name)
    )
      return index;
  }
  return -1;
}

function equalsAscii(bytes: Uint8Array, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[start + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Compares by parsing, for keys with escapes or beyond ASCII. */
function spells(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  let plain = true;
  for (let position = start + 1; position < end - 1 && plain; position += 1) {
    const byte = bytes[position] as number;
    plain = byte < 0x80 && byte !== 0x5c;
  }
  if (plain) return false;
  try {
    return JSON.parse(decodeUtf8(bytes, start, end)) === name;
  } catch {
    return false;
  }
}

/** A scalar member; null for one that is missing, broken or no scalar. */
export function readScalar(bytes: Uint8Array, value: ShallowValue | undefined): Json {
  if (value === undefined) return null;
  if (bytes[value.start] === QUOTE) {
    try {
      return JSON.parse(decodeUtf8(bytes, value.start, value.end)) as string;
    } catch {
      return null;
    }
  }
  const parsed = parseFast(bytes.subarray(value.start, value.end), DEFAULT_LIMITS, false)?.value;
  return parsed === undefined ||
    typeof parsed === 'boolean' ||
    (typeof parsed === 'object' && !isNumeric(parsed))
    ? null
    : parsed;
}
