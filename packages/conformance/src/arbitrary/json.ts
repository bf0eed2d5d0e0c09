import { type Json, JsonNumber, type MutableJsonObject, setOwn } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';

/** What a generated JSON value may hold besides the ordinary. */
export interface JsonOptions {
  /** Keys that break careless code: `__proto__`, `constructor`, "", keys with `/` and `~`, integer-like keys (decision G4); default true. */
  readonly hostileKeys?: boolean;
  /** Numbers that a double would respell: 64-bit ids, 1e400, long fractions, -0 (decision G2); default true. */
  readonly exactNumbers?: boolean;
  /** Halves of surrogate pairs, U+0000 and other Unicode that must survive (decision G3); default true. */
  readonly loneSurrogates?: boolean;
  /** How deep objects and arrays may nest; default 4. */
  readonly depth?: number;
}

const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'a/b',
  'm~n',
  '~1',
  '0',
  '10',
  '-1',
  '*',
  'length',
  '_storyline',
  '键',
  '🙂',
];

const exactTokens = [
  '9007199254740993',
  '-9223372036854775808',
  '18446744073709551615',
  '1786000000123456789',
  '1e400',
  '-1E-400',
  '0.1234567890123456789',
  '123456789012345678901234567890',
];

/** Any JSON text: ordinary words, Chinese, emoji, and what breaks careless code. */
export function arbitraryText(options: Pick<JsonOptions, 'loneSurrogates'> = {}): fc.Arbitrary<string> {
  const ordinary = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      '',
      ' ',
      'null',
      'NaN',
      '[1,2]',
      '{"a":1}',
      '你好',
      '🙂👩‍👩‍👧',
      'line\nline\r\n',
      '"quoted" \\ ',
    ),
  );
  if (options.loneSurrogates === false) return ordinary;
  const odd = fc.constantFrom(
    '\ud800',
    '\udc00x',
    'x\udfff\ud83d',
    '\u0000',
    '\u2028',
    '\ufeffbom',
    '\ufffe',
  );
  return fc.oneof({ weight: 6, arbitrary: ordinary }, { weight: 1, arbitrary: odd });
}

/** Any JSON number: safe integers, doubles, and tokens that a double cannot hold. */
export function arbitraryNumber(
  options: Pick<JsonOptions, 'exactNumbers'> = {},
): fc.Arbitrary<number | JsonNumber> {
  const ordinary = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  );
  if (options.exactNumbers === false) return ordinary;
  const exact = fc.oneof(
    fc.constantFrom(...exactTokens).map((token) => new JsonNumber(token)),
    fc.constant(-0),
  );
  return fc.oneof({ weight: 5, arbitrary: ordinary }, { weight: 1, arbitrary: exact });
}

/** Any key of a JSON object. */
export function arbitraryKey(options: JsonOptions = {}): fc.Arbitrary<string> {
  const ordinary = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'abcxyz_'), minLength: 1, maxLength: 8 }),
    arbitraryText(options),
  );
  if (options.hostileKeys === false) return ordinary.filter((key) => !hostileKeys.includes(key));
  return fc.oneof(
    { weight: 4, arbitrary: ordinary },
    { weight: 1, arbitrary: fc.constantFrom(...hostileKeys) },
  );
}

/** Any JSON value, exact and hostile unless told otherwise; every key, `__proto__` included, is an own key. */
export function arbitraryJson(options: JsonOptions = {}): fc.Arbitrary<Json> {
  const { depth = 4 } = options;
  const scalar: fc.Arbitrary<Json> = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    arbitraryNumber(options),
    arbitraryText(options),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: depth, depthSize: 'small' },
      { weight: 3, arbitrary: scalar },
      { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
      { weight: 2, arbitrary: arbitraryObjectOf(tie('value'), options) },
    ),
  }));
  return value;
}

/** A JSON object with values of one kind. */
export function arbitraryObjectOf(
  values: fc.Arbitrary<Json>,
  options: JsonOptions = {},
): fc.Arbitrary<{ readonly [key: string]: Json }> {
  return fc.array(fc.tuple(arbitraryKey(options), values), { maxLength: 4 }).map((entries) => {
    const object: MutableJsonObject = {};
    for (const [key, value] of entries) setOwn(object, key, value);
    return object;
  });
}
