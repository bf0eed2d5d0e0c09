import { equalJson, fingerprint, type Json, JsonNumber } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyJson } from '../arbitrary-storyline.ts';

test('equal values have one fingerprint, in whatever order their keys stand and however their numbers are spelled', () => {
  expect(fingerprint({ a: 1, b: [null, 'x'] })).toBe(
    fingerprint({ b: [null, 'x'], a: new JsonNumber('1.0') }),
  );
  fc.assert(
    fc.property(anyJson, anyJson, (left, right) => {
      if (equalJson(left, right)) expect(fingerprint(left)).toBe(fingerprint(right));
      expect(fingerprint(left)).toBe(fingerprint(reversed(left)));
    }),
    { numRuns: 100 },
  );
});

test.each<[Json, Json]>([
  ['1', 1],
  [null, false],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 'b' }, { b: 'a' }],
  [
    ['ab', ''],
    ['a', 'b'],
  ],
])('%j and %j have different ones', (left, right) => {
  expect(fingerprint(left)).not.toBe(fingerprint(right));
});

function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
    return value;
  return Object.fromEntries(Object.entries(value).reverse());
}
