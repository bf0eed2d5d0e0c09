import { fc } from '@fast-check/vitest';
import { type Json, JsonNumber, type MutableJsonObject, setOwn } from '../../src/json/value.ts';

/** Keys that break careless code (decision G4). */
export const hostileKeys = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  '',
  'a/b',
  'a~b',
  '~1',
  '0',
  '10',
  '2',
  '-1',
  'é',
  '\ud800',
  '\u0000',
  'key',
);

/** Strings with any code unit, lone surrogates and U+0000 among them. */
export const anyString = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom('\\', '"', '\\"', '[', '{', '}', ',', ':', '\n', '\u2028', '5e-324', '\u0000#n1e400'),
);

/** Number tokens that a double cannot keep, and numbers that it can. */
export const anyNumber: fc.Arbitrary<Json> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, 5e-324, 1e-323, 2.2250738585072014e-308, 1e21, 1e-7, 123456789012345680000),
  fc
    .constantFrom(
      '9007199254740993',
      '1786000000123456789',
      '1e400',
      '-1e400',
      '0.12345678901234567890',
      '1e-400',
      '-12345678901234567890.5',
      '4e-324',
      '1E+400',
    )
    .map((token) => new JsonNumber(token)),
);

/** Any JSON value of some size, with hostile keys, exact numbers and any string. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json; array: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    anyNumber,
    anyString,
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc
    .array(fc.tuple(fc.oneof(hostileKeys, anyString), tie('value')), { maxLength: 5 })
    .map((members) => {
      const object: MutableJsonObject = {};
      for (const [key, value] of members) setOwn(object, key, value);
      return object;
    }),
})).value;

/** Whether two values are the same to the last digit: -0 is not 0, exact numbers compare by token, keys in order. */
export function isSame(left: Json, right: Json): boolean {
  if (left instanceof JsonNumber || right instanceof JsonNumber) {
    return left instanceof JsonNumber && right instanceof JsonNumber && left.raw === right.raw;
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return Object.is(left, right);
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  const others = Object.keys(right);
  return (
    keys.length === others.length &&
    keys.every(
      (key, index) =>
        others[index] === key &&
        isSame((left as MutableJsonObject)[key] as Json, (right as MutableJsonObject)[key] as Json),
    )
  );
}
