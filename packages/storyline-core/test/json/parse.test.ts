import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/import/events.ts';
import { encodeText, parseJson } from '../../src/json/parse.ts';
import { parseCarefully } from '../../src/json/parse-carefully.ts';
import { parseFast } from '../../src/json/parse-fast.ts';
import { stringify } from '../../src/json/stringify.ts';
import { type Json, JsonNumber } from '../../src/json/value.ts';
import { anyJson, isSame } from './arbitraries.ts';

const codes = (input: string | Uint8Array, options = {}) =>
  parseJson(input, options).issues.map(({ code }) => code);

/** Parses with pieces of a few bytes, so that nearly every container is assembled. */
const parseInPieces = (text: string, piece: number) =>
  parseFast(encodeText(text), DEFAULT_LIMITS, false, piece);

describe('G2: numbers keep their value and every digit', () => {
  test.each([
    ['9007199254740993', new JsonNumber('9007199254740993')],
    ['-9007199254740993', new JsonNumber('-9007199254740993')],
    ['1786000000123456789', new JsonNumber('1786000000123456789')],
    ['1e400', new JsonNumber('1e400')],
    ['-1E+400', new JsonNumber('-1E+400')],
    ['1e-400', new JsonNumber('1e-400')],
    ['4e-324', new JsonNumber('4e-324')],
    ['0.12345678901234567890', new JsonNumber('0.12345678901234567890')],
    ['0.1', 0.1],
    ['1.0', 1],
    ['1e5', 100000],
    ['1e23', 1e23],
    ['1e-05', 0.00001],
    ['5e-324', 5e-324],
    ['0e999', 0],
    ['1.50000000000000000000', 1.5],
    ['9007199254740992', 9007199254740992],
    ['123456789012345680000', 123456789012345680000],
    ['100000000000000000000000', 1e23],
    ['0.30000000000000004', 0.30000000000000004],
  ])('%s', (token, expected) => {
    for (const text of [token, ` ${token}\n`])
      expect(parseJson(text)).toStrictEqual({ value: expected, issues: [] });
    expect(parseJson(`{"a":[${token},"x"]}`).value).toStrictEqual({ a: [expected, 'x'] });
  });
  test.each(['-0', '-0.0', '-0e5'])('%s stays -0', (token) => {
    expect(parseJson(`[${token}]`).value).toStrictEqual([-0]);
  });
  test('floats are kept apart where a format asks for it', () => {
    const { value } = parseJson('[1.0,1e5,-0.0,0.1,1,1e400,2.50]', { keepFloats: true });
    const floats = ['1.0', '1e5', '-0.0'].map((token) => new JsonNumber(token));
    expect(value).toStrictEqual([...floats, 0.1, 1, new JsonNumber('1e400'), 2.5]);
  });
  test('subnormal numbers of the source are not taken for marks', () => {
    const text = '[5e-324,1e-323,9007199254740993,1.5e-323,"5e-324",2e-323,1e400]';
    const exact = (token: string) => new JsonNumber(token);
    const expected = [5e-324, 1e-323, exact('9007199254740993'), 1.5e-323, '5e-324', 2e-323, exact('1e400')];
    expect(parseJson(text).value).toStrictEqual(expected);
  });
  test('many exact numbers over many pieces', () => {
    const tokens = Array.from(
      { length: 5000 },
      (_, index) => `90071992547409${String(index).padStart(4, '0')}1`,
    );
    const value = parseJson(`{"ids":[${tokens.join(',')}]}`).value as { ids: Json[] };
    expect(value.ids.map(String)).toStrictEqual(tokens);
  });
});

