import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { locatePointers } from '../../src/json/locate.ts';
import { encodeText } from '../../src/json/parse.ts';
import { appendPointer } from '../../src/json/pointer.ts';
import { findMembers } from '../../src/json/shallow.ts';
import { stringify } from '../../src/json/stringify.ts';
import type { Json, MutableJsonObject } from '../../src/json/value.ts';
import { JsonNumber } from '../../src/json/value.ts';
import { anyJson } from './arbitraries.ts';

const text = '{ "a" : [ 1 , { "b\\u0063" : "x]" } , [ ] ] , "a/é" : null, "a" : [ true , {"bc":2} ] }';
const bytes = encodeText(text);
/** What stands at the byte that was found. */
const at = (offset: number | undefined) => new TextDecoder().decode(bytes.subarray(offset));

describe('locatePointers', () => {
  test('finds values, the last of equal keys, and the nearest ancestor of what is missing', () => {
    const pointers = [
      '',
      '/a',
      '/a/0',
      '/a/1/bc',
      '/a~1é',
      '/a/7',
      '/nothing/there',
      '/a/1/bc/deeper',
      'no pointer',
    ];
    const found = locatePointers(bytes, pointers);
    const starts = ['{ "a"', '[ true', 'true', '2}', 'null', '[ true', '{ "a"', '2}', '{ "a"'];
    expect(found.map((offset, index) => at(offset).startsWith(starts[index] as string))).toStrictEqual(
      pointers.map(() => true),
    );
  });
  property.prop([anyJson])('finds every value of any document', (value) => {
    const whole = encodeText(stringify(value));
    const all = [...everyValue(value)];
    const found = locatePointers(
      whole,
      all.map(([pointer]) => pointer),
    );
    for (const [index, [, member]] of all.entries()) {
      const expected = encodeText(stringify(member));
      expect(whole.subarray(found[index], (found[index] as number) + expected.length)).toStrictEqual(
        expected,
      );
    }
  });
  // A pass for each would take longer than a test may.
  test('a hundred thousand pointers are located in one pass', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    const found = locatePointers(
      encodeText(stringify(many)),
      many.map((index) => `/${index}`),
    );
    expect(found.at(-1)).toBe(stringify(many).lastIndexOf('99999'));
  }, 30_000);
  test('bytes that are no JSON give offsets, not a throw', () => {
    for (const broken of [
      '',
      '{',
      '{"a"',
      '{"a":',
      '[,,]',
      '{"a":}',
      '{"\\q":1}',
      ']',
      '{"a":[1}',
      '"',
      '{1:2}',
    ]) {
      for (const offset of locatePointers(encodeText(broken), ['/a/0', '/0', '']))
        expect(offset).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('findMembers', () => {
  const find = (row: string, names: readonly string[]) =>
    findMembers(encodeText(row), names).map((range) => range && row.slice(range.start, range.end));
  test('finds members by name, whatever else stands there', () => {
    const row = ' { "x" : { "id" : 1 } , "i\\u0064" : "s1" , "step":[1,{}],"step": 7}';
    expect(find(row, ['id', 'step', 'no'])).toStrictEqual(['"s1"', '7', undefined]);
  });
  test('gives what stands before a break', () => {
    expect(find('{"id":"a","step":', ['id', 'step'])).toStrictEqual(['"a"', undefined]);
    expect(find('{"id":"a" "step":1}', ['id'])).toStrictEqual(['"a"']);
    for (const broken of ['', '[1]', '7', '{', '{,}', '{"a":,"id":1}'])
      expect(find(broken, ['id'])).toStrictEqual([undefined]);
  });
});

/** All values of a document with their pointers; of an object's, only keys that are not integers keep their order, so all are compared by value. */
function* everyValue(value: Json, pointer = ''): Generator<[string, Json]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return;
  for (const key of Object.keys(value))
    yield* everyValue((value as MutableJsonObject)[key] as Json, appendPointer(pointer, key));
}
