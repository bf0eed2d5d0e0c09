import {
  chainRows,
  collectIssues,
  getOwn,
  type Json,
  type JsonObject,
  type Storyline,
  viewTurns,
  walkChain,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { ankole, importAnkole, providerView } from '../src/index.ts';
import { unpackRanges } from '../src/layout/ranges.ts';
import { codesOf, issueOf, storylineOf, writtenBack } from './support/round-trip.ts';
import { vectorCases } from './support/vectors.ts';

const row = (id: string, previous: string | null, over: JsonObject = {}): JsonObject => ({
  id,
  subject_uid: 'agent-1',
  conversation_id: 'c',
  type: 'message',
  role: null,
  status: 'complete',
  previous_message_id: previous,
  content: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: id }] }],
  metadata: {},
  inserted_at: '2026-08-20T08:00:01.000000Z',
  updated_at: '2026-08-20T08:00:01.000000Z',
  ...over,
});
const page = (rows: readonly Json[], cursor: Json = null): JsonObject => ({
  messages: rows,
  next_cursor: cursor,
});
const jobPages = getOwn(vectorCases('24')[0]?.input as JsonObject, 'pages') as JsonObject[];

/** A chain that counts how often a row is looked up: each is one step of a walk. */
function countLookups(rows: ReturnType<typeof chainRows>) {
  let lookups = 0;
  const chain = {
    get(id: string) {
      lookups += 1;
      return rows.get(id);
    },
  } as unknown as typeof rows;
  return { chain, lookups: () => lookups };
}

describe('bad pages are issues', () => {
  const cases: readonly (readonly [name: string, document: Json, code: string, pointer: string])[] = [
    ['an answer of the API that says no', { error: { code: 'bad_cursor' } }, 'ankole/unknown-shape', ''],
    ['an empty array', [], 'ankole/empty', ''],
    ['a number in an array', [5], 'ankole/unknown-shape', '/rows/0'],
    ['a row without an id', page([{ ...row('a', null), id: '' }]), 'ankole/row-shape', '/messages/0/id'],
    ['a row that is none', page([row('a', null), 7]), 'ankole/row-shape', '/messages/1'],
    [
      'content that is no list',
      page([row('a', null, { content: 'x' })]),
      'ankole/row-shape',
      '/messages/0/content',
    ],
    [
      'an anchor that is no text',
      page([row('a', null, { previous_message_id: 4 })]),
      'ankole/row-shape',
      '/messages/0/previous_message_id',
    ],
    ['a job without turns', { job: { id: 1 } }, 'ankole/job-shape', '/job/turns'],
    [
      'a turn twice on a page',
      { job: { id: 1, turns: [{ id: 't' }, { id: 't' }] } },
      'ankole/job-shape',
      '/job/turns',
    ],
    ['an item row without a position', [{ turn_id: 't', item: {} }], 'ankole/row-shape', '/rows/0/position'],
    ['version 2', { format: 'ankole_chatml', version: 2, messages: [] }, 'ankole/envelope', '/version'],
    [
      'two conversations on a page',
      page([row('a', null), { ...row('b', null), conversation_id: 'd' }]),
      'ankole/mixed-conversations',
      '/messages/1/conversation_id',
    ],
  ];
  test.each(cases)('%s', (_, document, code, pointer) => {
    const { storylines, issues } = importAnkole(document);
    expect(storylines).toEqual([]);
    expect(issues.find((issue) => issue.code === code)).toMatchObject({ severity: 'error', at: { pointer } });
  });

  test('a bad value among pages is refused alone', () => {
    const { storylines, issues } = importAnkole([page([row('a', null)]), 5]);
    expect(storylines.map(({ session, turns }) => [session, turns.length])).toEqual([['c', 1]]);
    expect(issues).toMatchObject([
      { code: 'ankole/several-trajectories', severity: 'info' },
      { code: 'ankole/unknown-shape', severity: 'error', at: { pointer: '/rows/1' } },
    ]);
  });

  test('circles and missing parents are told when they are read', () => {
    expect(issueOf(page([row('a', 'a')]), 'ankole/chain-cycle')?.at.pointer).toBe(
      '/messages/0/previous_message_id',
    );
    expect(
      issueOf(page([row('a', 'b'), row('b', 'a'), row('c', 'a'), row('d', 'd')]), 'ankole/chain-cycle')
        ?.message,
    ).toContain('2 times');
    expect(issueOf(page([row('a', 'gone'), row('b', 'gone')]), 'ankole/missing-row')?.message).toContain(
      '2 times',
    );
    expect(codesOf(page([row('a', null), row('b', 'a'), row('c', 'a'), row('d', 'c')]))).toEqual([]);
  });

  test('a job id of any number of digits', () => {
    const { storylines } = importAnkole('{"job":{"id":12345678901234567890,"turns":[]}}');
    expect(storylines.map(({ session }) => session)).toEqual(['job-12345678901234567890']);
  });

  test('two pages of different jobs are two Storylines', () => {
    const [first] = jobPages;
    const other = { job: { ...((first as JsonObject).job as JsonObject), id: 1001 } };
    const { storylines, issues } = importAnkole([first as Json, other]);
    expect(storylines.map(({ session }) => session)).toEqual(['job-1000', 'job-1001']);
    expect(issues.map(({ code }) => code)).toContain('ankole/several-trajectories');
  });

  test('rows of several conversations are Storylines of their own, and each comes back', () => {
    const rows = [row('a', null), { ...row('b', null), conversation_id: 'd' }, row('e', 'a')];
    const { storylines } = importAnkole(rows);
    expect(storylines.map(({ session, turns }) => [session, turns.length])).toEqual([
      ['c', 2],
      ['d', 1],
    ]);
  });

  test('missing pages, and cursors that lead in a circle', () => {
    expect(codesOf(page([row('a', null)], 'next'))).toEqual(['ankole/pages-missing']);
    const cut = issueOf([page([row('a', null)], 'x'), page([row('b', 'a')], 'y')], 'ankole/pages-missing');
    expect([cut?.at.pointer, cut?.message]).toEqual([
      '/rows/1/next_cursor',
      expect.stringContaining('behind the cursor "y"'),
    ]);
    expect(codesOf([page([row('a', null)], 'x'), page([row('b', 'a')], 'x')])).toEqual([
      'ankole/repeated-cursor',
      'ankole/pages-missing',
    ]);
    expect(codesOf([page([row('a', null)], 'x'), page([row('b', 'a')])])).toEqual([]);
    expect(codesOf(page([row('a', null)], 5))).toEqual(['ankole/cursor-shape', 'ankole/pages-missing']);
  });

  test('a cursor that never ends: 2,000 pages with a cursor each are read once and told once', () => {
    const pages = Array.from({ length: 2000 }, (_, index) =>
      page([row(`r${index}`, null)], `cursor-${index}`),
    );
    const { storylines, issues } = importAnkole(pages);
    expect(storylines[0]?.turns).toHaveLength(2000);
    expect(issues.map(({ code }) => code)).toEqual(['ankole/pages-missing']);
  });
});