describe('G3: strings', () => {
  test('lone surrogates, U+0000 and any Unicode survive, as escapes and as raw units', () => {
    const text = `["\\ud800","\\u0000","😀","\ud83d","\\\\\ud800"]`;
    expect(parseJson(text).value).toStrictEqual(['\ud800', '\u0000', '😀', '\ud83d', '\\\ud800']);
  });
  test('a raw lone surrogate after a lone backslash is an illegal escape', () => {
    expect(codes('"\\\ud800"')).toStrictEqual(['json/syntax']);
  });
  test('a byte order mark before the value is skipped, elsewhere it is wrong', () => {
    expect(parseJson('\ufeff{"a":1}')).toStrictEqual({ value: { a: 1 }, issues: [] });
    expect(parseJson('\ufeff[x]').issues[0]?.at).toMatchObject({ offset: 4, pointer: '/0' });
    expect(codes('[\ufeff1]')).toStrictEqual(['json/syntax']);
  });
  test('invalid UTF-8 anywhere is an error at its byte', () => {
    const bytes = encodeText('{"key":"välue","n":[1,true,null]}');
    for (let offset = 0; offset < bytes.length; offset += 1) {
      const broken = bytes.slice();
      broken[offset] = 0xff;
      const { value, issues } = parseJson(broken);
      // In the middle of ä, the sequence that the byte breaks begins one byte before.
      const at = offset === 10 ? 9 : offset;
      expect(value).toBeUndefined();
      expect(issues).toMatchObject([
        { code: 'json/invalid-utf8', severity: 'error', at: { offset: at, line: 1, column: at + 1 } },
      ]);
    }
  });
  test.each([
    ['overlong', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x80]],
    ['cut short', [0xe4, 0xbd]],
  ])('UTF-8 that is %s is refused', (_, sequence) => {
    expect(codes(new Uint8Array([0x22, ...sequence, 0x22]))).toStrictEqual(['json/invalid-utf8']);
  });
});

