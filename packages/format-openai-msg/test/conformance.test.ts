import {
  bytesSource,
  equalJson,
  exportValue,
  getOwn,
  isJsonArray,
  type Json,
  readHead,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { exportOpenaiMessages, importOpenaiMessages, openaiMessages } from '../src/index.ts';
import { at, pointersOf, readCases, textOf, wordsOf } from './support/cases.ts';

const cases = readCases('conformance');
const ofKind = (op: string) =>
  cases.filter((one) => getOwn(one, 'op') === op).map((one) => [textOf(one, 'name'), one] as const);

function importCase(one: (typeof cases)[number]) {
  return importOpenaiMessages(getOwn(one, 'input') ?? null, { source: textOf(one, 'path') });
}

function check(result: Json, one: (typeof cases)[number]): void {
  const expected = getOwn(one, 'expected');
  const pointers = pointersOf(one);
  expect(expected !== undefined || pointers.length > 0).toBe(true);
  if (expected !== undefined) expect(result).toEqual(expected);
  for (const { pointer, wanted } of pointers) {
    const found = at(result, pointer);
    const fits = wanted.some((value) =>
      value === undefined ? found === undefined : found !== undefined && equalJson(found, value),
    );
    expect(fits, `${pointer}: found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`).toBe(true);
  }
}

test('all 56 cases are here', () => {
  expect(cases.length).toBe(56);
  expect(
    ofKind('import').length + ofKind('export').length + ofKind('roundtrip').length + ofKind('reject').length,
  ).toBe(56);
});

test.each(ofKind('import'))('%s', (_, one) => {
  const { storylines, issues } = importCase(one);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  check(storylines.map(storylineToJson), one);
});

test.each(ofKind('export'))('%s', (_, one) => {
  const { value, issues } = exportValue(openaiMessages, getOwn(one, 'input') as unknown as Storyline[]);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  check(value ?? null, one);
});

test.each(ofKind('roundtrip'))('%s', (_, one) => {
  const first = importCase(one);
  const { value, issues } = exportValue(openaiMessages, first.storylines);
  expect(issues).toEqual([]);
  check(value ?? null, one);
  const second = importOpenaiMessages(value ?? null, { source: textOf(one, 'path') });
  expect(second.storylines).toEqual(first.storylines);
});

const rejections: { readonly [name: string]: readonly [code: string, pointer: string] } = {
  'openai-export-reject-mixed-source-files': ['core/several-documents', ''],
  'openai-export-reject-user-without-agent': ['openai-msg/request-without-response', '/turns/0'],
  'openai-reject-container-object-without-rows': ['openai-msg/no-rows', ''],
  'openai-reject-container-scalar': ['json/syntax', ''],
  'openai-reject-empty': ['openai-msg/no-rows', ''],
  'openai-reject-no-output': ['openai-msg/no-output', '/session_steps/0'],
  'openai-reject-session-id-missing': ['openai-msg/session-id', '/session_steps/0/session_id'],
  'openai-reject-step-id-duplicate': ['openai-msg/duplicate-step-id', '/session_steps/1/step_id'],
  'openai-reject-step-id-fraction': ['openai-msg/step-id', '/session_steps/0/step_id'],
  'openai-reject-step-id-string': ['openai-msg/step-id', '/session_steps/0/step_id'],
  'openai-reject-unsafe-path': ['openai-msg/unsafe-path', ''],
};

test.each(ofKind('reject'))('%s', (name, one) => {
  const atExport = getOwn(one, 'at') === 'export';
  const { issues, ...rest } = atExport
    ? exportOpenaiMessages(getOwn(one, 'input') as unknown as Storyline[])
    : importCase(one);
  const errors = issues.filter((issue) => issue.severity === 'error');
  expect([errors[0]?.code, errors[0]?.at.pointer]).toEqual(rejections[name]);
  const words = wordsOf(errors).toLowerCase();
  const wanted = getOwn(one, 'expected_error_contains');
  for (const word of isJsonArray(wanted) ? wanted : []) expect(words).toContain(String(word).toLowerCase());
  expect('storylines' in rest ? rest.storylines : rest.text).toHaveLength(0);
});

describe('detection', () => {
  const document = JSON.stringify({ session_steps: [{ session_id: 's', step_id: 1, messages: [] }] });

  test.each([
    ['line', `${document}\n${document}\n`],
    ['element', `[${document},${document}]`],
  ])(
    'G7: several documents in one file are not claimed, and the hint says that each %s is one',
    async (what, text) => {
      const { confidence, hint } = openaiMessages.detect(await readHead(bytesSource('input', text)));
      expect(confidence).toBe('no');
      expect(hint).toContain(`each ${what} is a document with session_steps`);
    },
  );

  const detections = readCases('detect').map((one) => [textOf(one, 'name'), one] as const);

  test.each(detections)('%s', async (_, one) => {
    const input = getOwn(one, 'input') as { readonly text: string; readonly name?: string };
    const head = await readHead(bytesSource(input.name ?? 'input', input.text));
    const { format } = getOwn(one, 'expected') as { readonly format: string | null };
    const { confidence, why } = openaiMessages.detect(head);
    expect(why).not.toBe('');
    expect(confidence).toBe(format === 'openai-msg' ? 'yes' : 'no');
  });
});
