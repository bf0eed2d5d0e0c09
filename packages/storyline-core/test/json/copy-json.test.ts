import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/import/events.ts';
import { copyJson } from '../../src/json/copy-json.ts';
import { JsonNumber } from '../../src/json/value.ts';
import { anyJson, isSame } from './arbitraries.ts';

const copy = (value: unknown, nonFinite: 'error' | 'null' | 'keep' = 'error', limits = {}) => {
  const found: string[] = [];
  const result = copyJson(value, {
    limits: { ...DEFAULT_LIMITS, ...limits },
    nonFinite,
    report: (severity, code, pointer) => found.push(`${severity} ${code} ${pointer}`),
  });
  return { result, found };
};

describe('values that callers hand over', () => {
  property.prop([anyJson])('JSON is copied exactly', (value) => {
    const { result, found } = copy(value);
    expect(found).toStrictEqual([]);
    expect(isSame(result, value)).toBe(true);
  });
  test('what is no JSON is named with its place', () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle.self = [cycle];
    const { found } = copy({
      u: undefined,
      l: [undefined, 1n],
      f: () => 1,
      s: Symbol('s'),
      d: new Date(0),
      m: new Map(),
      n: Number.NaN,
      cycle,
    });
    expect(found).toStrictEqual([
      'warning core/not-json /u',
      'error core/not-json /l/0',
      'error core/not-json /l/1',
      'error core/not-json /f',
      'error core/not-json /s',
      'error core/not-json /d',
      'error core/not-json /m',
      'error json/non-finite /n',
      'error core/not-json /cycle/self/0',
    ]);
  });
  test('the same object twice is no cycle', () => {
    const shared = { x: 1 };
    expect(copy([shared, shared])).toStrictEqual({ result: [{ x: 1 }, { x: 1 }], found: [] });
  });
  test('G6: NaN as null or kept', () => {
    expect(copy([Number.NaN], 'null')).toStrictEqual({
      result: [null],
      found: ['warning json/non-finite /0'],
    });
    expect(copy([Number.NEGATIVE_INFINITY], 'keep')).toStrictEqual({
      result: [new JsonNumber('-Infinity')],
      found: [],
    });
  });
  test('a getter that throws, an object of another realm or without a prototype', () => {
    const thrower = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(copy(thrower).found).toStrictEqual(['error core/not-json /x']);
    expect(copy(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ result: { a: 1 }, found: [] });
  });
  test('G18: too deep and too many parts', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(copy(deep).found.map((line) => line.slice(0, 20))).toStrictEqual(['error core/too-deep ']);
    let wide: unknown = [1];
    for (let level = 0; level < 40; level += 1) wide = [wide, wide];
    expect(copy(wide, 'error', { recordBytes: 1000 }).found.map((line) => line.split(' ')[1])).toStrictEqual([
      'core/value-too-large',
    ]);
  });
  test('G4: __proto__ as an own key', () => {
    const { result } = copy(JSON.parse('{"__proto__":{"polluted":1}}'));
    expect(Object.hasOwn(result as object, '__proto__')).toBe(true);
    expect((result as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