describe('G4: object keys are data', () => {
  test('__proto__ and constructor are own keys, at any size', () => {
    const long = 'x'.repeat(50_000);
    for (const text of [
      '{"__proto__":{"polluted":1},"constructor":2}',
      `{"pad":"${long}","__proto__":{"polluted":1,"pad":"${long}"},"constructor":2}`,
    ]) {
      const value = parseJson(text).value as Record<string, unknown>;
      expect(Object.hasOwn(value, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect((value as { polluted?: unknown }).polluted).toBeUndefined();
      expect(Object.hasOwn(value, 'constructor')).toBe(true);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('G5: duplicate keys', () => {
  test('the last one wins, with a warning that gives the pointer and the place of the second', () => {
    const { value, issues } = parseJson('{"a":{"b/c":1,\n"b/c":2}}');
    expect(value).toStrictEqual({ a: { 'b/c': 2 } });
    expect(issues).toMatchObject([
      {
        code: 'json/duplicate-key',
        severity: 'warning',
        at: { pointer: '/a/b~1c', offset: 15, line: 2, column: 1 },
      },
    ]);
  });
  test('are seen over pieces, with escapes, beside exact numbers, and for __proto__', () => {
    const long = 'x'.repeat(50_000);
    expect(codes(`{"a":1,"pad":"${long}","more":"${long}","a":2}`)).toStrictEqual(['json/duplicate-key']);
    expect(codes('{"a":1e400,"\\u0061":2}')).toStrictEqual(['json/duplicate-key']);
    expect(codes('{"__proto__":1,"__proto__":2}')).toStrictEqual(['json/duplicate-key']);
    expect(codes(`[{"a":["${long}"]},{"b":["${long}"],"b":["${long}"]}]`)).toStrictEqual([
      'json/duplicate-key',
    ]);
  });
  property.prop([anyJson, fc.integer({ min: 1, max: 40 })])(
    'are never reported where there are none',
    (value, piece) => {
      expect(parseInPieces(stringify(value), piece)?.duplicates).toBe(false);
    },
  );
});

describe('G6: NaN and Infinity', () => {
  const text = '{"a":NaN,\n "b":[-Infinity, Infinity],"c":1}';
  test('are errors with line, column and pointer', () => {
    const { value, issues } = parseJson(text);
    expect(value).toBeUndefined();
    expect(issues).toMatchObject([
      { code: 'json/non-finite', severity: 'error', at: { pointer: '/a', offset: 5, line: 1, column: 6 } },
      { code: 'json/non-finite', severity: 'error', at: { pointer: '/b/0', offset: 16, line: 2, column: 7 } },
      {
        code: 'json/non-finite',
        severity: 'error',
        at: { pointer: '/b/1', offset: 27, line: 2, column: 18 },
      },
    ]);
  });
  test('are read as null with one issue each when asked for', () => {
    const { value, issues } = parseJson(text, { nonFinite: 'null' });
    expect(value).toStrictEqual({ a: null, b: [null, null], c: 1 });
    expect(issues.map(({ severity, at }) => [severity, at.pointer])).toStrictEqual([
      ['warning', '/a'],
      ['warning', '/b/0'],
      ['warning', '/b/1'],
    ]);
  });
  test('are kept as their token where a format wants that', () => {
    const exact = (token: string) => new JsonNumber(token);
    const expected = {
      value: { a: exact('NaN'), b: [exact('-Infinity'), exact('Infinity')], c: 1 },
      issues: [],
    };
    expect(parseJson(text, { nonFinite: 'keep' })).toStrictEqual(expected);
    expect(stringify(expected.value)).toBe('{"a":NaN,"b":[-Infinity,Infinity],"c":1}');
  });
});

describe('G18: limits', () => {
  test('100,000 levels are too deep, not a crash, and fine where they are allowed', () => {
    const text = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
    const { value, issues } = parseJson(text);
    expect(value).toBeUndefined();
    expect(issues).toMatchObject([{ code: 'core/too-deep', severity: 'error', at: { offset: 1000 } }]);
    expect(issues[0]?.at.pointer.length).toBeLessThanOrEqual(256);
    const deep = parseJson(text, { limits: { depth: 200_000 } });
    expect(deep.issues).toStrictEqual([]);
    expect(stringify(deep.value as Json)).toBe(text);
  });
  test('objects nested 100,000 levels', () => {
    const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(codes(text)).toStrictEqual(['core/too-deep']);
    expect(stringify(parseJson(text, { limits: { depth: 100_000 } }).value as Json)).toBe(text);
  });
  test('exactly the limit passes', () => {
    expect(codes('[[[1]]]', { limits: { depth: 3 } })).toStrictEqual([]);
    expect(codes('[[[1]]]', { limits: { depth: 2 } })).toStrictEqual(['core/too-deep']);
    expect(codes('"12345"', { limits: { stringBytes: 5 } })).toStrictEqual([]);
    expect(codes('"123456"', { limits: { stringBytes: 5 } })).toStrictEqual(['core/value-too-large']);
    expect(codes('{"123456":1}', { limits: { stringBytes: 5 } })).toStrictEqual(['core/value-too-large']);
    expect(codes('[1,2]', { limits: { recordBytes: 5 } })).toStrictEqual([]);
    expect(codes('[1,2,3]', { limits: { recordBytes: 5 } })).toStrictEqual(['core/value-too-large']);
  });
  test('the issue of a long string says where it is', () => {
    const { issues } = parseJson(`{"a":["${'x'.repeat(100)}"]}`, { limits: { stringBytes: 64 } });
    expect(issues).toMatchObject([{ code: 'core/value-too-large', at: { pointer: '/a/0', offset: 6 } }]);
  });
  test('an exponent of a million digits takes no time', () => {
    const token = `1e${'9'.repeat(1_000_000)}`;
    expect(String((parseJson(`[${token}]`).value as Json[])[0])).toBe(token);
  });
});

describe('what is no JSON', () => {
  test.each([
    ['', 'json/empty', 0, ''],
    [' \n\t', 'json/empty', 0, ''],
    ['\ufeff', 'json/empty', 3, ''],
    ['[1,]', 'json/syntax', 3, '/1'],
    ['[,1]', 'json/syntax', 1, '/0'],
    ['[1 2]', 'json/syntax', 3, '/1'],
    ['{"a":1,}', 'json/syntax', 7, ''],
    ['{a:1}', 'json/syntax', 1, ''],
    ['{"a" 1}', 'json/syntax', 5, '/a'],
    ['{"a":}', 'json/syntax', 5, '/a'],
    ['{"a":1 "b":2}', 'json/syntax', 7, '/a'],
    ['[1}', 'json/syntax', 2, '/1'],
    ['{"a":[1}}', 'json/syntax', 7, '/a/1'],
    ['[01]', 'json/syntax', 1, '/0'],
    ['[1.]', 'json/syntax', 1, '/0'],
    ['[.5]', 'json/syntax', 1, '/0'],
    ['[+1]', 'json/syntax', 1, '/0'],
    ['[1e]', 'json/syntax', 1, '/0'],
    ['[--1]', 'json/syntax', 1, '/0'],
    ['[1_0]', 'json/syntax', 2, '/1'],
    ['[True]', 'json/syntax', 1, '/0'],
    ['[nul]', 'json/syntax', 1, '/0'],
    ["['a']", 'json/syntax', 1, '/0'],
    ['["a\nb"]', 'json/syntax', 3, '/0'],
    ['["a\\x"]', 'json/syntax', 3, '/0'],
    ['["\\u12g4"]', 'json/syntax', 2, '/0'],
    ['{"k\\q":1}', 'json/syntax', 3, ''],
    ['1 2', 'json/syntax', 2, ''],
    ['[1]]', 'json/syntax', 3, ''],
    ['hello', 'json/syntax', 0, ''],
    ['{"a":1}/*c*/', 'json/syntax', 7, ''],
    ['[1\u00a0]', 'json/syntax', 2, '/1'],
    ['nu', 'json/truncated', 2, ''],
    ['-', 'json/truncated', 1, ''],
    ['"a\\', 'json/truncated', 3, ''],
    ['"a\\u12', 'json/truncated', 6, ''],
  ])('%j is %s at byte %i', (text, code, offset, pointer) => {
    const { value, issues } = parseJson(text);
    expect(value).toBeUndefined();
    expect(issues.map((issue) => [issue.code, issue.at.offset, issue.at.pointer])).toStrictEqual([
      [code, offset, pointer],
    ]);
  });

  test('truncation at every byte is located at the end', () => {
    const bytes = encodeText('{"käy":["väl\\u00e9ue\\n",-1.5e+3,true,null,{"":{}}],"b":[[]]}');
    for (let length = 1; length < bytes.length; length += 1) {
      const { value, issues } = parseJson(bytes.subarray(0, length));
      expect(value).toBeUndefined();
      expect(issues.map(({ code, at }) => [code, at.offset])).toStrictEqual([['json/truncated', length]]);
    }
  });

  test('line and column count from the base', () => {
    const base = { source: 'f', record: 2, offset: 100, line: 10, column: 5, pointer: '/x' };
    expect(parseJson('[1,x]', { base }).issues[0]?.at).toStrictEqual({
      source: 'f',
      record: 2,
      offset: 103,
      line: 10,
      column: 8,
      pointer: '/x/1',
    });
    expect(parseJson('[1,\n x]', { base }).issues[0]?.at).toStrictEqual({
      source: 'f',
      record: 2,
      offset: 105,
      line: 11,
      column: 2,
      pointer: '/x/1',
    });
  });

  // One wrong byte at a time: what JSON.parse refuses is refused, whatever the pieces, and what it accepts gives the same value.
  property.prop([
    anyJson,
    fc.nat(),
    fc.constantFrom(...'[]{},:"\\0-1e. \nnt', ''),
    fc.integer({ min: 1, max: 60 }),
  ])('agrees with JSON.parse on damaged text', (value, where, replacement, piece) => {
    const text = stringify(value);
    const at = where % (text.length + 1);
    const damaged = text.slice(0, at) + replacement + text.slice(at + 1);
    let expected: Json | undefined;
    try {
      expected = JSON.parse(damaged) as Json;
    } catch {
      expected = undefined;
    }
    const fast = parseInPieces(damaged, piece);
    const { value: found, issues } = parseJson(damaged);
    expect(fast === undefined).toBe(expected === undefined);
    expect(found === undefined).toBe(expected === undefined);
    expect(issues.some(({ severity }) => severity === 'error')).toBe(expected === undefined);
    if (found !== undefined) expect(isSame(found, fast?.value ?? null)).toBe(true);
  });
});

describe('the ways to parse agree', () => {
  property.prop([anyJson, fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, 1, 3)])(
    'parse(stringify(v)) is v, for any size of the pieces',
    (value, piece, indent) => {
      const text = stringify(value, { indent });
      const fast = parseInPieces(text, piece);
      expect(fast !== undefined && isSame(fast.value, value)).toBe(true);
      expect(isSame(parseJson(text).value as Json, value)).toBe(true);
      const careful = parseCarefully(encodeText(text), {
        limits: DEFAULT_LIMITS,
        nonFinite: 'error',
        keepFloats: false,
        report: (_, code) => expect.unreachable(code),
      });
      expect(careful !== undefined && isSame(careful, value)).toBe(true);
    },
  );
});
