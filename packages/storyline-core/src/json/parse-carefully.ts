import type { Limits } from '../import/events.ts';
import type { IssueCode, Severity } from '../issue.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  decodeUtf8,
  findInvalidUtf8,
  isDigit,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipBlank,
  skipString,
} from './bytes.ts';
import { describeInvalidUtf8, describeUnexpected } from './describe-unexpected.ts';
import { numberFromToken } from './number.ts';
import { appendPointer } from './pointer.ts';
import { findStringFault } from './string-fault.ts';
import { type Json, JsonNumber, type MutableJsonObject, setOwn } from './value.ts';

/** What the careful parser is to do with what JSON does not settle. */
export interface CarefulOptions {
  readonly limits: Limits;
  readonly nonFinite: 'error' | 'null' | 'keep';
  readonly keepFloats: boolean;
  /** Told of every finding, in ascending order of `offset`; the pointer is relative to the parsed value. */
  report(severity: Severity, code: IssueCode, pointer: string, message: string, offset: number): void;
}

/** An open container. */
interface Frame {
  readonly target: Json[] | MutableJsonObject;
  key: string;
}

/** Longest pointer in the issue of a value that breaks a limit; a longer one is cut to an ancestor. */
const LONGEST_POINTER = 256;

/**
 * Parses one JSON value byte by byte and reports every finding with its exact offset and pointer: the parser that runs when the
 * fast one refused. `undefined` after an error; parsing goes on after non-finite tokens and duplicate keys, and stops at anything else.
 */
