import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  canonicalNumber,
  compareNumbers,
  equalNumbers,
  integerFromBigInt,
  isInteger,
  numberFromToken,
  toBigInt,
} from '../../src/json/number.ts';
import { type JsonInteger, JsonNumber } from '../../src/json/value.ts';

const exact = (token: string) => new JsonNumber(token);

describe('integers', () => {
  test.each([
    [1, true],
    [-0, true],
    [1.5, false],
    [exact('1.0'), true],
    [exact('1e400'), true],
    [exact('1.5e1'), true],
    [exact('0.12345678901234567890'), false],
    [exact('12345678901234567890123e-2'), false],
    [exact('12345678901234567890100e-2'), true],
    [exact('1e999999999'), false],
    [exact('NaN'), false],
    [exact('Infinity'), false],
    ['1', false],
    [null, false],
    [undefined, false],
  ])('%s: %s', (value, expected) => {
    expect(isInteger(value)).toBe(expected);
  });
  test('a BigInt that fits no double keeps its digits, one that does is a number', () => {
    expect(integerFromBigInt(9007199254740993n)).toStrictEqual(exact('9007199254740993'));
    expect(integerFromBigInt(-5n)).toBe(-5);
    expect(toBigInt(exact('1.50e3'))).toBe(1500n);
    expect(toBigInt(1e23)).toBe(10n ** 23n);
    expect(toBigInt(-0)).toBe(0n);
  });
  test('what is no such integer is refused, not computed', () => {
    for (const value of [exact('1e999999999'), 1.5, exact('NaN')])
      expect(() => toBigInt(value)).toThrow(RangeError);
  });
  property.prop([fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n })])('G2: a BigInt comes back', (value) => {
    expect(toBigInt(integerFromBigInt(value))).toBe(value);
  });
});

describe('G20: numbers compare and are spelled by mathematical value', () => {
  test.each([
    [exact('1.0'), 1, 0],
    [exact('10000000000000000000000e-22'), 1, 0],
    [exact('9007199254740993'), 9007199254740992, 1],
    [exact('-9007199254740993'), -9007199254740992, -1],
    [exact('1e400'), exact('1E+400'), 0],
    [exact('1e400'), exact('9e399'), 1],
    [exact('-1e400'), 0, -1],
    [exact('1e-400'), 0, 1],
    [exact('1e-400'), exact('2e-400'), -1],
    [-0, 0, 0],
    [exact('0e5'), -0, 0],
    [exact('0.12345678901234567890'), exact('0.1234567890123456789'), 0],
    [exact('1e99999999999999999999'), exact('1e99999999999999999998'), 1],
  ] as const)('%s against %s: %i', (left, right, sign) => {
    expect(Math.sign(compareNumbers(left, right)) + 0).toBe(sign);
    expect(Math.sign(compareNumbers(right, left)) + 0).toBe(-sign + 0);
    expect(equalNumbers(left, right)).toBe(sign === 0);
  });
  test('kept non-finite tokens stand at the ends', () => {
    const order = [exact('-Infinity'), exact('-1e400'), 0, exact('1e400'), exact('Infinity'), exact('NaN')];
    expect([...order].reverse().sort(compareNumbers)).toStrictEqual(order);
  });
  test.each([
    [1, '1'],
    [-0, '0'],
    [exact('-0e400'), '0.0'],
    [exact('1e400'), '1e+400'],
    [exact('10E+399'), '1e+400'],
    [exact('9007199254740993'), '9007199254740993'],
    [exact('90071992547409930e-1'), '9007199254740993'],
    [exact('123456789012345678901234567890'), '1.2345678901234567890123456789e+29'],
    [exact('0.12345678901234567890'), '0.1234567890123456789'],
    [exact('-0.0000001234567890123456789'), '-1.234567890123456789e-7'],
    [exact('NaN'), 'NaN'],
    [exact('1.0'), '1.0'],
    [exact('10e-1'), '1.0'],
    [exact('1e5'), '100000.0'],
  ])('%s is spelled %s', (value, text) => {
    expect(canonicalNumber(value)).toBe(text);
  });
  test('kept floatness sets 1.0 apart from 1, although they are equal', () => {
    const float = numberFromToken('1.0', true);
    expect(canonicalNumber(float)).not.toBe(canonicalNumber(1));
    expect(equalNumbers(float, 1)).toBe(true);
  });
  property.prop([fc.double({ noNaN: true, noDefaultInfinity: true })])(
    'a double is spelled as JavaScript spells it',
    (value) => {
      expect(canonicalNumber(new JsonNumber(String(value)))).toBe(
        canonicalNumber(value) + (Number.isInteger(value) && String(value).includes('e') ? '.0' : ''),
      );
    },
  );
  property.prop([
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  ])('the order is that of the integers', (left, right) => {
    const of = (value: bigint): JsonInteger => integerFromBigInt(value);
    expect(Math.sign(compareNumbers(of(left), of(right)))).toBe(left < right ? -1 : left > right ? 1 : 0);
  });
});
