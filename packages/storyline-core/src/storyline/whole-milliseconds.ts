import { decimalOf, integerFromBigInt } from '../json/number.ts';
import { isJsonNumber, type Json, type JsonInteger } from '../json/value.ts';

const LARGEST = 2n ** 63n;

/** A duration as the integer slots of a turn take it: cut to whole milliseconds toward zero; `undefined` for what is no number, or does not fit 64 bits. */
export function wholeMilliseconds(value: Json | undefined): JsonInteger | undefined {
  const whole =
    typeof value === 'number'
      ? BigInt(Math.trunc(value))
      : isJsonNumber(value)
        ? truncate(value.raw)
        : undefined;
  return whole !== undefined && whole < LARGEST && whole >= -LARGEST ? integerFromBigInt(whole) : undefined;
}

function truncate(token: string): bigint | undefined {
  const { negative, digits, exponent } = decimalOf(token);
  const length = BigInt(digits.length) + exponent;
  if (length > 19n) return undefined;
  const whole = length <= 0n ? 0n : BigInt(digits.slice(0, Number(length)).padEnd(Number(length), '0'));
  return negative ? -whole : whole;
}
