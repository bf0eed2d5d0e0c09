import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { appendPointer, formatPointer, getPointer, parsePointer } from '../../src/json/pointer.ts';
import { type Json, setOwn } from '../../src/json/value.ts';
import { anyString, hostileKeys } from './arbitraries.ts';

describe('RFC 6901 pointers', () => {
  // The document of RFC 6901 §5.
  const document: Json = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
  };
  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/m~0n', 8],
    ['/foo/2', undefined],
    ['/foo/00', undefined],
    ['/foo/-', undefined],
    ['/foo/0/x', undefined],
    ['/constructor', undefined],
    ['foo', undefined],
    ['/m~2n', undefined],
  ])('%j', (pointer, expected) => {
    expect(getPointer(document, pointer)).toStrictEqual(expected);
  });
  test.each(['a', '/~', '/~2', '/a~'])('%j is no pointer', (text) => {
    expect(parsePointer(text)).toBeUndefined();
  });
  test('"~01" is the key "~1", not "/"', () => {
    expect(parsePointer('/~01')).toStrictEqual(['~1']);
  });
  property.prop([fc.array(fc.oneof(hostileKeys, anyString), { maxLength: 5 })])(
    'G4: any keys come back',
    (tokens) => {
      expect(parsePointer(formatPointer(tokens))).toStrictEqual(tokens);
      const nested = tokens.reduceRight<Json>((value, token) => {
        const object = {};
        setOwn(object, token, value);
        return object;
      }, 'here');
      expect(getPointer(nested, appendPointer('', ...tokens))).toBe('here');
    },
  );
});