export function parseCarefully(bytes: Uint8Array, options: CarefulOptions): Json | undefined {
  const { limits, report } = options;
  const end = bytes.length;
  const stack: Frame[] = [];
  let position = skipBlank(bytes, 0, end);
  let failed = false;

  function pointerHere(): string {
    let pointer = '';
    for (const frame of stack) {
      pointer = appendPointer(pointer, Array.isArray(frame.target) ? frame.target.length : frame.key);
    }
    return pointer;
  }

  function fail(code: IssueCode, message: string, offset = position, pointer = pointerHere()): undefined {
    failed = true;
    report('error', code, pointer, message, offset);
    return undefined;
  }

  /** Something that is no JSON stands at `position`: the end, a broken byte, or a wrong character. */
  function unexpected(expected: string): undefined {
    const { code, message } = describeUnexpected(bytes, position, expected);
    return fail(code, message);
  }

  function invalidUtf8(offset: number): undefined {
    return fail('json/invalid-utf8', describeInvalidUtf8(bytes[offset] as number), offset);
  }

  function tooLarge(what: string, found: number, limit: number): undefined {
    const pointer = shorten(pointerHere());
    return fail(
      'core/value-too-large',
      `${what} of ${found} bytes is longer than the limit of ${limit} bytes`,
      position,
      pointer,
    );
  }

  /** The string whose opening quote is at `position`. */
  function string(): string | undefined {
    const start = position;
    const next = skipString(bytes, start + 1);
    const stop = next === -1 ? end : next - 1;
    if (stop - start - 1 > limits.stringBytes)
      return tooLarge('a string', stop - start - 1, limits.stringBytes);
    const broken = findInvalidUtf8(bytes, start + 1, stop);
    // A sequence that the end of the input cuts off is a truncation, not a wrong byte.
    const cut =
      next === -1 && broken !== -1 && findInvalidUtf8(bytes, broken, end) === broken && end - broken < 4;
    const fault = findStringFault(bytes, start + 1, broken === -1 ? stop : broken);
    if (fault !== undefined && !(next === -1 && fault.offset + fault.length > end)) {
      return fail('json/syntax', fault.message, fault.offset);
    }
    if (broken !== -1 && !cut) return invalidUtf8(broken);
    if (next === -1) return fail('json/truncated', 'the input ends inside a string', end);
    position = next;
    return JSON.parse(decodeUtf8(bytes, start, next)) as string;
  }

  /** The number, literal or non-finite token at `position`. */
  function token(): Json | undefined {
    const start = position;
    let stop = start;
    while (stop < end && isTokenByte(bytes[stop])) stop += 1;
    if (stop === start) return unexpected('a value');
    const text = decodeUtf8(bytes, start, stop);
    position = stop;
    if (text === 'null') return null;
    if (text === 'true' || text === 'false') return text === 'true';
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text))
      return numberFromToken(text, options.keepFloats);
    if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') {
      if (options.nonFinite === 'keep') return new JsonNumber(text);
      const asNull = options.nonFinite === 'null';
      if (!asNull) failed = true;
      const message = asNull
        ? `${text} is no JSON number; read as null`
        : `${text} is no JSON number; expected a finite number or null`;
      report(asNull ? 'warning' : 'error', 'json/non-finite', pointerHere(), message, start);
      return null;
    }
    position = start;
    if (findInvalidUtf8(bytes, stop, Math.min(end, stop + 4)) === stop) return invalidUtf8(stop);
    if (
      stop === end &&
      /^(-|n|nu|nul|t|tr|tru|f|fa|fal|fals|-?\d+(\.\d*)?([eE][+-]?)?|N|Na|-?I\w*)$/.test(text)
    ) {
      return fail('json/truncated', `the input ends inside the token ${JSON.stringify(text)}`, end);
    }
    return fail('json/syntax', `found ${JSON.stringify(text.slice(0, 40))} where a value was expected`);
  }

  /** Key, colon and white space before the value of an object's next member; false after a fault. */
  function key(frame: Frame): boolean {
    // What is wrong with a key is said of the object.
    stack.pop();
    const start = position;
    const text = bytes[start] === QUOTE ? string() : unexpected('a key in double quotes');
    stack.push(frame);
    if (text === undefined) return false;
    frame.key = text;
    if (Object.hasOwn(frame.target, text)) {
      report(
        'warning',
        'json/duplicate-key',
        pointerHere(),
        'this key stands twice in one object; the last one counts',
        start,
      );
    }
    position = skipBlank(bytes, position, end);
    if (bytes[position] !== COLON || position >= end) {
      unexpected('":" after a key');
      return false;
    }
    position = skipBlank(bytes, position + 1, end);
    return true;
  }

  if (position >= end) return fail('json/empty', 'there is no JSON value: the input is empty or blank', 0);
  for (;;) {
    // A value starts here.
    const byte = bytes[position];
    let value: Json | undefined;
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (stack.length >= limits.depth) {
        return fail(
          'core/too-deep',
          `nesting goes deeper than the limit of ${limits.depth} levels`,
          position,
          shorten(pointerHere()),
        );
      }
      const target: Json[] | MutableJsonObject = byte === OPEN_ARRAY ? [] : {};
      position = skipBlank(bytes, position + 1, end);
      const closing = byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT;
      if (bytes[position] === closing && position < end) {
        position += 1;
        value = target as Json;
      } else {
        const frame: Frame = { target, key: '' };
        stack.push(frame);
        if (byte === OPEN_OBJECT && !key(frame)) return undefined;
        continue;
      }
    } else {
      value = byte === QUOTE ? string() : token();
      if (value === undefined) return undefined;
    }
    // A value ended here: put it into its container, and close all containers that end with it.
    for (;;) {
      position = skipBlank(bytes, position, end);
      const frame = stack[stack.length - 1];
      if (frame === undefined) {
        if (position < end) return unexpected('the end of the input (one JSON value)');
        return failed ? undefined : value;
      }
      if (Array.isArray(frame.target)) frame.target.push(value);
      else setOwn(frame.target, frame.key, value);
      const next = position < end ? bytes[position] : undefined;
      if (next === COMMA) {
        position = skipBlank(bytes, position + 1, end);
        if (!Array.isArray(frame.target) && !key(frame)) return undefined;
        break;
      }
      if (next !== (Array.isArray(frame.target) ? CLOSE_ARRAY : CLOSE_OBJECT)) {
        return unexpected(Array.isArray(frame.target) ? '"," or "]"' : '"," or "}"');
      }
      position += 1;
      value = frame.target as Json;
      stack.pop();
    }
  }
}

/** An ancestor of a pointer, short enough to print. */
export function shorten(pointer: string): string {
  return pointer.length <= LONGEST_POINTER
    ? pointer
    : pointer.slice(0, Math.max(0, pointer.lastIndexOf('/', LONGEST_POINTER)));
}

function isTokenByte(byte: number | undefined): boolean {
  return (
    isDigit(byte) ||
    byte === MINUS ||
    byte === 0x2b ||
    byte === 0x2e ||
    (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
  );
}
