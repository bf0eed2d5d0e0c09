import {
  bytesSource,
  getPointer,
  importStorylines,
  type Json,
  type JsonObject,
  type Storyline,
  stringify,
  type Turn,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { exportOpenaiMessages, importOpenaiMessages, openaiMessages } from '../src/index.ts';
import { message, read, row } from './support/rows.ts';

const q = message('user', 'q');
const a = message('assistant', 'a');
const good = { ...row(1, [q], a), session_id: 'good' };

/** Errors of rows among which a good session stands: it must go through. */
function rejected(rows: readonly Json[]): readonly (readonly [code: string, pointer: string])[] {
  const { storylines, issues } = importOpenaiMessages([good, ...rows], { source: 'rows.json' });
  expect(storylines.map((story) => story.session)).toEqual(['good']);
  const errors = issues.filter((issue) => issue.severity === 'error');
  for (const error of errors) {
    expect(error.at.source).toBe('rows.json');
    expect(error.message.length).toBeGreaterThan(20);
  }
  return errors.map((error) => [error.code, error.at.pointer] as const);
}

describe('G7: one bad session does not take others with it', () => {
  test.each<readonly [what: string, rows: readonly Json[], ...errors: (readonly [string, string])[]]>([
    [
      'a step twice',
      [row(1, [q], a), row(1, [q], a)],
      ['openai-msg/duplicate-step-id', '/session_steps/2/step_id'],
    ],
    ['step 0', [row(0, [q], a)], ['openai-msg/step-id', '/session_steps/1/step_id']],
    [
      'no step',
      [{ session_id: 's1', messages: [q], response: a }],
      ['openai-msg/step-id', '/session_steps/1/step_id'],
    ],
    [
      'a text as step',
      [{ ...row(1, [q], a), step_id: '1' }],
      ['openai-msg/step-id', '/session_steps/1/step_id'],
    ],
    [
      'no session',
      [{ step_id: 1, messages: [q], response: a }],
      ['openai-msg/session-id', '/session_steps/1/session_id'],
    ],
    [
      'an empty session',
      [{ ...row(1, [q], a), session_id: '' }],
      ['openai-msg/session-id', '/session_steps/1/session_id'],
    ],
    [
      'a number as session',
      [{ ...row(1, [q], a), session_id: 5 }],
      ['openai-msg/session-id', '/session_steps/1/session_id'],
    ],
    ['no output', [row(1, [q])], ['openai-msg/no-output', '/session_steps/1']],
    ...['[{"role":"user","content":"q"}]', 5, true, { role: 'user', content: 'q' }].map(
      (messages) =>
        [
          `messages that are ${JSON.stringify(messages)}`,
          [row(1, [q], a), { ...row(2, [], a), messages }],
          ['openai-msg/messages-not-list', '/session_steps/2/messages'],
        ] as [string, Json[], [string, string]],
    ),
    [
      'an output that says nothing',
      [row(1, [q], { role: 'assistant', content: [{ text: '' }, null], tool_calls: [] })],
      ['openai-msg/no-output', '/session_steps/1'],
    ],
    [
      'a time without offset',
      [row(1, [q], a, { created_at: '2026-08-01T00:00:00' })],
      ['openai-msg/bad-time', '/session_steps/1/created_at'],
    ],
    [
      'milliseconds as time',
      [row(1, [q], a, { created_at: 1785329601250 })],
      ['openai-msg/bad-time', '/session_steps/1/created_at'],
    ],
    [
      'two runs',
      [row(1, [q], a, { job_id: 'x' }), row(2, [q], a, { run_id: 'y' })],
      ['openai-msg/run-conflict', '/session_steps/2/run_id'],
    ],
    ['no object', [5], ['openai-msg/row-not-object', '/session_steps/1']],
    [
      'several faults of several rows',
      [row(1, [q]), row(2, [q], a, { created_at: 'x' }), row(2, [q], a), row(2, [q], a)],
      ['openai-msg/no-output', '/session_steps/1'],
      ['openai-msg/bad-time', '/session_steps/2/created_at'],
      ['openai-msg/duplicate-step-id', '/session_steps/4/step_id'],
    ],
  ])('%s', (_, rows, ...errors) => {
    expect(rejected(rows as readonly Json[])).toEqual(errors);
  });

  test('an empty session_id asks for a text, not for itself', () => {
    const { issues } = importOpenaiMessages([{ ...good, session_id: '' }], { source: 'rows.json' });
    const issue = issues.find(({ code }) => code === 'openai-msg/session-id');
    expect(issue?.message).toBe('session_id is the text ""; a non-empty text is expected');
  });

  test('the verdict of each session, with the place of its error', async () => {
    const text = `${stringify(good)}\n${stringify(row(1, [q]))}\n`;
    const verdicts: (readonly [string | undefined, boolean])[] = [];
    const lines: (number | undefined)[] = [];
    for await (const event of importStorylines(bytesSource('rows.jsonl', text), openaiMessages)) {
      if (event.type === 'end') verdicts.push([event.document.key, event.accepted]);
      if (event.type === 'issue') lines.push(event.issue.at.line);
    }
    expect(verdicts).toEqual([
      ['good', true],
      ['s1', false],
    ]);
    expect(lines).toEqual([2]);
  });
});

test.each(['../x.json', '/abs.json', 'a/./b.json', 'a//b.json', 'C:\\x.json', 'a\\..\\b.json'])(
  'the path %s is refused',
  (source) => {
    const { issues, storylines } = importOpenaiMessages([good], { source });
    expect(storylines).toEqual([]);
    expect(issues).toMatchObject([{ code: 'openai-msg/unsafe-path', severity: 'error' }]);
  },
);

test.each<readonly [name: string, rows: Json]>([
  ['a text', { session_steps: 'rows' }],
  ['an object', { session_steps: {} }],
])('session_steps that holds %s is refused', (_, document) => {
  const { issues, storylines } = importOpenaiMessages(document, { source: 'rows.json' });
  expect(storylines).toEqual([]);
  expect(issues).toMatchObject([{ code: 'openai-msg/rows-not-list', at: { pointer: '/session_steps' } }]);
});

describe('writing', () => {
  const { story } = read({ session_steps: [{ ...row(1, [q], a), vendor: 1 } as JsonObject], root: 1 });

  test.each(['array', 'lines'] as const)('G14: root members have no place in %s: a loss each', (outer) => {
    const { issues } = exportOpenaiMessages([story], { outer });
    expect(issues).toMatchObject([
      {
        code: 'core/no-root',
        severity: 'loss',
        at: { pointer: '/unknown_fields/sources/openai-msg/fields/~1root' },
      },
    ]);
    expect(exportOpenaiMessages([story], { outer, strict: true }).text).toBe('');
    expect(exportOpenaiMessages([story]).issues).toEqual([]);
  });

  test.each(['document', 'lines'] as const)(
    'G7: a Storyline without an answer leaves the others alone in %s',
    (outer) => {
      const one = (session: string, ...turns: readonly Turn[]): Storyline => ({
        schema_version: 'storyline/v1',
        session,
        agent: { id: 'ag', name: 'ag' },
        turns,
      });
      const asks = { id: 1, src: 'user', msg: 'q' };
      const says = { id: 2, src: 'agent', msg: 'a' };
      const all = [one('a', asks, says), one('b', asks), one('c', asks, says)];
      const { text, issues } = exportOpenaiMessages(all, { outer });
      expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([
        { code: 'openai-msg/request-without-response', at: { record: 2, pointer: '/turns/0' } },
      ]);
      expect(importOpenaiMessages(text).storylines.map(({ session }) => session)).toEqual(['a', 'c']);
    },
  );

  test('root members that differ are an error', () => {
    const fields = story.unknown_fields?.sources['openai-msg']?.fields ?? {};
    const other = {
      ...story,
      session: 's2',
      unknown_fields: {
        sources: { 'openai-msg': { source_document_id: 'rows.json', fields: { ...fields, '/root': 2 } } },
      },
    };
    expect(exportOpenaiMessages([story, other]).issues.map((issue) => issue.code)).toContain(
      'openai-msg/root-residual-conflict',
    );
  });

  test('a residual of a row that is not there is an error that names it', () => {
    const fields = { '/session_steps/9/vendor': 1 };
    const turns = [...story.turns, { id: 4, src: 'agent', msg: 'b' }];
    const moved = {
      ...story,
      turns,
      unknown_fields: { sources: { 'openai-msg': { source_document_id: 'rows.json', fields } } },
      unknown_key_counts: { 'openai-msg': { '/session_steps/*/vendor': 1 } },
    };
    const { issues, text } = exportOpenaiMessages([moved]);
    expect(text).toBe('');
    expect(issues.map((issue) => issue.code)).toContain('openai-msg/residual-without-row');
  });

  test('turns that no row holds are losses, and the rest is written', () => {
    const turns = [
      { id: 1, src: 'user', msg: 'q' },
      { id: 2, src: 'agent', msg: 'a' },
      { id: 3, src: 'tool', msg: 't' },
      { id: 4, src: 'agent', msg: '' },
      { id: 5, src: 'user', msg: 'bye' },
    ];
    const { issues, text } = exportOpenaiMessages([
      { schema_version: 'storyline/v1', session: 's', agent: { id: 'ag', name: 'ag' }, turns },
    ]);
    expect(JSON.parse(text).session_steps).toHaveLength(1);
    expect(issues.filter((issue) => issue.severity === 'loss').map((issue) => issue.at.pointer)).toEqual(
      expect.arrayContaining(['/turns', '/turns/*']),
    );
    expect(issues.some((issue) => issue.severity === 'error')).toBe(false);
  });
});

test('G18: a message nested deeper than the call stack allows is no crash', () => {
  const deep = `${'['.repeat(900)}${']'.repeat(900)}`;
  const text = `[{"session_id":"s","step_id":1,"messages":[{"role":"user","content":${deep}}],"response":{"role":"assistant","content":"a","vendor":${deep}},"meta_json":${JSON.stringify(`{"k":${deep}}`)}}]`;
  const { storylines, issues } = importOpenaiMessages(text, { source: 'r' });
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  expect(exportOpenaiMessages(storylines).text).toContain(deep);
});

test('residuals of rows that another format reshaped are losses, not errors', () => {
  const { story } = read([
    row(1, [q, { role: 'developer', content: 'd' }], a),
    row(2, [q, { role: 'developer', content: 'd' }, a, message('user', 'n', { v: 1 })], a),
  ]);
  const agents = story.turns
    .filter((turn) => turn.src === 'agent')
    .map((turn, index) => ({ ...turn, id: index + 1 }));
  const { issues, text } = exportOpenaiMessages([{ ...story, origin: { format: 'actf' }, turns: agents }]);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  expect(issues.map((issue) => issue.code)).toContain('openai-msg/residual-collision');
  expect(JSON.parse(text).session_steps).toHaveLength(2);
});

test('a line that breaks off is told once: no rows are missed because of it', () => {
  const line = JSON.stringify(good);
  const { storylines, issues } = importOpenaiMessages(`${line}\n{"session_id":"s1","step_id":1,"messages":[`);
  expect(storylines.map((story) => story.session)).toEqual(['good']);
  expect(issues.map((issue) => issue.code)).toEqual(['json/truncated']);
});

test.each<[what: string, value: JsonObject, hint: RegExp | undefined]>([
  [
    'a fine-tuning example',
    { messages: [q, a] },
    /has messages but no session_id and no step_id, .*plain fine-tuning example/,
  ],
  [
    'rows without a step',
    { session_id: 's', messages: [q], response: a },
    /has messages but no step_id, so it is no row/,
  ],
  ['anything else', { text: 'x' }, undefined],
])('what keeps %s from being rows is said', (_what, sketch, hint) => {
  const bytes = new TextEncoder().encode(JSON.stringify(sketch));
  const found = openaiMessages.detect({ bytes, shape: 'lines', sketch });
  expect(found.confidence).toBe('no');
  if (hint === undefined) expect(found.hint).toBeUndefined();
  else expect(found.hint).toMatch(hint);
});

describe('an envelope that contradicts itself', () => {
  const place = '/_storyline/unknown_fields/by_trajectory/~1session_steps~11/sources';
  const block = (source: string, source_document_id: string, k: number): JsonObject => ({
    [source]: { source_document_id, fields: { '/k': k } },
  });
  test.each([
    { code: 'residual-conflict', at: '/actf/fields/~1k', second: block('actf', 'T', 2) },
    { code: 'residual-document-conflict', at: '/actf', second: block('actf', 'U', 1) },
    { code: 'envelope-own-source', at: '/openai-msg', second: block('openai-msg', 'T', 1) },
  ])('$code names the block', ({ code, at, second }) => {
    const session_steps = [row(1, [q], a), row(2, [q, a, message('user', 'more')], a)];
    const by_trajectory = {
      '/session_steps/0': { sources: block('actf', 'T', 1) },
      '/session_steps/1': { sources: second },
    };
    const document = { session_steps, _storyline: { unknown_fields: { version: 1, by_trajectory } } };
    const { issues, storylines } = importOpenaiMessages(document);
    expect(storylines).toEqual([]);
    expect(issues.map((issue) => [issue.code, issue.at.pointer])).toEqual([
      [`storyline/${code}`, place + at],
    ]);
    expect(getPointer(document, place + at)).toBeDefined();
  });
});

test('rows with JSON texts of their messages alone are told that these are not read', () => {
  const texts = { messages_json: '[{"role":"user","content":"q"}]', response_json: '{"content":"a"}' };
  const { issues } = importOpenaiMessages([{ session_id: 's', step_id: 1, ...texts }]);
  expect(issues.map(({ code, message: text }) => [code, /response_json.*messages_json/.test(text)])).toEqual([
    ['openai-msg/no-output', true],
  ]);
});
