import {
  chainLeaves,
  chainRows,
  chainStateOf,
  collectIssues,
  getOwn,
  isJsonArray,
  type Json,
  type JsonObject,
  project,
  type Turn,
  viewTurns,
  walkChain,
} from '@pchronicle/storyline-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { exportAnkole, importAnkole, sidesOf } from '../src/index.ts';
import { storylineOf } from './support/round-trip.ts';
import { vectorCases } from './support/vectors.ts';

const cases = vectorCases('21');
const caseOf = (name: string) => {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as { readonly input: JsonObject; readonly expected: JsonObject };
};
const file = caseOf('order of the file').input;
const story = storylineOf(file);
const rows = chainRows(story.turns);
const rowsOf = (turns: readonly Turn[]) => [...new Set(turns.map((turn) => chainStateOf(turn)?.row))];
const turnsOf = (row: Json | undefined) => story.turns.filter((turn) => turn.env?.request_id === row);
const itemsOn = (row: Json | undefined, side: string) =>
  turnsOf(row)
    .filter((turn) => chainStateOf(turn)?.side === side)
    .map((turn) => getOwn(turn.env?.state ?? {}, 'item'));

describe('K1, K2: vector 21', () => {
  let passed = 0;
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail' && cases.some(({ name }) => name === task.name)) passed += 1;
  });
  afterAll(() => console.log(`vector 21: ${passed} of ${cases.length} cases pass`));
  test('it has 10 cases', () => expect(cases).toHaveLength(10));

  test('order of the file', () => {
    expect([...rows.keys()]).toEqual(caseOf('order of the file').expected.order);
    const shuffled = { ...file, messages: [...(file.messages as Json[])].reverse() };
    expect([...chainRows(storylineOf(shuffled).turns).keys()]).toEqual(
      caseOf('order of the file').expected.order,
    );
  });

  test('current leaf', () => {
    expect(chainLeaves(rows).at(-1)).toBe(caseOf('current leaf').expected.leaf);
  });

  test('what the model sees from the leaf', () => {
    const { expected, input } = caseOf('what the model sees from the leaf');
    const turns = viewTurns(story, 'context', collectIssues().report, String(input.anchor));
    expect(rowsOf(turns)).toEqual(expected.rows);
    expect(walkChain(rows, String(input.anchor), true).stoppedAtCheckpoint).toBe(
      expected.stopped_at_checkpoint,
    );
  });

  test.each(['the whole line for an audit', 'the other branch'])('%s', (name) => {
    const { expected, input } = caseOf(name);
    const { report, issues } = collectIssues();
    expect(rowsOf(viewTurns(story, 'leaf', report, String(input.anchor)))).toEqual(expected.rows);
    expect(issues.map(({ code }) => code)).toContain('core/branch-left-out');
  });

  test('not an anchor: error and generating rows', () => {
    for (const anchor of caseOf('not an anchor: error and generating rows').input.anchors as string[]) {
      const { report, issues } = collectIssues();
      expect(viewTurns(story, 'leaf', report, anchor)).toEqual([]);
      expect(issues[0]?.code).toBe('core/invalid-anchor');
    }
  });

  test.each(['input and output of a row', 'a generating row has input only'])('%s', (name) => {
    const { input, expected } = caseOf(name);
    expect(itemsOn(input.row, 'input')).toEqual(expected.input);
    expect(itemsOn(input.row, 'output')).toEqual(expected.output);
  });

  test('no request_item_count: role and type decide', () => {
    const { input, expected } = caseOf('no request_item_count: role and type decide');
    const sides = sidesOf(input.items as Json[], undefined, 'complete');
    const of = (side: string) => sides.flatMap((one, index) => (one === side ? [index] : []));
    expect({ input: of('input'), output: of('output') }).toEqual(expected);
  });

  test('names on the API', () => {
    const { input, expected } = caseOf('names on the API');
    const [checkpoint] = turnsOf(input.row);
    const state = chainStateOf(checkpoint as Turn);
    const response = {
      ...expected,
      object: 'response',
      status: 'completed',
      input: [],
      output: [{ type: 'compaction_artifact', id: expected.artifact as Json }],
    };
    const [turn] = storylineOf(response).turns;
    const own = chainStateOf(turn as Turn);
    expect([own?.row, own?.previous]).toEqual([state?.row, state?.previous]);
    expect(storylineOf(response).session).toBe(story.session);
    expect(getOwn(getOwn((checkpoint?.extra ?? {}) as JsonObject, 'item') as JsonObject, 'id')).toBe(
      expected.artifact,
    );
  });
});

describe('K2: a checkpoint', () => {
  const at = story.turns.findIndex((turn) => turn.env?.event_type === 'checkpoint');

  test('is an internal turn of its own; turns before it stay and none is copied', () => {
    expect(story.turns[at]).toMatchObject({ kind: 'internal', msg: null });
    expect(at).toBeGreaterThan(5);
    expect(story.turns.some((turn) => turn.copied !== undefined)).toBe(false);
  });

  test('has no summary in the file, which is told', () => {
    const issue = importAnkole(file).issues.find(({ code }) => code === 'ankole/checkpoint-without-summary');
    expect(issue).toMatchObject({ severity: 'warning', at: { pointer: '/messages/5/content' } });
    expect(issue?.message).toContain('1 row that');
  });

  test('the model view starts at it', () => {
    const { document } = project(story, { view: 'model' });
    expect(document.messages).toEqual([
      { role: 'user', content: 'And bay 5?' },
      { role: 'assistant', content: 'Nine.' },
    ]);
  });
});

describe('K1: one Storyline a conversation', () => {
  test('a turn an item, with its row, anchor, status, side and position', () => {
    expect(story.turns.length).toBe(
      (file.messages as JsonObject[]).reduce((sum, row) => sum + (row.content as Json[]).length, 0),
    );
    expect(story.turns[1]?.env).toEqual({
      request_id: '019f2222-0000-7000-8000-000000000001',
      state: { previous: null, status: 'complete', side: 'output', item: 1 },
    });
  });

  test('usage is a snapshot of its round, never summed', () => {
    expect(story.final_metrics).toBeUndefined();
    expect(story.turns[1]?.metrics).toEqual({
      usage_snapshot: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
    });
  });
});

test('K5: a linear document is the chain to the newest leaf; each other branch is a loss', () => {
  const { origin: _, unknown_fields: __, unknown_key_counts: ___, ...foreign } = story;
  const { text, issues } = exportAnkole([foreign]);
  const losses = issues.filter(({ code }) => code === 'core/branch-left-out');
  expect(losses).toHaveLength(1);
  expect(issues.map(({ code }) => code)).toContain('core/incomplete-left-out');
  expect(losses[0]).toMatchObject({ severity: 'loss', at: { pointer: '/turns' } });
  const messages = getOwn(JSON.parse(text) as JsonObject, 'messages');
  const texts = (isJsonArray(messages) ? messages : []).map((message) =>
    getOwn(message as JsonObject, 'content'),
  );
  expect(texts).toEqual(['Count bay 4', '', '17', 'Seventeen.', 'And bay 5?', 'Nine.']);
});
