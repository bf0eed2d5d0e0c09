import { isJsonNumber, type Json, type JsonArray, type JsonInteger, type JsonObject } from './value.ts';

/** How {@link stringify} writes. */
export interface StringifyOptions {
  /** Spaces of each level; 0 (the default) writes compact text. */
  readonly indent?: number;
}

/** What differs between plain and canonical text. */
export interface Spelling {
  keys(object: JsonObject): readonly string[];
  number(value: JsonInteger): string;
  readonly indent: string;
}

/** Characters of one piece: small enough for V8 to build quickly, big enough to be worth a write. */
const PIECE = 32 * 1024;

/**
 * The token of a number: an exact number's own, -0 as `-0`. A JS number from 1e21 on is an integer that JavaScript would spell as a
 * float; all its digits are written, so that a reader that keeps floats apart takes it for what it is.
 */
export function numberToken(value: JsonInteger): string {
  if (isJsonNumber(value)) return value.raw;
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const mark = text.indexOf('e+');
  if (mark === -1) return text;
  const [whole = '', fraction = ''] = text.slice(0, mark).split('.');
  return whole + fraction.padEnd(Number(text.slice(mark + 2)), '0');
}

/** Exact JSON text in pieces of some 32 k characters: -0 as `-0`, exact numbers as their token, lone surrogates as `\udXXX`. No recursion. */
export function stringifyPieces(value: Json, options: StringifyOptions = {}): Iterable<string> {
  return piecesOf(value, { keys: Object.keys, number: numberToken, indent: ' '.repeat(options.indent ?? 0) });
}

/** Exact JSON text as one string; prefer {@link stringifyPieces} for anything that may be big. */
export function stringify(value: Json, options: StringifyOptions = {}): string {
  let text = '';
  for (const piece of stringifyPieces(value, options)) text += piece;
  return text;
}

/** A container being written: an array, or an object with its keys. */
interface Frame {
  readonly value: JsonArray | JsonObject;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Writes a value with an explicit stack, so that nesting costs memory and never the call stack. */
export function* piecesOf(root: Json, spelling: Spelling): Generator<string, void, undefined> {
  const { indent } = spelling;
  const stack: Frame[] = [];
  let text = '';
  let value: Json = root;
  for (;;) {
    const frame =
      typeof value === 'object' && value !== null && !isJsonNumber(value) ? open(value, spelling) : undefined;
    if (frame === undefined) text += scalar(value, spelling);
    else if (frame.length === 0) text += frame.keys === undefined ? '[]' : '{}';
    else {
      text += frame.keys === undefined ? '[' : '{';
      stack.push(frame);
    }
    // Close what is complete, then go on to the next member.
    let top = stack[stack.length - 1];
    while (top !== undefined && top.next === top.length) {
      stack.pop();
      if (indent !== '') text += `\n${indent.repeat(stack.length)}`;
      text += top.keys === undefined ? ']' : '}';
      top = stack[stack.length - 1];
      if (text.length >= PIECE) {
        yield text;
        text = '';
      }
    }
    if (text.length >= PIECE) {
      yield text;
      text = '';
    }
    if (top === undefined) break;
    if (top.next > 0) text += ',';
    if (indent !== '') text += `\n${indent.repeat(stack.length)}`;
    if (top.keys === undefined) {
      value = (top.value as JsonArray)[top.next] as Json;
    } else {
      const key = top.keys[top.next] as string;
      text += indent === '' ? `${JSON.stringify(key)}:` : `${JSON.stringify(key)}: `;
      value = (top.value as JsonObject)[key] as Json;
    }
    top.next += 1;
  }
  if (text !== '') yield text;
}

function open(value: JsonArray | JsonObject, spelling: Spelling): Frame {
  if (Array.isArray(value)) return { value, keys: undefined, length: value.length, next: 0 };
  const keys = spelling.keys(value as JsonObject);
  return { value, keys, length: keys.length, next: 0 };
}

function scalar(value: Json, spelling: Spelling): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || isJsonNumber(value) ? spelling.number(value) : String(value);
}
