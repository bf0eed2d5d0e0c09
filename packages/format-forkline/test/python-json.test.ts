import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalForm, canonicalHash } from '../src/canon/index.ts';
import { compareCodePoints, floatText, parsePythonJson, pythonJson } from '../src/python/index.ts';
import { counted, fixture, python } from './support/fixtures.ts';

interface CanonVector {
  readonly id: string;
  readonly json_text?: string;
  readonly canonical_utf8?: string;
  readonly canonical_hex?: string;
  readonly sha256?: string;
  readonly error?: { readonly type: string };
}

test('vector 01: canonical text and hash of every JSON input', () => {
  const { vectors } = fixture<{ vectors: readonly CanonVector[] }>('01-canon/expected.json');
  let compared = 0;
  for (const vector of vectors) {
    if (vector.json_text === undefined) continue;
    compared += 1;
    const value = python(vector.json_text);
    const form = canonicalForm(value);
    if (vector.error !== undefined) {
      // Forkline crashes; we define a text and say that it cannot be compared.
      expect([vector.id, form.comparable]).toEqual([vector.id, false]);
      continue;
    }
    expect([vector.id, form]).toEqual([vector.id, { text: vector.canonical_utf8, comparable: true }]);
    expect(Buffer.from(form.text, 'utf8').toString('hex')).toBe(vector.canonical_hex);
    expect(canonicalHash(value)).toBe(vector.sha256);
  }
  counted('01', compared, 57);
});

test('vector 02: 126 doubles as Python lays them out', () => {
  const vectors = fixture<readonly { json_text: string; canonical_utf8: string; sha256: string }[]>(
    '02-canon-floats/expected.json',
  );
  let compared = 0;
  for (const { json_text, canonical_utf8, sha256 } of vectors) {
    const value = python(json_text);
    expect([json_text, canonicalForm(value).text]).toEqual([json_text, canonical_utf8]);
    expect(canonicalHash(value)).toBe(sha256);
    compared += 1;
  }
  counted('02', compared, 126);
});

interface ParseVector {
  readonly json_text?: string;
  readonly json_text_note?: string;
  readonly ok: boolean;
  readonly redumped?: string;
  readonly error?: { readonly message: string };
}

test('vector 03: what Python accepts, where it stops, and the text it stores', () => {
  const vectors = fixture<readonly ParseVector[]>('03-json-parse/expected.json');
  let compared = 0;
  for (const vector of vectors) {
    const text =
      vector.json_text ??
      (vector.json_text_note?.startsWith('int of 4301')
        ? `{"a":${'1'.repeat(4301)}}`
        : '['.repeat(200) + ']'.repeat(200));
    const parsed = parsePythonJson(text, { limitDigits: true });
    compared += 1;
    expect([text.slice(0, 60), 'value' in parsed]).toEqual([text.slice(0, 60), vector.ok]);
    if ('value' in parsed) {
      expect(pythonJson(parsed.value).slice(0, vector.redumped?.length)).toBe(vector.redumped);
    } else {
      const place = /line (\d+) column (\d+) \(char (\d+)\)/.exec(vector.error?.message ?? '');
      if (place === null) continue;
      const { line, column, position } = parsed.fault;
      expect([text, line, column, position]).toEqual([text, ...place.slice(1).map(Number)]);
    }
  }
  counted('03', compared, 42);
});

describe('Python JSON text', () => {
  test('keys are ordered by code point, lone surrogates included', () => {
    const keys = ['\ud83d\ude00', '\ue000', '\uffff', '\ud800', 'z', 'é', '\ud83d', '\ud83dx', ''];
    const points = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0);
    const byPoint = (a: string, b: string): number => {
      const [left, right] = [points(a), points(b)];
      const at = left.findIndex((point, index) => point !== right[index]);
      if (at === -1) return left.length - right.length;
      return right[at] === undefined ? 1 : (left[at] ?? 0) - (right[at] ?? 0);
    };
    expect([...keys].sort(compareCodePoints)).toEqual([...keys].sort(byPoint));
    const anyText = fc
      .array(fc.constantFrom('\ud83d', '\ude00', '\ue000', 'a', '\ud800', '\udc00'))
      .map((a) => a.join(''));
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(byPoint(a, b)));
      }),
    );
  });

  test('a float reads back as the same double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Number(floatText(value)), value)).toBe(true);
        expect(floatText(value)).toMatch(/[.e]/);
      }),
    );
  });

  test('any JSON is read as JSON.parse reads it, and written so that it reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value);
        const parsed = python(text);
        expect(JSON.parse(pythonJson(parsed))).toEqual(JSON.parse(text));
        const again = python(pythonJson(parsed, indent === undefined ? {} : { indent }));
        expect(pythonJson(again)).toBe(pythonJson(parsed));
      }),
    );
  });

  test('nesting beyond the limit is a fault, at the limit it is not, and neither recurses', () => {
    for (const [levels, ok] of [
      [1_000, true],
      [1_001, false],
      [200_000, false],
    ] as const) {
      expect('value' in parsePythonJson('['.repeat(levels) + ']'.repeat(levels))).toBe(ok);
      expect('value' in parsePythonJson(`${'{"a":'.repeat(levels)}1.0${'}'.repeat(levels)}`)).toBe(ok);
    }
    const deep = python('['.repeat(1_000) + ']'.repeat(1_000));
    expect(pythonJson(deep)).toHaveLength(2_000);
    expect(canonicalForm(deep).text).toHaveLength(2_000);
  });

  test('__proto__ is a key like any other', () => {
    const value = python('{"__proto__": {"a": 1.0}, "constructor": null}');
    expect(pythonJson(value)).toBe('{"__proto__": {"a": 1.0}, "constructor": null}');
    expect(canonicalForm(value).text).toBe('{"__proto__":{"a":1.0},"constructor":null}');
  });
});
