import {
  decimalOf,
  integerFromBigInt,
  isJsonNumber,
  type Json,
  type JsonInteger,
} from '@pchronicle/storyline-core';

/** A duration in milliseconds, cut to a whole number toward zero (decision A15); `undefined` for what is no number, or has more than 18 digits. */
export function wholeMilliseconds(value: Json | undefined): JsonInteger | undefined {
  if (typeof value === 'number') return Math.abs(value) < 1e18 ? Math.trunc(value) + 0 : undefined;
  if (!isJsonNumber(value)) return undefined;
  const { negative, digits, exponent } = decimalOf(value.raw);
  const length = BigInt(digits.length) + exponent;
  if (length > 18n) return undefined;
  if (length <= 0n) return 0;
  const whole = BigInt(digits.slice(0, Number(length)).padEnd(Number(length), '0'));
  return integerFromBigInt(negative ? -whole : whole);
}
