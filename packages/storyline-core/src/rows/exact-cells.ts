import { isInteger, toBigInt } from '../json/number.ts';
import { numberToken, piecesOf } from '../json/stringify.ts';
import type { Json, JsonInteger } from '../json/value.ts';

const MAX_INT64 = 9_223_372_036_854_775_807n;
const MIN_INT64 = -9_223_372_036_854_775_808n;

/** Makes the cells of rows, and remembers which of a row are not exact. */
export interface ExactCells {
  /** A text cell; lone surrogates become U+FFFD in it. */
  text(column: string, value: string): string;
  text(column: string, value: string | undefined): string | null;
  /** An integer cell; what lies past 64 bits becomes the nearest end. */
  integer(column: string, value: JsonInteger): bigint;
  integer(column: string, value: JsonInteger | undefined): bigint | null;
  /** A JSON text cell; NaN and infinities become null in it. */
  json(column: string, value: Json): string;
  json(column: string, value: Json | undefined): string | null;
  /** The cell of `exact_json`, the last of a row: column name → exact JSON text; null when every cell is exact. */
  takeExact(): string | null;
}

/** Starts the first row; {@link ExactCells.takeExact} ends one and starts the next. */
export function exactCells(): ExactCells {
  let inexact: { [column: string]: string } | undefined;
  const remember = (column: string, text: string): void => {
    inexact ??= {};
    inexact[column] = text;
  };
  function text(column: string, value: string): string;
  function text(column: string, value: string | undefined): string | null;
  function text(column: string, value: string | undefined): string | null {
    if (value === undefined) return null;
    const wellFormed = wellFormedText(value);
    if (wellFormed !== value) remember(column, JSON.stringify(value));
    return wellFormed;
  }
  function integer(column: string, value: JsonInteger): bigint;
  function integer(column: string, value: JsonInteger | undefined): bigint | null;
  function integer(column: string, value: JsonInteger | undefined): bigint | null {
    if (value === undefined) return null;
    const whole = isInteger(value) ? toBigInt(value) : 0n;
    const cell = whole > MAX_INT64 ? MAX_INT64 : whole < MIN_INT64 ? MIN_INT64 : whole;
    // As the source wrote it: -0 is not 0, and a kept 1.0 is not 1.
    const isPlain = typeof value === 'number' && !Object.is(value, -0) && String(cell) === String(value);
    const exact = isPlain ? undefined : jsonText(value).text;
    if (exact !== undefined && exact !== String(cell)) remember(column, exact);
    return cell;
  }
  function json(column: string, value: Json): string;
  function json(column: string, value: Json | undefined): string | null;
  function json(column: string, value: Json | undefined): string | null {
    if (value === undefined) return null;
    if (typeof value === 'string') return JSON.stringify(value);
    const { text: exact, finite } = jsonText(value);
    if (finite) return exact;
    remember(column, exact);
    return jsonText(value, 'null').text;
  }
  return {
    text,
    integer,
    json,
    takeExact() {
      if (inexact === undefined) return null;
      const exact = JSON.stringify(inexact);
      inexact = undefined;
      return exact;
    },
  };
}

/** A text whose lone surrogates, which UTF-8 has no form for, are U+FFFD. */
export function wellFormedText(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\uFFFD') : text;
}

/** Exact JSON text that {@link parseCell} reads back to the same value, floatness included. NaN and infinities are written as `nonFinite` or as they are. */
function jsonText(value: Json, nonFinite?: string): { readonly text: string; readonly finite: boolean } {
  let finite = true;
  let text = '';
  const pieces = piecesOf(value, {
    keys: Object.keys,
    number(number) {
      const token = numberToken(number);
      if (/^-?\d/.test(token)) return token;
      finite = false;
      return nonFinite ?? token;
    },
    indent: '',
  });
  for (const piece of pieces) text += piece;
  return { text, finite };
}
