import { type Json, JsonNumber, type MutableJsonObject, setOwn } from '@pchronicle/storyline-core';
import { type PythonJsonFault, scanJson } from './scan.ts';

export type { PythonJsonFault } from './scan.ts';

/** How far {@link parsePythonJson} follows Python. */
export interface PythonParseOptions {
  /** Refuse integers of more than 4,300 digits, as CPython does; default false. */
  readonly limitDigits?: boolean;
  /** Deepest nesting accepted; default 1,000. */
  readonly depth?: number;
}

/** A value, or why there is none. */
export type PythonParsed = { readonly value: Json } | { readonly fault: PythonJsonFault };

/**
 * Texts that native parsing would change or refuse: exponents, floats that are whole, 16 digits and more, NaN, Infinity.
 * A match inside a string only costs time.
 */
const EXOTIC = /\d[eE]|\.0+(?!\d)|\d[\d.]{15}|NaN|Infinity/;

/**
 * Reads JSON text as Python's `json.loads` does (forkline-notes §6): NaN and the infinities are numbers, the last of equal
 * keys wins, lone surrogates are kept, a BOM is refused. Floats stay apart from integers, every digit is kept.
 */
export function parsePythonJson(text: string, options: PythonParseOptions = {}): PythonParsed {
  const depth = options.depth ?? 1_000;
  if (!EXOTIC.test(text) && depthAtMost(text, depth)) {
    try {
      return { value: JSON.parse(text) as Json };
    } catch {
      // The scanner below says where and why.
    }
  }
  return scanJson(text, depth, options.limitDigits === true ? 4_300 : Number.POSITIVE_INFINITY, build);
}

/** Whether a text cannot nest deeper than `limit`; counts opening brackets only when there are enough characters for them. */
function depthAtMost(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 92) index += 1;
      else if (unit === 34) inString = false;
    } else if (unit === 34) inString = true;
    else if (unit === 91 || unit === 123) {
      depth += 1;
      if (depth > limit) return false;
    } else if (unit === 93 || unit === 125) depth -= 1;
  }
  return true;
}

const build = {
  number(token: string): Json {
    const double = Number(token);
    if (/[.eENI]/.test(token)) {
      return !Number.isInteger(double) && String(double) === token && Number.isFinite(double)
        ? double
        : new JsonNumber(token);
    }
    return Number.isSafeInteger(double) ? double : new JsonNumber(token);
  },
  set(object: MutableJsonObject, key: string, value: Json): void {
    setOwn(object, key, value);
  },
};
