import { decimalOf } from '../json/number.ts';
import { isJsonNumber, type Json, type JsonNumber } from '../json/value.ts';

/** The instant of a time value in nanoseconds since the Unix epoch, or what is wrong with it. */
export type ParsedTime = { readonly nanoseconds: bigint } | { readonly fault: string };

const MAX_NANOSECONDS = 9_223_372_036_854_775_807n;
const MIN_NANOSECONDS = -9_223_372_036_854_775_808n;
const BILLION = 1_000_000_000n;

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The text that was read last: turns of one row have one time, and readers and checks look at it in turn. */
let lastText = '';
let lastParsed: ParsedTime = parseText('');

/**
 * Reads a time value (storyline-v1 §7): RFC 3339 text with an offset, or Unix epoch seconds as a number.
 *
 * The instant must fit a signed 64-bit count of nanoseconds. Fraction digits of a text past the ninth are ignored;
 * a number must be a whole number of nanoseconds, judged by its decimal text.
 */
export function parseTime(value: Json): ParsedTime {
  if (typeof value === 'string') {
    if (value === lastText) return lastParsed;
    lastParsed = parseText(value);
    lastText = value;
    return lastParsed;
  }
  if (typeof value === 'number' || isJsonNumber(value)) return parseSeconds(value);
  return { fault: 'a timestamp is RFC3339 text or a number of Unix seconds' };
}

function parseText(text: string): ParsedTime {
  const match = RFC3339.exec(text);
  if (match === null)
    return { fault: 'a timestamp text must be RFC3339 with an offset, like 2026-08-01T00:00:00Z' };
  const [
    ,
    yearText,
    monthText,
    dayText,
    hourText,
    minuteText,
    secondText,
    fraction,
    sign,
    offsetHours,
    offsetMinutes,
  ] = match;
  const year = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  const hour = Number(hourText);
  const minute = Number(minuteText);
  const second = Number(secondText);
  const hours = Number(offsetHours ?? 0);
  const minutes = Number(offsetMinutes ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    return { fault: `a timestamp text must be RFC3339; ${yearText}-${monthText}-${dayText} is not a date` };
  }
  // 60 is a leap second: the instant is that of the following second.
  if (hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59) {
    return { fault: 'a timestamp text must be RFC3339; its time of day or offset does not exist' };
  }
  const offset = (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  const seconds = daysFromEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  const nanos = (fraction ?? '').slice(0, 9).padEnd(9, '0');
  return inRange(BigInt(seconds) * BILLION + BigInt(nanos));
}

function parseSeconds(value: number | JsonNumber): ParsedTime {
  const token = String(value);
  if (!/^-?\d/.test(token)) return { fault: `a timestamp number must be finite, not ${token}` };
  const { negative, digits, exponent } = decimalOf(token);
  if (digits === '') return { nanoseconds: 0n };
  // No power of ten is computed before it is known to be small.
  const shift = exponent + 9n;
  if (BigInt(digits.length) + shift > 19n) return outOfRange();
  if (shift < 0n) return { fault: 'a timestamp number must not have a precision finer than one nanosecond' };
  const magnitude = BigInt(digits) * 10n ** shift;
  return inRange(negative ? -magnitude : magnitude);
}

function inRange(nanoseconds: bigint): ParsedTime {
  return nanoseconds > MAX_NANOSECONDS || nanoseconds < MIN_NANOSECONDS ? outOfRange() : { nanoseconds };
}

function outOfRange(): ParsedTime {
  return {
    fault:
      'a timestamp must lie in the 64-bit nanosecond range, about the years 1677 to 2262 (seconds, not milliseconds)',
  };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March. */
function daysFromEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

/** Writes an instant as RFC 3339 text in UTC, with 0, 3, 6 or 9 fraction digits, as few as it needs. */
export function formatTime(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % BILLION) + BILLION) % BILLION;
  const seconds = (nanoseconds - fraction) / BILLION;
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  if (fraction === 0n) return `${date}Z`;
  const digits = fraction.toString().padStart(9, '0');
  return `${date}.${digits.endsWith('000000') ? digits.slice(0, 3) : digits.endsWith('000') ? digits.slice(0, 6) : digits}Z`;
}
