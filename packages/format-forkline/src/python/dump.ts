import { isJsonNumber, isJsonObject, type Json } from '@pchronicle/storyline-core';
import { sortedKeys } from './compare-code-points.ts';
import { numberText } from './number.ts';

/** How {@link pythonJson} lays out its text. */
export interface PythonDumpOptions {
  /** Spaces per level, with a line per member; absent: one line with `", "` and `": "`. */
  readonly indent?: number;
  /** Sort keys by code point at every level; default true. */
  readonly sortKeys?: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside printable ASCII is escaped
const ESCAPED = /["\\\u0000-\u001f\u007f-\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without the g flag, for a test
const NEEDS_ESCAPE = /["\\\u0000-\u001f\u007f-\uffff]/;

const SHORT: { readonly [character: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** A string as Python's `json.dumps` writes it in ASCII mode: U+007F and above as `\uXXXX`, `/` as it is. */
export function pythonString(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(ESCAPED, escapeUnit)}"` : `"${text}"`;
}

function escapeUnit(unit: string): string {
  return SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A value as Python's `json.dumps` writes it, byte for byte: NaN and infinities by name, floats by their `repr` (forkline-notes §6). */
export function pythonJson(value: Json, options: PythonDumpOptions = {}): string {
  const pieces: string[] = [];
  for (const piece of pythonJsonPieces(value, options)) pieces.push(piece);
  return pieces.join('');
}

interface Open {
  readonly value: Json;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

const PIECE = 16 * 1024;

/** The same text in pieces of some 16 kB, without recursion. */
export function* pythonJsonPieces(value: Json, options: PythonDumpOptions = {}): Generator<string> {
  const { indent, sortKeys = true } = options;
  const lines = indent !== undefined;
  const comma = lines ? ',' : ', ';
  const stack: Open[] = [];
  let out = '';
  let current: Json = value;
  for (;;) {
    if (current === null) out += 'null';
    else if (typeof current === 'string') out += pythonString(current);
    else if (typeof current === 'boolean') out += current ? 'true' : 'false';
    else if (typeof current === 'number' || isJsonNumber(current)) out += numberText(current);
    else {
      const isObject = isJsonObject(current);
      const keys = isObject ? (sortKeys ? sortedKeys(current) : Object.keys(current)) : undefined;
      const length = keys?.length ?? (current as readonly Json[]).length;
      if (length === 0) out += isObject ? '{}' : '[]';
      else {
        out += isObject ? '{' : '[';
        stack.push({ value: current, keys, length, next: 0 });
      }
    }
    if (out.length > PIECE) {
      yield out;
      out = '';
    }
    let top = stack[stack.length - 1];
    while (top !== undefined && top.next === top.length) {
      stack.pop();
      if (lines) out += `\n${' '.repeat(indent * stack.length)}`;
      out += top.keys === undefined ? ']' : '}';
      top = stack[stack.length - 1];
    }
    if (top === undefined) break;
    if (top.next > 0) out += comma;
    if (lines) out += `\n${' '.repeat(indent * stack.length)}`;
    if (top.keys === undefined) current = (top.value as readonly Json[])[top.next] ?? null;
    else {
      const key = top.keys[top.next] ?? '';
      out += `${pythonString(key)}: `;
      current = (top.value as { readonly [key: string]: Json })[key] ?? null;
    }
    top.next += 1;
  }
  if (out !== '') yield out;
}
