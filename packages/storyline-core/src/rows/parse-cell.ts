import { parseJson } from '../json/parse.ts';
import type { Json } from '../json/value.ts';

// Limits were the importer's business; what is in the store is to come back.
const NO_LIMITS = { depth: Infinity, stringBytes: Infinity, recordBytes: Infinity };

/**
 * What may be a number that JSON.parse changes: 16 digits and more (15 are exact), a float without a fraction, an exponent. What looks
 * like one inside of a string only costs time.
 */
const UNSAFE_NUMBER = /[\d.]{16}|\.0+(?!\d)|\d[eE]/;
/** Characters up to which V8 parses a text in one piece fast. */
const PLAIN_CHARACTERS = 32 * 1024;

/** The value of a JSON text cell, floatness and non-finite numbers kept; `undefined` when it is no JSON. */
export function parseCell(text: string): Json | undefined {
  // A text needs no exact parser.
  if (text.startsWith('"')) {
    try {
      return JSON.parse(text) as string;
    } catch {
      return undefined;
    }
  }
  if (text.length <= PLAIN_CHARACTERS && !UNSAFE_NUMBER.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // Numbers that are none in JSON, or no JSON at all.
    }
  }
  return parseJson(text, { keepFloats: true, nonFinite: 'keep', limits: NO_LIMITS }).value;
}
