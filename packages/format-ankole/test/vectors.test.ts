import {
  encodeText,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  modelVisibleChatml,
  parseJson,
  sha256Hex,
} from '@pchronicle/storyline-core';
import { afterAll, describe, expect, test } from 'vitest';
import {
  isCanonicalHeader,
  isCanonicalMessage,
  parseEnvelope,
  projectItem,
  providerView,
} from '../src/index.ts';
import { vectorCases, vectorFiles, withParsedTexts } from './support/vectors.ts';

/** Runs each case of a vector as a test, and says how many there are. */
function eachCase(
  number: string,
  count: number,
  check: (input: Json, expected: JsonObject, name: string) => void,
): void {
  const cases = vectorCases(number);
  test(`vector ${number} has ${count} cases`, () => expect(cases).toHaveLength(count));
  let passed = 0;
  test.each(cases.map((one) => [one.name, one] as const))(`vector ${number}: %s`, (name, one) => {
    check(one.input, one.expected as JsonObject, name);
    passed += 1;
  });
  afterAll(() => console.log(`vector ${number}: ${passed} of ${count} cases pass`));
}

test('the 14 vectors that are asked for and present are here', () => {
  expect(vectorFiles.map((name) => name.slice(0, 2))).toEqual(
    '01 02 04 06 07 08 09 10 11 13 16 19 21 24'.split(' '),
  );
});

describe('K7: the model view of a ChatML document', () => {
  for (const [number, count] of [
    ['01', 3],
    ['02', 4],
    ['04', 4],
    ['06', 2],
  ] as const)
    eachCase(number, count, (input, expected) =>
      expect(modelVisibleChatml(input as JsonObject)).toEqual(expected),
    );
  eachCase('07', 10, (input, expected) => {
    const parsed = parseEnvelope(input);
    if (getOwn(expected, 'ok') === true && parsed.ok)
      expect({ ok: true, output: modelVisibleChatml(parsed.output) }).toEqual(expected);
    else expect(parsed).toEqual(expected);
  });
});

describe('items of a job turn', () => {
  for (const [number, count] of [
    ['08', 14],
    ['09', 13],
    ['10', 7],
    ['11', 7],
  ] as const)
    eachCase(number, count, (input, expected) => {
      const { messages, truncated } = projectItem(input);
      expect(withParsedTexts(messages)).toEqual(withParsedTexts(getOwn(expected, 'messages') ?? null));
      expect(truncated).toBe(getOwn(expected, 'truncated'));
      expect(messages.map(isCanonicalMessage)).toEqual(getOwn(expected, 'each_message_valid'));
    });

  test('arguments come out in byte order, without spaces', () => {
    const { messages } = projectItem({
      type: 'fileChange',
      id: 'f',
      changes: { b: 1, a: [{ z: 1, é: 2, A: 3 }] },
    });
    const [call] = getOwn(messages[0] as JsonObject, 'tool_calls') as JsonObject[];
    expect(((call as JsonObject).function as JsonObject).arguments).toBe(
      '{"changes":{"a":[{"A":3,"z":1,"é":2}],"b":1}}',
    );
  });

  eachCase('13', 3, (input, expected) => {
    const { messages, truncated } = projectItem(input);
    const [call] = getOwn(messages[0] as JsonObject, 'tool_calls') as JsonObject[];
    const text = ((call as JsonObject).function as JsonObject).arguments as string;
    const decoded = parseJson(text).value as JsonObject;
    const preview = getOwn(decoded, 'preview');
    const bytes = typeof preview === 'string' ? encodeText(preview) : undefined;
    const marker = typeof preview === 'string' ? preview.indexOf('...[truncated]') : -1;
    expect({
      truncated,
      arguments_bytes: encodeText(text).length,
      arguments_sha256: sha256Hex(text),
      decoded_keys: Object.keys(decoded),
      preview_bytes: bytes?.length ?? null,
      preview_head: typeof preview === 'string' ? [...preview].slice(0, 20).join('') : null,
      preview_tail: typeof preview === 'string' ? [...preview].slice(-12).join('') : null,
      marker_at_byte: typeof preview === 'string' ? encodeText(preview.slice(0, marker)).length : null,
    }).toEqual(expected);
  });
});

describe('canonical validity', () => {
  eachCase('16', 23, (input, expected, name) => {
    const isCanonical = name.startsWith('header') ? isCanonicalHeader : isCanonicalMessage;
    expect(isCanonical(input)).toBe(expected as Json);
  });
});

describe('the provider view', () => {
  eachCase('19', 16, (input, expected) => {
    const items = isJsonArray(input) ? input.filter(isJsonObject) : [];
    expect(providerView(items)).toEqual(expected);
  });
});
