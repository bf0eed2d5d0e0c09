import { isJsonNumber, isNumeric, type Json, type JsonInteger, JsonNumber } from './value.ts';

/** A number as ±`digits` × 10^`exponent`; `digits` has no leading and no trailing zeros and is `""` for zero. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

/** Integers with more digits than this are not offered as integers, so that `1e999999999` cannot fill the memory. */
const MOST_INTEGER_DIGITS = 1000n;

/** The exact decimal value of a finite number token. */
export function decimalOf(token: string): Decimal {
  const negative = token.startsWith('-');
  const mark = token.search(/[eE]/);
  const mantissa = token.slice(negative ? 1 : 0, mark === -1 ? undefined : mark);
  const point = mantissa.indexOf('.');
  const all = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let start = 0;
  let end = all.length;
  while (start < end && all.charCodeAt(start) === 48) start += 1;
  if (start === end) return { negative, digits: '', exponent: 0n };
  while (all.charCodeAt(end - 1) === 48) end -= 1;
  const written = mark === -1 ? 0n : exponentOf(token.slice(mark + 1));
  const fraction = point === -1 ? 0 : mantissa.length - point - 1;
  return { negative, digits: all.slice(start, end), exponent: written + BigInt(all.length - end - fraction) };
}

function exponentOf(text: string): bigint {
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.startsWith('+') ? text.slice(1) : text);
}

function tokenOf(value: JsonInteger): string {
  return isJsonNumber(value) ? value.raw : String(value);
}

/** Whether a token's mathematical value is that of its double's shortest decimal, so that a JS number keeps it (decision G2). */
function isExactToken(token: string): boolean {
  const double = Number(token);
  const shortest = String(double);
  if (shortest === token) return true;
  if (!Number.isFinite(double)) return false;
  const left = decimalOf(token);
  const right = decimalOf(shortest);
  return left.digits === right.digits && left.exponent === right.exponent;
}

/** The exact value of a number token: a JS number where that keeps it, else a {@link JsonNumber}. With `keepFloats`, a float spelling of an integer (`1.0`, `1e5`) is kept too. */
export function numberFromToken(token: string, keepFloats: boolean): JsonInteger {
  if (!isExactToken(token)) return new JsonNumber(token);
  const double = Number(token);
  return keepFloats && /[.eE]/.test(token) && Number.isInteger(double) ? new JsonNumber(token) : double;
}

/** Orders numbers by mathematical value, exactly: negative, 0 or positive. Kept non-finite tokens (decision F1) stand at the ends, NaN last. */
export function compareNumbers(left: JsonInteger, right: JsonInteger): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
  const rank = rankOf(left);
  if (rank !== 0 || rankOf(right) !== 0) return rank - rankOf(right);
  const a = decimalOf(tokenOf(left));
  const b = decimalOf(tokenOf(right));
  const signA = a.digits === '' ? 0 : a.negative ? -1 : 1;
  const signB = b.digits === '' ? 0 : b.negative ? -1 : 1;
  if (signA !== signB) return signA - signB;
  return signA * compareMagnitudes(a, b);
}

/** Tokens beyond JSON, which a format may keep (decision F1): -Infinity before all numbers, then Infinity, then NaN behind them. */
function rankOf(value: JsonInteger): number {
  const token = tokenOf(value);
  return token === '-Infinity' ? -1 : token === 'Infinity' ? 1 : token === 'NaN' ? 2 : 0;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  const magnitudeA = a.exponent + BigInt(a.digits.length);
  const magnitudeB = b.exponent + BigInt(b.digits.length);
  if (magnitudeA !== magnitudeB) return magnitudeA < magnitudeB ? -1 : 1;
  // Same position of the first digit: digits compare as text, a prefix being the smaller.
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
}

/** Whether a value is a number without a fraction, exactly, of at most 1,000 digits (`1.0` and `1e3` count, `1e999999999` does not). */
export function isInteger(value: Json | undefined): value is JsonInteger {
  if (typeof value === 'number') return Number.isInteger(value);
  if (!isJsonNumber(value) || rankOf(value) !== 0) return false;
  const { digits, exponent } = decimalOf(value.raw);
  return exponent >= 0n && exponent + BigInt(digits.length) <= MOST_INTEGER_DIGITS;
}

/** The integer as a BigInt; call it only with what {@link isInteger} accepted (throws a RangeError otherwise). */
export function toBigInt(value: JsonInteger): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (!isInteger(value)) throw new RangeError(`${tokenOf(value)} is not an integer of at most 1,000 digits`);
  const { negative, digits, exponent } = decimalOf(tokenOf(value));
  const magnitude = BigInt(digits + '0'.repeat(Number(exponent)));
  return negative ? -magnitude : magnitude;
}

/** The JSON integer of a BigInt: a JS number where a double's shortest decimal keeps it. */
export function integerFromBigInt(value: bigint): JsonInteger {
  return numberFromToken(String(value), false);
}

/**
 * One spelling for each number (decision G20): mathematically equal numbers give the same text, whatever their spelling, except
 * that a number whose floatness was kept (`1.0` under `keepFloats`) gives `1.0` where the integer gives `1`.
 */
export function canonicalNumber(value: JsonInteger): string {
  if (typeof value === 'number') return value === 0 ? '0' : String(value);
  if (rankOf(value) !== 0) return value.raw;
  const { negative, digits, exponent } = decimalOf(value.raw);
  const text = spell(digits, exponent);
  const floatness = /[.eE]/.test(value.raw) && exponent >= 0n && isExactToken(value.raw);
  return `${negative && digits !== '' ? '-' : ''}${text}${floatness ? '.0' : ''}`;
}

/** Spells a decimal as ECMAScript spells doubles (ECMA-262 Number::toString), for any number of digits. */
function spell(digits: string, exponent: bigint): string {
  if (digits === '') return '0';
  const point = exponent + BigInt(digits.length);
  if (exponent >= 0n && point <= 21n) return digits + '0'.repeat(Number(exponent));
  if (point > 0n && point <= 21n) return `${digits.slice(0, Number(point))}.${digits.slice(Number(point))}`;
  if (point > -6n && point <= 0n) return `0.${'0'.repeat(Number(-point))}${digits}`;
  const power = point - 1n;
  const mantissa = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${mantissa}e${power < 0n ? '-' : '+'}${power < 0n ? -power : power}`;
}

/** Whether two numbers are mathematically equal. */
export function equalNumbers(left: Json, right: Json): boolean {
  return isNumeric(left) && isNumeric(right) && compareNumbers(left, right) === 0;
}
