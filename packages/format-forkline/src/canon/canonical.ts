import { isJsonNumber, isJsonObject, type Json, sha256Hex } from '@pchronicle/storyline-core';
import { sortedKeys } from '../python/compare-code-points.ts';
import { isFloat, numberText } from '../python/number.ts';

/** Forkline's canonical form of a value. */
export interface CanonicalForm {
  /** The canonical text; its UTF-8 is what Forkline hashes. */
  readonly text: string;
  /** False when a lone surrogate occurs: Forkline cannot hash such a value, and ours spells it `\udXXX` (forkline-gaps B5). */
  readonly comparable: boolean;
}

/**
 * Forkline's canonical form (forkline-notes §7): strings in NFC with LF line ends, keys as they are and sorted by code point,
 * floats by Python's `repr`, NaN and infinities as the strings of their names, no spaces. A string at the top stands without quotes.
 */
export function canonicalForm(value: Json): CanonicalForm {
  if (typeof value === 'string') return protect(foldText(value));
  return protect(canonicalText(value));
}

/** SHA-256 of {@link canonicalForm}, in lower-case hex, as Forkline computes it. */
export function canonicalHash(value: Json): string {
  return sha256Hex(canonicalForm(value).text);
}

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const LONES = new RegExp(LONE, 'g');

function protect(text: string): CanonicalForm {
  if (!LONE.test(text)) return { text, comparable: true };
  return { text: text.replace(LONES, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`), comparable: false };
}

/** NFC, then CRLF and CR to LF. */
function foldText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no normalisation
  const composed = /^[\u0000-\u007f]*$/.test(text) ? text : text.normalize('NFC');
  return composed.includes('\r') ? composed.replace(/\r\n?/g, '\n') : composed;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON must escape
const ESCAPED = /["\\\u0000-\u001f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same without the g flag, for a test
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

const SHORT: { readonly [character: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

function quote(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`;
  return `"${text.replace(ESCAPED, (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

function numberForm(value: number | Exclude<Json, null | boolean | number | string>): string {
  if (typeof value !== 'number' && !isJsonNumber(value)) return '';
  const text = numberText(value);
  if (!isFloat(value)) return text;
  if (text === '-0.0') return '0.0';
  return /[NI]/.test(text) ? `"${text}"` : text;
}

interface Open {
  readonly keys: readonly string[] | undefined;
  readonly value: Json;
  readonly length: number;
  next: number;
}

/** The canonical JSON of anything but a string at the top, without recursion. */
function canonicalText(root: Json): string {
  const stack: Open[] = [];
  let out = '';
  let current = root;
  for (;;) {
    if (current === null) out += 'null';
    else if (typeof current === 'string') out += quote(foldText(current));
    else if (typeof current === 'boolean') out += current ? 'true' : 'false';
    else if (typeof current === 'number' || isJsonNumber(current)) out += numberForm(current);
    else {
      const keys = isJsonObject(current) ? sortedKeys(current) : undefined;
      const length = keys?.length ?? (current as readonly Json[]).length;
      out += keys === undefined ? '[' : '{';
      stack.push({ keys, value: current, length, next: 0 });
    }
    let top = stack[stack.length - 1];
    while (top !== undefined && top.next === top.length) {
      stack.pop();
      out += top.keys === undefined ? ']' : '}';
      top = stack[stack.length - 1];
    }
    if (top === undefined) return out;
    if (top.next > 0) out += ',';
    if (top.keys === undefined) current = (top.value as readonly Json[])[top.next] ?? null;
    else {
      const key = top.keys[top.next] ?? '';
      out += `${quote(key)}:`;
      current = (top.value as { readonly [key: string]: Json })[key] ?? null;
    }
    top.next += 1;
  }
}