describe('chains of any length and form end', () => {
  test('a chain of 100,000 rows is walked in as many steps', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) =>
      row(
        `r${String(index).padStart(6, '0')}`,
        index === 0 ? null : `r${String(index - 1).padStart(6, '0')}`,
        { content: [] },
      ),
    );
    const story = storylineOf(page(rows));
    const counted = countLookups(chainRows(story.turns));
    expect(walkChain(counted.chain, 'r099999', true).rows).toHaveLength(100_000);
    expect(counted.lookups()).toBe(100_000);
  });

  test('a circle of rows ends after one round, and is told', () => {
    const story = storylineOf(page([row('a', 'c'), row('b', 'a'), row('c', 'b'), row('leaf', 'c')]));
    const counted = countLookups(chainRows(story.turns));
    expect(walkChain(counted.chain, 'leaf', true).cycle).toBe('c');
    expect(counted.lookups()).toBe(4);
    const { report, issues } = collectIssues();
    expect(viewTurns(story, 'leaf', report)).toHaveLength(4);
    expect(issues.map(({ code }) => code)).toContain('core/chain-cycle');
  });

  test('a cycle of a million rows is read and walked in a bounded number of steps, and told', () => {
    const count = 1_000_000;
    const id = (index: number) => `r${String(index).padStart(7, '0')}`;
    let reads = 0;
    const content: readonly Json[] = [];
    const time = '2026-08-20T08:00:01.000000Z';
    const metadata = {};
    /** A row whose anchor is counted each time that somebody looks at it. */
    const cyclic = (index: number): JsonObject => ({
      id: id(index),
      subject_uid: 'a',
      conversation_id: 'c',
      type: 'message',
      role: null,
      status: 'complete',
      get previous_message_id() {
        reads += 1;
        return id((index + count - 1) % count);
      },
      content,
      metadata,
      inserted_at: time,
      updated_at: time,
    });
    const { report, issues } = collectIssues();
    const part = ankole.reader?.decode(
      {
        frame: { form: 'array', count },
        source: 'x',
        at: { pointer: '' },
        *values() {
          for (let index = 0; index < count; index += 1)
            yield { value: cyclic(index), index, at: { pointer: `/rows/${index}` } };
        },
      },
      report,
    );
    const [story] = part === undefined ? [] : (ankole.reader?.toStorylines(part, report) ?? []);
    expect(story?.turns).toHaveLength(count);
    expect(reads).toBeLessThanOrEqual(8 * count);
    expect(issues.map(({ code }) => code)).toEqual(['ankole/chain-cycle']);
    const counted = countLookups(chainRows(story?.turns ?? []));
    const walk = walkChain(counted.chain, id(count - 1), true);
    expect([walk.rows.length, walk.cycle, counted.lookups()]).toEqual([count, id(count - 1), count]);
    expect(viewTurns(story as Storyline, 'leaf', report)).toHaveLength(count);
    expect(issues.map(({ code }) => code)).toEqual(['ankole/chain-cycle', 'core/chain-cycle']);
  }, 900_000);

  test('rows that only continue each other have no leaf: the view starts at the newest', () => {
    const story = storylineOf(page([row('a', 'b'), row('b', 'a')]));
    const { report, issues } = collectIssues();
    expect(viewTurns(story, 'leaf', report)).toHaveLength(2);
    expect(issues).toMatchObject([{ code: 'core/chain-cycle', severity: 'warning' }]);
    const own = storylineOf(page([row('a', 'a')]));
    expect(viewTurns(own, 'model', report)).toHaveLength(1);
  });

  test('a missing parent ends the chain, and is told', () => {
    const story = storylineOf(page([row('a', 'gone')]));
    const { report, issues } = collectIssues();
    expect(viewTurns(story, 'leaf', report)).toHaveLength(1);
    expect(issues.map(({ code }) => code)).toEqual(['core/chain-broken']);
  });
});

