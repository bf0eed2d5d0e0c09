import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/json/canonical.ts';
import { compareText } from '../../src/json/compare-text.ts';
import { equalJson } from '../../src/json/equal.ts';
import { stringify, stringifyPieces } from '../../src/json/stringify.ts';
import { type Json, JsonNumber, type MutableJsonObject, setOwn } from '../../src/json/value.ts';
import { anyJson, anyString } from './arbitraries.ts';

describe('stringify', () => {
  test('G2: -0, exact numbers and doubles are written as they are', () => {
    expect(stringify([-0, 0, 1.5, 1.5e21, new JsonNumber('1e400'), new JsonNumber('1.0')])).toBe(
      '[-0,0,1.5,1500000000000000000000,1e400,1.0]',
    );
  });
  test('G3: lone surrogates become escapes, other text stays', () => {
    expect(stringify(['\ud800', '😀', '\u0000', '\u2028'])).toBe('["\\ud800","😀","\\u0000","\u2028"]');
  });
  property.prop([fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2)])(
    'agrees with JSON.stringify',
    (value, indent) => {
      // Big numbers are written with all their digits here.
      fc.pre(!/\de\+/.test(JSON.stringify(value)));
      expect(stringify(JSON.parse(JSON.stringify(value)) as Json, { indent })).toBe(
        JSON.stringify(value, null, indent),
      );
    },
  );
  test('G18: 100,000 levels are written without the call stack, in pieces of bounded size', () => {
    let value: Json = 1;
    for (let level = 0; level < 50_000; level += 1) value = [{ a: value }];
    const pieces = [...stringifyPieces(value)];
    expect(pieces.join('')).toBe(`${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000);
  });
  test('a big document comes in pieces', () => {
    const value = Array.from({ length: 20_000 }, (_, index) => ({ id: index, text: 'some text' }));
    const pieces = [...stringifyPieces(value)];
    expect(pieces.join('')).toBe(JSON.stringify(value));
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000);
  });
});

describe('equalJson', () => {
  test('the order of keys does not matter, spelling of numbers neither, everything else does', () => {
    expect(equalJson({ a: 1, b: [2] }, { b: [new JsonNumber('2.0')], a: 1 })).toBe(true);
    expect(equalJson([1, 2], [2, 1])).toBe(false);
    expect(equalJson({ a: null }, {})).toBe(false);
    expect(equalJson({ a: 1 }, { b: 1 })).toBe(false);
    expect(equalJson([], {})).toBe(false);
    expect(equalJson(null, {})).toBe(false);
    expect(equalJson('1', 1)).toBe(false);
    expect(equalJson(new JsonNumber('9007199254740993'), 9007199254740992)).toBe(false);
  });
  test('G4: inherited names are no keys', () => {
    const own: MutableJsonObject = {};
    setOwn(own, '__proto__', { a: 1 });
    expect(equalJson(own, {})).toBe(false);
    expect(equalJson({ constructor: 1 }, { toString: 1 })).toBe(false);
    expect(equalJson(own, JSON.parse('{"__proto__":{"a":1}}') as Json)).toBe(true);
  });
});

describe('G20: canonical JSON', () => {
  test('keys by code point, numbers by value, no white space', () => {
    const value = { '\uffff': 1, '😀': 2, b: { z: new JsonNumber('10e399'), a: [-0] }, a: '\ud800' };
    expect(canonicalJson(value)).toBe('{"a":"\\ud800","b":{"a":[0],"z":1e+400},"\uffff":1,"😀":2}');
  });
  property.prop([anyJson])('equal values give equal text, whatever the order of their keys', (value) => {
    expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
    expect(equalJson(turned(value), value)).toBe(true);
  });
  property.prop([anyString, anyString])('text is ordered as its UTF-8 is', (left, right) => {
    const bytes = (text: string) => Buffer.from(text.toWellFormed(), 'utf8');
    if (!left.isWellFormed() || !right.isWellFormed()) return;
    expect(Math.sign(compareText(left, right))).toBe(Math.sign(Buffer.compare(bytes(left), bytes(right))));
  });
});

/** The same value with the keys of all its objects in the opposite order. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return value;
  const object: MutableJsonObject = {};
  for (const key of Object.keys(value).reverse())
    setOwn(object, key, turned((value as MutableJsonObject)[key] as Json));
  return object;
}
