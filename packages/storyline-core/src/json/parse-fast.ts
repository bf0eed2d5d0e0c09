import type { Limits } from '../import/events.ts';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  decodeUtf8,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipBlank,
  skipString,
} from './bytes.ts';
import { collectExotics } from './exotic.ts';
import { type Json, JsonNumber, type MutableJsonObject, setOwn } from './value.ts';

/** Bytes that are handed to native JSON.parse at a time: past some 128 kB V8 builds and parses strings four times slower. */
const PIECE = 16 * 1024;

/** Tokens shorter than this and without an exponent are always kept by a double. */
const LONG_TOKEN = 16;

/** What the fast parser answers. */
export interface FastResult {
  readonly value: Json;
  /** Whether some object has a key twice. */
  readonly duplicates: boolean;
}

/** Thrown here, caught here: something is wrong or too unusual, the careful parser must look. */
const REFUSED = new Error('refused');

/**
 * Parses one JSON value: one scan over the bytes finds brackets, strings and exotic numbers; native JSON.parse reads pieces of
 * some 16 kB, and only containers bigger than that are assembled here. `undefined` when something is wrong. Nothing wrong is ever
 * accepted: what the scan does not check itself stands in a piece, and JSON.parse refuses it there.
 */
export function parseFast(
  bytes: Uint8Array,
  limits: Limits,
  keepFloats: boolean,
  piece: number = PIECE,
): FastResult | undefined {
  try {
    return scanAndParse(bytes, limits, keepFloats, piece);
  } catch (error) {
    // A SyntaxError of JSON.parse, a TypeError of the UTF-8 decoder, or our own refusal.
    if (error instanceof SyntaxError || error instanceof TypeError || error === REFUSED) return undefined;
    throw error;
  }
}