describe('losses that the source already has are told', () => {
  const chatml = (messages: readonly Json[], metadata: JsonObject = {}): JsonObject => ({
    format: 'ankole_chatml',
    version: 1,
    metadata,
    messages,
  });
  test.each([
    ['ankole/redacted', chatml([], { redacted: true })],
    ['ankole/content-truncated', chatml([], { content_truncated: true })],
    ['ankole/truncated-text', chatml([{ role: 'user', content: 'a ...[truncated] b' }])],
    ['ankole/redacted-text', page([row('a', null, { content: [{ type: 'x', deep: ['[REDACTED]'] }] })])],
    [
      'ankole/arguments-not-json',
      chatml([
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":"...[trunc' } }],
        },
      ]),
    ],
    ['ankole/not-canonical', chatml([{ role: 'system', content: 'x' }])],
    ['ankole/turn-without-messages', jobPages],
    ['ankole/time-format', page([row('a', null, { inserted_at: 'yesterday' })])],
    ['ankole/database-time', page([row('a', null, { inserted_at: '2026-08-20 08:00:01' })])],
    [
      'ankole/result-without-id',
      page([row('a', null, { content: [{ type: 'function_call_output', output: 'x' }] })]),
    ],
    [
      'ankole/orphan-result',
      page([row('a', null, { content: [{ type: 'function_call_output', call_id: 'ghost', output: 'x' }] })]),
    ],
    ['ankole/repeated-row', [page([row('a', null)]), page([row('a', null)])]],
    [
      'ankole/conflicting-items',
      [
        { turn_id: 't', position: 0, item: { type: 'a' } },
        { turn_id: 't', position: 0, item: { type: 'b' } },
      ],
    ],
    ['ankole/oversize-item', [{ turn_id: 't', position: 0, item: vectorCases('13')[1]?.input ?? null }]],
    ['ankole/item-without-id', [{ turn_id: 't', position: 0, item: { type: 'sleep' } }]],
  ] as const)('%s', (code, document) => {
    expect(issueOf(document as Json, code)?.message.length).toBeGreaterThan(20);
    expect(writtenBack(document as Json)).toEqual(document);
  });
});

test('an edited Storyline is written as edited: notes on spelling that no longer fit are left out', async () => {
  const { exportAnkole } = await import('../src/index.ts');
  const args = '{"bay": 4}';
  const story = storylineOf({
    format: 'ankole_chatml',
    version: 1,
    messages: [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: args } }],
      },
    ],
  });
  const [turn] = story.turns;
  const [call] = turn?.tool_calls ?? [];
  const edited = {
    ...story,
    turns: [{ ...turn, tool_calls: [{ ...call, args: { bay: 5 } }] }],
  } as unknown as typeof story;
  const { text, issues } = exportAnkole([edited]);
  expect(text).toContain('{\\"bay\\":5}');
  expect(issues.map(({ code }) => code)).toContain('ankole/edited');
  expect(exportAnkole([story]).text).toContain('{\\"bay\\": 4}');
});

test('a hostile layout makes no large list', () => {
  expect(unpackRanges('0-9999999999,0-9999999999', 3)).toEqual([0, 1, 2, 0, 1, 2]);
  expect(unpackRanges('x,-1,1', 3)).toEqual([1]);
});

test('the provider view of 50,000 results of one id is linear', () => {
  const items = Array.from({ length: 50_000 }, () => ({
    type: 'function_call_output',
    call_id: 'a',
    output: 'x',
  }));
  expect(providerView(items)).toEqual({ items: [], quarantine: { orphan_call_ids: ['a'] } });
});
