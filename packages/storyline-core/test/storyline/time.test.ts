import { formatTime, type Json, JsonNumber, parseTime } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const number = (raw: string): JsonNumber => new JsonNumber(raw);

function nanoseconds(value: Json): bigint | string {
  const parsed = parseTime(value);
  return 'fault' in parsed ? parsed.fault : parsed.nanoseconds;
}

describe('time values (storyline-v1 §7)', () => {
  test.each<[Json, bigint]>([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01t00:00:01z', 1_000_000_000n],
    ['1970-01-01 00:00:00.5+00:00', 500_000_000n],
    ['1969-12-31T23:59:59.999999999Z', -1n],
    ['2026-08-01T08:00:00+08:00', 1_785_542_400_000_000_000n],
    ['2026-07-31T19:30:00-04:30', 1_785_542_400_000_000_000n],
    ['2000-02-29T00:00:00Z', 951_782_400_000_000_000n],
    // Digits past the ninth are ignored; a leap second is the next second.
    ['1970-01-01T00:00:00.1234567899999Z', 123_456_789n],
    ['2016-12-31T23:59:60Z', 1_483_228_800_000_000_000n],
    ['2016-12-31T23:59:60.25Z', 1_483_228_800_250_000_000n],
    [0, 0n],
    [-0, 0n],
    [-1.5, -1_500_000_000n],
    [0.1, 100_000_000n],
    [1e-9, 1n],
    [1754006400.123456, 1_754_006_400_123_456_000n],
    [number('1754006400.123456789'), 1_754_006_400_123_456_789n],
    [number('1.0'), 1_000_000_000n],
    [number('15e-1'), 1_500_000_000n],
    [number('0e999999999999'), 0n],
    [number('9223372036.854775807'), 9_223_372_036_854_775_807n],
    [number('-9223372036.854775808'), -9_223_372_036_854_775_808n],
    ['2262-04-11T23:47:16.854775807Z', 9_223_372_036_854_775_807n],
    ['1677-09-21T00:12:43.145224192Z', -9_223_372_036_854_775_808n],
  ])('%s', (value, expected) => {
    expect(nanoseconds(value)).toBe(expected);
  });

  test.each<[Json, string]>([
    ['2026-08-01', 'RFC3339'],
    ['2026-08-01T00:00:00', 'RFC3339'],
    ['2026-08-01T00:00Z', 'RFC3339'],
    ['2026-13-01T00:00:00Z', 'RFC3339'],
    ['2026-02-29T00:00:00Z', 'RFC3339'],
    ['1900-02-29T00:00:00Z', 'RFC3339'],
    ['2026-04-31T00:00:00Z', 'RFC3339'],
    ['2026-08-01T24:00:00Z', 'RFC3339'],
    ['2026-08-01T00:60:00Z', 'RFC3339'],
    ['2026-08-01T00:00:61Z', 'RFC3339'],
    ['2026-08-01T00:00:00+24:00', 'RFC3339'],
    ['2026-08-01T00:00:00.Z', 'RFC3339'],
    ['2026-08-01T00:00:00Z\n', 'RFC3339'],
    ['', 'RFC3339'],
    ['2262-04-11T23:47:16.854775808Z', 'nanosecond range'],
    ['0000-01-01T00:00:00Z', 'nanosecond range'],
    ['9999-12-31T23:59:59Z', 'nanosecond range'],
    [10000000000, 'nanosecond range'],
    [1e300, 'nanosecond range'],
    [number('1e999999999999999999999'), 'nanosecond range'],
    [number('9223372036.854775808'), 'nanosecond range'],
    [number('0.1234567891'), 'precision finer than one nanosecond'],
    [number('1e-999999999999999999999'), 'precision finer than one nanosecond'],
    [1e-10, 'precision finer than one nanosecond'],
    [Number.NaN, 'finite'],
    [number('NaN'), 'finite'],
    [true, 'RFC3339 text or a number'],
    [null, 'RFC3339 text or a number'],
    [[1], 'RFC3339 text or a number'],
  ])('%s: %s', (value, fault) => {
    expect(nanoseconds(value)).toContain(fault);
  });

  test('any instant is written as text that reads as the same instant', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (instant) => {
        const text = formatTime(instant);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}){1,3})?Z$/);
        expect(nanoseconds(text)).toBe(instant);
      }),
    );
  });

  test('texts agree with the date arithmetic of the platform', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1678-01-01'), max: new Date('2262-01-01'), noInvalidDate: true }),
        (date) => {
          expect(nanoseconds(date.toISOString())).toBe(BigInt(date.getTime()) * 1_000_000n);
        },
      ),
    );
  });

  test('a long number costs no more than its length', () => {
    const digits = '1'.repeat(200_000);
    expect(nanoseconds(number(`0.${digits}`))).toContain('precision');
    expect(nanoseconds(number(digits))).toContain('range');
    expect(nanoseconds(number(`1.${'0'.repeat(200_000)}`))).toBe(1_000_000_000n);
  });
});
