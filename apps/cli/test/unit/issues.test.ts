import type { Issue } from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';
import { issueJson } from '../../src/issues/json.ts';
import { tallyLines } from '../../src/issues/lines.ts';
import { issueLine, placeWords } from '../../src/issues/place.ts';
import { countsInWords, createTally } from '../../src/issues/tally.ts';
import { createStyle } from '../../src/terminal/style.ts';

const reference: Issue = {
  code: 'actf/unknown-tool-reference',
  severity: 'error',
  message: 'tool result refers to "call_9", but this step has calls "call_7", "call_8"',
  at: {
    source: 'trajectories.json',
    offset: 182_233,
    pointer: '/attempts/2/trajectory/steps/6/observation/0',
  },
};

test('an issue speaks to a person', () => {
  expect(issueLine(reference)).toBe(
    'trajectories.json, attempt "2", step 7: tool result refers to "call_9", but this step has calls "call_7", "call_8" (actf/unknown-tool-reference) at byte 182,233 /attempts/2/trajectory/steps/6/observation/0',
  );
});

test('an issue in a line names record or line, and the column where it is known', () => {
  const at = { source: 'rows.jsonl', record: 3, line: 4, column: 17, offset: 1_200, pointer: '/messages/0' };
  expect(issueLine({ code: 'json/syntax', severity: 'error', message: 'a comma is missing', at })).toBe(
    'rows.jsonl, line 4, message 1: a comma is missing (json/syntax) at line 4 column 17, byte 1,200 /messages/0',
  );
  const { line: _, column: __, ...array } = at;
  expect(issueLine({ code: 'json/syntax', severity: 'error', message: 'x', at: array })).toMatch(
    /^rows\.jsonl, record 3, message 1: x /,
  );
});

test.each([
  ['/attempts/a~1b~0/trajectory/steps/0', 'attempt "a/b~", step 1'],
  ['/session_steps/11/messages/2/tool_calls/0', 'row 12, message 3'],
  ['/turns/999/tool_calls/1', 'turn 1,000, call 2'],
  ['/attempts', ''],
  ['/steps/x', ''],
  ['', ''],
])('the place of %s in words', (pointer, words) => {
  expect(placeWords(pointer)).toBe(words);
});

test('nothing in an issue reaches the terminal raw', () => {
  const line = issueLine({
    code: 'actf/unknown-tool-reference',
    severity: 'error',
    message: 'found "\u001b]0;owned\u0007\n\u202e\u009b31m\ud800"',
    at: { source: 'a\u001b[2J.json', pointer: '/x\u0000y' },
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]|\ud800/);
  expect(line).toContain('found "\\u001b]0;owned\\u0007\\n\\u202e\\u009b31m\\ud800"');
});

test('an issue object keeps its shape and is safe on a terminal', () => {
  const text = issueJson({ ...reference, message: 'a\u009bb\u001b\u202e' });
  expect(text).toContain('a\\u009bb\\u001b\\u202e');
  expect(JSON.parse(text)).toEqual({
    code: 'actf/unknown-tool-reference',
    severity: 'error',
    message: 'a\u009bb\u001b\u202e',
    at: reference.at,
  });
});

test('issues are grouped by code, gravest first, counted, and few are kept', () => {
  const tally = createTally(2);
  const make = (code: `x/${string}`, severity: Issue['severity'], number: number): Issue => ({
    code,
    severity,
    message: `m${number}`,
    at: { pointer: '' },
  });
  for (let number = 1; number <= 1_500; number += 1) tally.add(make('x/odd', 'warning', number));
  tally.add(make('x/bad', 'error', 1));
  tally.add(make('x/gone', 'loss', 1));
  expect([...tallyLines(tally, createStyle(false))]).toEqual([
    'error: m1 (x/bad)',
    'warning: m1 (x/odd)',
    'warning: m2 (x/odd)',
    '  … and 1,498 more x/odd',
    'loss: m1 (x/gone)',
  ]);
  expect(tally.byCode()).toEqual({ 'x/bad': 1, 'x/gone': 1, 'x/odd': 1_500 });
  expect(countsInWords(tally.counts)).toBe('1 error, 1,500 warnings, 1 loss');
});
