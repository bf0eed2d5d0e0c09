import { isJsonArray, isJsonNumber, type Json } from '@pchronicle/storyline-core';
import { numberText } from '../python/number.ts';
import { pythonRepr } from '../python/repr.ts';

/** The schema version that this package writes. */
export const CURRENT_VERSION = '1.0';

/** The text of a `schema_version` as Python's `str` gives it: numbers as Python writes them, `True`, `[]`, … (forkline-notes §2). */
export function versionText(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || isJsonNumber(value)) return numberText(value);
  if (isJsonArray(value) || typeof value === 'object') return pythonRepr(value);
  return value ? 'True' : 'False';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts the separators U+001C to U+001F as white space
const INTEGER = /^[\s\x1c-\x1f\x85]*([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)[\s\x1c-\x1f\x85]*$/u;

/** Python's `int()` of a text: white space around, a sign, underscores between digits, decimal digits of any script. */
export function pythonInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (match?.[2] === undefined) return undefined;
  const digits = [...match[2].replaceAll('_', '')].map(digitValue).join('');
  return match[1] === '-' ? -BigInt(digits) : BigInt(digits);
}

/** Decimal digits stand in Unicode as runs of ten from zero on. */
function digitValue(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return code - 48;
  // The mathematical digits are five runs without a gap; no other run starts right behind another.
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}

/** Forkline's key for ordering versions: `recording_vN` before all numbers; any part that is no integer makes (0, 0). `undefined` where Forkline crashes. */
function orderKey(version: string): readonly bigint[] | undefined {
  if (version.startsWith('recording_v')) {
    const number = pythonInteger(version.slice('recording_v'.length));
    return number === undefined ? undefined : [0n, number];
  }
  const parts = version.split('.').map(pythonInteger);
  return parts.includes(undefined) ? [0n, 0n] : parts.map((part) => part ?? 0n);
}

/** Orders two versions as Forkline does: negative, 0, positive; `undefined` for `recording_v` without an integer, where Forkline crashes. */
export function compareVersionsAsForkline(left: string, right: string): number | undefined {
  const a = orderKey(left);
  const b = orderKey(right);
  if (a === undefined || b === undefined) return undefined;
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [x = 0n, y = 0n] = [a[index], b[index]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/** `major.minor[.patch…]` as numbers; `undefined` for any other spelling. */
function numbersOf(version: string): readonly number[] | undefined {
  return /^\d{1,9}(\.\d{1,9})*$/.test(version) ? version.split('.').map(Number) : undefined;
}

/** How a version that no migration leads from stands to the current one. */
export type VersionStanding = 'current' | 'compatible' | 'newer' | 'older' | 'unknown';

/** Judges a version by its major number (the schema's versioning policy; forkline-gaps A4): an equal major is compatible. */
export function standingOf(version: string, current: string): VersionStanding {
  if (version === current) return 'current';
  const numbers = numbersOf(version);
  const [major = 0] = numbersOf(current) ?? [];
  if (numbers === undefined) return 'unknown';
  const [other = 0] = numbers;
  return other === major ? 'compatible' : other > major ? 'newer' : 'older';
}