function scanAndParse(bytes: Uint8Array, limits: Limits, keepFloats: boolean, piece: number): FastResult {
  const end = bytes.length;
  const exotics = collectExotics(bytes, keepFloats);
  // For each open container, by depth (from 1): the first byte that has not been parsed yet (-1 right after a member that was
  // assembled), and the first byte of the current member.
  const pendingAt: number[] = [0];
  const memberAt: number[] = [0];
  /** The containers under construction, outermost first: those that are too big for one piece. */
  const targets: (Json[] | MutableJsonObject)[] = [];
  let depth = 0;
  let root: Json | undefined;
  /** Just past the member (or root) that was assembled last. */
  let assembledEnd = 0;
  let duplicates = false;
  let members = 0;
  let keys = 0;

  /** Parses the bytes [from, to), one or more members, into a container under construction. */
  function flush(target: Json[] | MutableJsonObject, from: number, to: number): void {
    if (Array.isArray(target)) {
      const values = exotics.parse('[', from, to, ']') as Json[];
      if (values.length === 0) throw REFUSED;
      for (const value of values) target.push(value);
      keys += countKeys(values);
      return;
    }
    const object = exotics.parse('{', from, to, '}') as MutableJsonObject;
    const names = Object.keys(object);
    if (names.length === 0) throw REFUSED;
    for (const name of names) addMember(target, name, object[name] as Json);
    keys += countKeys(object);
  }

  function addMember(target: MutableJsonObject, key: string, value: Json): void {
    if (Object.hasOwn(target, key)) duplicates = true;
    setOwn(target, key, value);
  }

  /** Starts the construction of all open containers that are not under construction yet. */
  function assemble(): void {
    while (targets.length < depth) {
      const level = targets.length + 1;
      const opening = (pendingAt[level] as number) - 1;
      const target: Json[] | MutableJsonObject = bytes[opening] === OPEN_ARRAY ? [] : {};
      attach(target, level - 1, opening);
      targets.push(target);
    }
  }

  /** Puts a container that starts at `opening` into the one that is open at `level`, after all that stands before it there. */
  function attach(value: Json[] | MutableJsonObject, level: number, opening: number): void {
    if (level === 0) {
      if (root !== undefined || skipBlank(bytes, 0, opening) !== opening) throw REFUSED;
      root = value as Json;
      return;
    }
    const parent = targets[level - 1] as Json[] | MutableJsonObject;
    const pending = pendingAt[level] as number;
    const member = memberAt[level] as number;
    if (member > pending) flush(parent, pending, member - 1);
    pendingAt[level] = -1;
    if (Array.isArray(parent)) {
      if (skipBlank(bytes, member, opening) !== opening) throw REFUSED;
      parent.push(value as Json);
      return;
    }
    const [key] = Object.keys(JSON.parse(`{${decodeUtf8(bytes, member, opening)}[]}`) as object);
    if (key === undefined) throw REFUSED;
    keys += 1;
    addMember(parent, key, value as Json);
  }

  /** A comma after a member that was assembled, or after more than a piece of them. */
  function endPiece(position: number): void {
    const pending = pendingAt[depth] as number;
    if (depth === 0) throw REFUSED;
    if (pending === -1) {
      if (skipBlank(bytes, assembledEnd, position) !== position) throw REFUSED;
    } else {
      assemble();
      flush(targets[depth - 1] as Json[] | MutableJsonObject, pending, position);
    }
    pendingAt[depth] = position + 1;
  }

  /** The closing bracket at `position` of the innermost container, which is under construction. */
  function finish(position: number): void {
    const target = targets.pop() as Json[] | MutableJsonObject;
    if ((bytes[position] === CLOSE_ARRAY) !== Array.isArray(target)) throw REFUSED;
    const pending = pendingAt[depth] as number;
    if (pending !== -1) flush(target, pending, position);
    else if (skipBlank(bytes, assembledEnd, position) !== position) throw REFUSED;
    assembledEnd = position + 1;
  }

  let position = 0;
  while (position < end) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) {
      // Most strings are short: look at the next bytes here, without a call.
      const start = position + 1;
      const near = Math.min(start + 16, end);
      let next = start;
      let inside = 0;
      while (next < near) {
        inside = bytes[next] as number;
        if (inside === QUOTE || inside === BACKSLASH) break;
        next += 1;
      }
      if (next < near && inside === QUOTE) {
        position = next + 1;
        if (next - start <= limits.stringBytes) continue;
        throw REFUSED;
      }
      position = skipString(bytes, next);
      if (position === -1 || position - start - 1 > limits.stringBytes) throw REFUSED;
    } else if (byte === COMMA) {
      const pending = pendingAt[depth] as number;
      if (pending === -1 || position - pending > piece) endPiece(position);
      position += 1;
      memberAt[depth] = position;
    } else if (byte === COLON) {
      members += 1;
      position += 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth >= limits.depth) throw REFUSED;
      depth += 1;
      position += 1;
      pendingAt[depth] = position;
      memberAt[depth] = position;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) throw REFUSED;
      if (targets.length === depth) finish(position);
      depth -= 1;
      position += 1;
    } else if ((byte >= 0x30 && byte <= 0x39) || byte === MINUS) {
      // Step over the token, and keep it when a double may not.
      const start = position;
      let suspicious = false;
      for (position += 1; position < end; position += 1) {
        const next = bytes[position] as number;
        if ((next >= 0x30 && next <= 0x39) || next === MINUS || next === 0x2b) continue;
        if (next === 0x65 || next === 0x45) suspicious = true;
        else if (next === 0x2e) suspicious ||= keepFloats;
        else break;
      }
      if (suspicious || position - start >= LONG_TOKEN) exotics.add(start, position);
    } else {
      position += 1;
    }
  }
  if (depth > 0) throw REFUSED;
  if (root === undefined) {
    root = exotics.parse('', 0, end, '');
    keys += countKeys(root);
  } else if (skipBlank(bytes, assembledEnd, end) !== end) {
    throw REFUSED;
  }
  return { value: root, duplicates: duplicates || keys < members };
}

/** How many members all objects of a value have. */
function countKeys(root: Json): number {
  if (typeof root !== 'object' || root === null) return 0;
  let count = 0;
  const pending: object[] = [root];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (container instanceof JsonNumber) continue;
    if (Array.isArray(container)) {
      for (const member of container)
        if (typeof member === 'object' && member !== null) pending.push(member as object);
      continue;
    }
    for (const key in container) {
      count += 1;
      const member = (container as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  return count;
}
