import { createHash } from 'node:crypto';
import { hashJson, JsonNumber, sha256Hex } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, anyText } from './arbitrary-storyline.ts';

const expected = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('SHA-256', () => {
  test('is that of the text, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(anyText), (pieces) => {
        const text = pieces.join('');
        expect(sha256Hex(pieces)).toBe(expected(text));
        expect(sha256Hex(text)).toBe(expected(text));
        expect(sha256Hex([...Array(text.length).keys()].map((index) => text.charAt(index)))).toBe(
          expected(text),
        );
      }),
    );
  });

  test('holds for every length around a block', () => {
    for (let length = 0; length < 200; length += 1)
      expect(sha256Hex('a'.repeat(length))).toBe(expected('a'.repeat(length)));
  });
});

describe('hashes of values (G20)', () => {
  test('G20: equal values have equal hashes, a kept float is another value', () => {
    expect(hashJson({ b: 1, a: [1e2] })).toBe(hashJson({ a: [new JsonNumber('100')], b: 1 }));
    expect(hashJson({ a: 1 })).not.toBe(hashJson({ a: new JsonNumber('1.0') }));
    expect(hashJson({ a: '\ud800' })).toBe(expected('{"a":"\\ud800"}'));
    fc.assert(
      fc.property(anyJson, anyJson, (left, right) => {
        expect(hashJson([left, right])).toMatch(/^[0-9a-f]{64}$/);
        expect(hashJson({ x: left, y: right })).toBe(hashJson({ y: right, x: left }));
      }),
    );
  });
});
