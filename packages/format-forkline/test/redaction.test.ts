import type { Json } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { pythonJson } from '../src/python/index.ts';
import {
  FORKLINE_04_POLICY,
  FORKLINE_05_POLICY,
  type RedactionRule,
  redact,
} from '../src/redaction/index.ts';
import { counted, fixture, python } from './support/fixtures.ts';

interface RawRule {
  readonly action: RedactionRule['action'];
  readonly key_pattern: string | null;
  readonly path_pattern: string | null;
}

function ruleOf({ action, key_pattern, path_pattern }: RawRule): RedactionRule {
  return {
    action,
    ...(key_pattern === null ? {} : { keyPattern: key_pattern }),
    ...(path_pattern === null ? {} : { pathPattern: path_pattern }),
  };
}

test('vector 22: the policy of 0.1 to 0.4, with rules of your own and its hashes', () => {
  const vector = fixture<{
    default_policy: readonly { input: Json; output: Json; key_order: readonly string[] }[];
    custom: readonly { rules: readonly RawRule[]; input: Json; output: Json }[];
    hash_action: readonly { value?: Json; python: string; hash: string }[];
  }>('22-redaction-0.1-to-0.4/expected.json');
  let compared = 0;
  for (const { input, output, key_order } of vector.default_policy) {
    const before = pythonJson(input, { sortKeys: false });
    const found = redact(input, FORKLINE_04_POLICY);
    expect(pythonJson(found, { sortKeys: false })).toBe(pythonJson(output, { sortKeys: false }));
    expect(Object.keys(found as object)).toEqual(key_order);
    expect(pythonJson(input, { sortKeys: false })).toBe(before);
    compared += 1;
  }
  for (const { rules, input, output } of vector.custom) {
    const found = redact(input, { ...FORKLINE_04_POLICY, rules: rules.map(ruleOf) });
    expect(pythonJson(found)).toBe(pythonJson(output));
    compared += 1;
  }
  const hashing = { ...FORKLINE_04_POLICY, rules: [{ action: 'hash', keyPattern: 'v' }] as const };
  for (const { value, python: source, hash } of vector.hash_action) {
    const input = value === undefined ? python(source === 'nan' ? 'NaN' : source) : value;
    expect([source, redact({ v: input }, hashing)]).toEqual([source, { v: hash }]);
    compared += 1;
  }
  counted('22', compared, 44);
});

describe('the policy of 0.5', () => {
  const hide = (value: Json): Json => redact(value, FORKLINE_05_POLICY);

  test('passwd is masked too, counts are as in every version, keys come out sorted', () => {
    expect(
      pythonJson(hide({ z: 1, passwd: 'x', prompt_tokens: 5, a: { author: 'me', b: 1 } }), {
        sortKeys: false,
      }),
    ).toBe(
      '{"a": {"author": "[REDACTED]", "b": 1}, "passwd": "[REDACTED]", "prompt_tokens": "[REDACTED]", "z": 1}',
    );
  });

  test('tokens inside of texts are found, in lists and at the top too', () => {
    expect(hide('t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-_x y')).toBe('t [REDACTED:jwt] y');
    expect(hide(['eyJ.a.b', 'eyJa.b', 'eyJa.b.c eyJd.e.f'])).toEqual([
      'eyJ.a.b',
      'eyJa.b',
      '[REDACTED:jwt] [REDACTED:jwt]',
    ]);
    expect(
      hide({
        m: 'Authorization: Bearer abc.def-ghi_123',
        u: 'BEARER\u00a0tok',
        n: 'bearer $$$',
        f: 'forbearer xyz',
      }),
    ).toEqual({
      m: 'Authorization: Bearer [REDACTED]',
      u: 'Bearer [REDACTED]',
      n: 'bearer $$$',
      f: 'forBearer [REDACTED]',
    });
    const key = `AKIA${'ABCDEFGH12345678'}`;
    expect(hide([`x${key}yy`, key.toLowerCase(), 'AKIA1234'])).toEqual([
      'x[REDACTED:aws_key]yy',
      key.toLowerCase(),
      'AKIA1234',
    ]);
  });

  test('hashes are those of the JSON text: they differ from 0.4 for texts and agree for numbers', () => {
    const rules = [{ action: 'hash', keyPattern: 'v' }] as const;
    const both = (value: Json): readonly Json[] => [
      redact({ v: value }, { ...FORKLINE_04_POLICY, rules }),
      redact({ v: value }, { ...FORKLINE_05_POLICY, rules }),
    ];
    const [text04, text05] = both('a@b.c');
    expect(text04).not.toEqual(text05);
    const [number04, number05] = both(python('1.0'));
    expect(number04).toEqual(number05);
  });

  test('a rule without a pattern is refused, deep values do not recurse, __proto__ is a key', () => {
    expect(() => redact({}, { ...FORKLINE_05_POLICY, rules: [{ action: 'mask' }] })).toThrow(TypeError);
    const deep = python(`${'['.repeat(999)}{"token":1}${']'.repeat(999)}`);
    expect(pythonJson(hide(deep))).toContain('"token": "[REDACTED]"');
    expect(pythonJson(hide(python('{"__proto__": {"token": 1}}')))).toBe(
      '{"__proto__": {"token": "[REDACTED]"}}',
    );
  });
});
