import type { Limits } from '../import/events.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  decodeUtf8,
  isDigit,
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
const PIECE = 32 * 1024;

/** Tokens shorter than this and without an exponent are always kept by a double. */
const LONG_TOKEN = 16;

/** What the fast parser answers: a value, or `undefined` when something is wrong (or too unusual) and the careful parser must look. */
export interface FastResult {
  readonly value: Json;
  /** Whether some object has a key twice. */
  readonly duplicates: boolean;
}

/** An open container of the scan. */
interface Frame {
  /** First byte of what has not been parsed yet; -1 right after a member that was assembled. */
  pending: number;
  /** First byte of the current member. */
  member: number;
  /** Just past the assembled member that ended last. */
  assembled: number;
  /** The container under construction, once it has grown too big for one piece. */
  target: Json[] | MutableJsonObject | undefined;
}

/**
 * Parses one JSON value: one scan over the bytes finds brackets, strings and exotic numbers; native JSON.parse reads pieces of
 * some 32 kB, and only containers bigger than that are assembled here. Nothing wrong is ever accepted: what the scan does not
 * check itself stands in a piece, and JSON.parse refuses it there.
 */
export function parseFast(bytes: Uint8Array, limits: Limits, keepFloats: boolean): FastResult | undefined {
  try {
    return createParser(bytes, limits, keepFloats)();
  } catch (error) {
    // SyntaxError of JSON.parse, TypeError of the UTF-8 decoder, or our own refusal: the careful parser says what is wrong.
    if (error instanceof SyntaxError || error instanceof TypeError || error === REFUSED) return undefined;
    throw error;
  }
}

const REFUSED = new Error('the careful parser must look');

function createParser(bytes: Uint8Array, limits: Limits, keepFloats: boolean): () => FastResult {
  const end = bytes.length;
  const exotics = collectExotics(bytes, keepFloats);
  const frames: Frame[] = [];
  /** How many of `frames`, from the root on, are under construction. */
  let assembling = 0;
  let root: Json | undefined;
  let rootEnd = 0;
  let duplicates = false;
  let members = 0;
  let keys = 0;

  function refuse(): never {
    throw REFUSED;
  }

  function addMember(target: MutableJsonObject, key: string, value: Json): void {
    if (Object.hasOwn(target, key)) duplicates = true;
    setOwn(target, key, value);
  }

  /** Parses the bytes [from, to), one or more members of `frame`, into its target. */
  function flush(frame: Frame, from: number, to: number): void {
    if (Array.isArray(frame.target)) {
      const values = exotics.parse('[', from, to, ']') as Json[];
      if (values.length === 0) refuse();
      for (const value of values) frame.target.push(value);
      keys += countKeys(values, 0);
    } else {
      const object = exotics.parse('{', from, to, '}') as MutableJsonObject;
      const names = Object.keys(object);
      if (names.length === 0) refuse();
      for (const name of names) addMember(frame.target as MutableJsonObject, name, object[name] as Json);
      keys += countKeys(object, 0);
    }
  }

  /** Starts the construction of all frames up to the innermost one. */
  function assemble(): void {
    for (; assembling < frames.length; assembling += 1) {
      const frame = frames[assembling] as Frame;
      const opening = frame.pending - 1;
      const target: Json[] | MutableJsonObject = bytes[opening] === OPEN_ARRAY ? [] : {};
      frame.target = target;
      const parent = frames[assembling - 1];
      if (parent === undefined) {
        if (root !== undefined || skipBlank(bytes, 0, opening) !== opening) refuse();
        root = target as Json;
        continue;
      }
      if (parent.member > parent.pending) flush(parent, parent.pending, parent.member - 1);
      parent.pending = -1;
      // What stands before the bracket: nothing in an array, a key and its colon in an object.
      if (Array.isArray(parent.target)) {
        if (skipBlank(bytes, parent.member, opening) !== opening) refuse();
        parent.target.push(target as Json);
      } else {
        const [key] = Object.keys(JSON.parse(`{${decodeUtf8(bytes, parent.member, opening)}[]}`) as object);
        if (key === undefined) refuse();
        keys += 1;
        addMember(parent.target as MutableJsonObject, key, target as Json);
      }
    }
  }

  function comma(position: number): void {
    const frame = frames[frames.length - 1];
    if (frame === undefined) refuse();
    if (frame.pending === -1) {
      if (skipBlank(bytes, frame.assembled, position) !== position) refuse();
      frame.pending = position + 1;
    } else if (position - frame.pending > PIECE) {
      assemble();
      flush(frame, frame.pending, position);
      frame.pending = position + 1;
    }
    frame.member = position + 1;
  }

  function close(position: number, byte: number): void {
    const frame = frames.pop();
    if (frame === undefined) refuse();
    if (assembling <= frames.length) return;
    assembling -= 1;
    if ((byte === CLOSE_ARRAY) !== Array.isArray(frame.target)) refuse();
    if (frame.pending !== -1) flush(frame, frame.pending, position);
    else if (skipBlank(bytes, frame.assembled, position) !== position) refuse();
    const parent = frames[frames.length - 1];
    if (parent === undefined) rootEnd = position + 1;
    else parent.assembled = position + 1;
  }

  function scan(): void {
    let position = 0;
    while (position < end) {
      const byte = bytes[position] as number;
      if (byte === QUOTE) {
        const next = skipString(bytes, position + 1);
        if (next === -1 || next - position - 2 > limits.stringBytes) refuse();
        position = next;
        continue;
      }
      if (byte === COMMA) comma(position);
      else if (byte === COLON) members += 1;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (frames.length >= limits.depth) refuse();
        frames.push({ pending: position + 1, member: position + 1, assembled: 0, target: undefined });
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) close(position, byte);
      else if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) {
        position = number(position);
        continue;
      }
      position += 1;
    }
  }

  /** Steps over a number token and keeps it when a double may not. */
  function number(start: number): number {
    let position = start + 1;
    let suspicious = false;
    for (; position < end; position += 1) {
      const byte = bytes[position] as number;
      if (isDigit(byte) || byte === MINUS || byte === 0x2b) continue;
      if (byte === 0x65 || byte === 0x45) suspicious = true;
      else if (byte === 0x2e) suspicious ||= keepFloats;
      else break;
    }
    if (suspicious || position - start >= LONG_TOKEN) exotics.add(start, position);
    return position;
  }

  return () => {
    scan();
    if (frames.length > 0) refuse();
    if (root === undefined) {
      root = exotics.parse('', 0, end, '');
      keys += countKeys(root, 0);
    } else if (skipBlank(bytes, rootEnd, end) !== end) refuse();
    return { value: root, duplicates: duplicates || keys < members };
  };
}

/** How many members all objects of a value have. */
function countKeys(root: Json, from: number): number {
  let count = from;
  if (typeof root !== 'object' || root === null) return count;
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
