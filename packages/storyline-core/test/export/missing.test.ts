import { expect, test } from 'vitest';
import { type Json, missingFrom, parseJson, tellByKind } from '../../src/index.ts';

const json = (text: string): Json => parseJson(text).value as Json;
const lost = (value: string, now: string | undefined, shorter = false): string[] =>
  [...missingFrom(json(value), now === undefined ? undefined : json(now), { shorter })].map(
    ({ pointer, pattern, now: stands }) =>
      `${pointer} ${pattern} ${stands === undefined ? 'gone' : JSON.stringify(stands)}`,
  );

test('what is gone or other is named at its own place, in document order', () => {
  expect(
    lost('{"a":{"x":1,"y":[2,{"z":3}]},"b/c":4,"d":5}', '{"a":{"x":9,"y":[2,{}]},"d":5,"more":6}'),
  ).toEqual(['/a/x /a/x 9', '/a/y/1/z /a/y/*/z gone', '/b~1c /b~1c gone']);
});

test('numbers are compared by value, and keys like __proto__ are keys', () => {
  expect(lost('{"n":1.0,"__proto__":{"a":1}}', '{"n":1}')).toEqual(['/__proto__ /__proto__ gone']);
});

test('arrays of other lengths are other values, unless shorter ones are looked into', () => {
  expect(lost('[1,2]', '[1]')).toEqual(['  [1]']);
  expect(lost('[1,2]', '[1,2,3]')).toEqual(['  [1,2,3]']);
  expect(lost('[1,2]', '[1]', true)).toEqual(['/1 /* gone']);
  expect(lost('{"a":[],"b":{}}', '{"a":[0],"b":{"c":1}}')).toEqual(['/a /a [0]', '/b /b {"c":1}']);
  expect(lost('{"a":[],"b":{}}', '{"a":[],"b":{}}')).toEqual([]);
});

test('a hundred thousand levels and a million elements are no danger', () => {
  const deep = (inner: Json): Json => {
    let value = inner;
    for (let level = 0; level < 100_000; level += 1) value = [value];
    return value;
  };
  const [one, ...others] = missingFrom(deep(1), deep(2));
  expect(others).toEqual([]);
  expect(one?.pointer.length).toBe(200_000);
  const wide = Array.from({ length: 1_000_000 }, () => 1);
  expect([...missingFrom(wide, [...wide.slice(1), 2])].map(({ pointer }) => pointer)).toEqual(['/999999']);
});

test('places are told by kind: alone by pointer, more by pattern, and past the thousandth kind together', () => {
  const told: string[] = [];
  const places = [0, 1, 2].map((index) => ({ pointer: `/turns/${index}/id`, pattern: '/turns/*/id' }));
  const kinds = Array.from({ length: 1_200 }, (_, index) => ({
    pointer: `/k${index}`,
    pattern: `/k${index}`,
  }));
  tellByKind([...places, ...kinds], (pointer, subject, pattern) =>
    told.push(`${pointer}|${subject}|${pattern}`),
  );
  expect(told).toHaveLength(1_001);
  expect(told[0]).toBe('/turns/*/id|/turns/*/id (3 times)|/turns/*/id');
  expect(told[1]).toBe('/k0|/k0|/k0');
  expect(told.at(-1)).toBe('|the rest (201 values of other kinds)|');
});
