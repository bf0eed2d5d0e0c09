import {
  exportValue,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  project,
  type Storyline,
  toRows,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { ankole, exportAnkole, importAnkole, providerView } from '../src/index.ts';
import { messageRow } from './support/message-row.ts';
import { codesOf, storylineOf, writtenBack } from './support/round-trip.ts';

const user = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const agent = (text: string): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const asks = (id: string, name: string, more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{}',
  ...more,
});
const gives = (id: string, output: string, more: JsonObject = {}): JsonObject => ({
  type: 'function_call_output',
  call_id: id,
  output,
  ...more,
});

let second = 0;
const row = (
  id: string,
  previous: string | null,
  content: readonly Json[],
  more: JsonObject = {},
): JsonObject => {
  second += 1;
  const time = `2026-08-20T08:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000000Z`;
  return messageRow(id, previous, content, { inserted_at: time, updated_at: time, ...more });
};
const page = (...rows: readonly JsonObject[]): JsonObject => ({ messages: rows, next_cursor: null });

const resultsOf = ({ observation }: { readonly observation?: Json }): readonly JsonObject[] => {
  const results = isJsonObject(observation) ? getOwn(observation, 'results') : undefined;
  return Array.isArray(results) ? (results as JsonObject[]) : [];
};
/** By content of each result, the name of the tool whose call it answers; `none` where it answers none. */
function pairsOf({ turns }: Storyline): { readonly [content: string]: string } {
  const calls = new Map(turns.flatMap((turn) => (turn.tool_calls ?? []).map(({ tcid, fn }) => [tcid, fn])));
  return Object.fromEntries(
    turns.flatMap((turn) =>
      resultsOf(turn).map((result) => [
        String(result.content),
        calls.get(String(result.source_call_id)) ?? 'none',
      ]),
    ),
  );
}

describe('K1: results are paired along the chain', () => {
  const failed = page(
    row('r1', null, [user('q'), asks('x', 'weather')]),
    row('r2', 'r1', [user('retry'), asks('x', 'failed_try')], { status: 'error' }),
    row('r3', 'r1', [gives('x', 'RES'), agent('done')]),
  );

  test('not with the call of a failed row beside it', () => {
    expect(pairsOf(storylineOf(failed))).toEqual({ RES: 'weather' });
    expect(writtenBack(failed)).toEqual(failed);
  });

  test('not with the call of a failed row between', () => {
    const document = page(
      row('r1', null, [user('q'), asks('x', 'weather')]),
      row('r2', 'r1', [asks('x', 'failed_try')], { status: 'error' }),
      row('r3', 'r2', [gives('x', 'RES')]),
    );
    expect(pairsOf(storylineOf(document))).toEqual({ RES: 'weather' });
    expect(writtenBack(document)).toEqual(document);
  });

  test('a failed row has its own calls', () => {
    const document = page(
      row('r1', null, [user('q'), asks('x', 'try'), gives('x', 'RES')], { status: 'error' }),
    );
    expect(pairsOf(storylineOf(document))).toEqual({ RES: 'try' });
  });

  test('each of two branches has its own call', () => {
    const document = page(
      row('r1', null, [user('q')]),
      row('a1', 'r1', [asks('x', 'one')]),
      row('b1', 'r1', [asks('x', 'two')]),
      row('a2', 'a1', [gives('x', 'OF ONE')]),
      row('b2', 'b1', [gives('x', 'OF TWO')]),
    );
    const story = storylineOf(document);
    expect(pairsOf(story)).toEqual({ 'OF ONE': 'one', 'OF TWO': 'two' });
    expect(project(story, { leaf: 'a2' }).document.messages.at(-1)).toMatchObject({
      name: 'one',
      content: 'OF ONE',
    });
    expect(writtenBack(document)).toEqual(document);
  });

  test('two branches answer one call', () => {
    const document = page(
      row('r1', null, [asks('x', 'one')]),
      row('a1', 'r1', [gives('x', 'A')]),
      row('b1', 'r1', [gives('x', 'B')]),
    );
    expect(pairsOf(storylineOf(document))).toEqual({ A: 'one', B: 'one' });
  });

  test('the nearest call of an id that is used again', () => {
    const document = page(
      row('r1', null, [asks('x', 'one')]),
      row('r2', 'r1', [gives('x', 'A'), asks('x', 'two')]),
      row('r3', 'r2', [gives('x', 'B')]),
    );
    expect(pairsOf(storylineOf(document))).toEqual({ A: 'one', B: 'two' });
    expect(writtenBack(document)).toEqual(document);
  });

  test('a call on another branch only is none', () => {
    const document = page(
      row('r1', null, [user('q')]),
      row('a1', 'r1', [asks('x', 'one')]),
      row('b1', 'r1', [gives('x', 'B')]),
    );
    expect(codesOf(document)).toContain('ankole/orphan-result');
    expect(writtenBack(document)).toEqual(document);
  });

  test('rows in a circle are each read once', () => {
    const document = page(row('r1', 'r2', [asks('x', 'one')]), row('r2', 'r1', [gives('x', 'A')]));
    expect(pairsOf(storylineOf(document))).toEqual({ A: 'one' });
  });
});

describe('K1: scope, family and id make a pair', () => {
  test('a result of another family answers nothing', () => {
    const document = page(
      row('r1', null, [
        user('q'),
        { type: 'custom_tool_call', call_id: 'x', name: 'free', input: 'text' },
        asks('x', 'strict'),
        { type: 'custom_tool_call_output', call_id: 'x', output: 'FREE' },
        gives('x', 'STRICT'),
      ]),
    );
    const story = storylineOf(document);
    expect(pairsOf(story)).toEqual({ FREE: 'free', STRICT: 'strict' });
    expect(writtenBack(document)).toEqual(document);
    const ids = project(story).document.messages.flatMap(({ tool_calls: calls }) =>
      ((calls ?? []) as JsonObject[]).map(({ id }) => id),
    );
    expect(ids).toEqual(['call_1', 'call_2']);
    const wrong = page(
      row('r1', null, [
        asks('x', 'strict'),
        { type: 'custom_tool_call_output', call_id: 'x', output: 'WRONG' },
      ]),
    );
    expect(codesOf(wrong)).toEqual(['ankole/orphan-result']);
  });

  test("a program's call is none of a direct result", () => {
    const caller = { type: 'program', caller_id: 'p1' };
    const document = page(
      row('r1', null, [
        asks('x', 'direct'),
        asks('x', 'inner', { caller }),
        gives('x', 'DIRECT'),
        gives('x', 'INNER', { caller }),
      ]),
    );
    expect(pairsOf(storylineOf(document))).toEqual({ DIRECT: 'direct', INNER: 'inner' });
    expect(writtenBack(document)).toEqual(document);
    expect(codesOf(page(row('r1', null, [asks('x', 'inner', { caller }), gives('x', 'DIRECT')])))).toEqual([
      'ankole/orphan-result',
    ]);
  });

  test('of two calls with one id in a row, the first is answered first', () => {
    const document = page(row('r1', null, [asks('x', 'first'), asks('x', 'second'), gives('x', 'A')]));
    expect(pairsOf(storylineOf(document))).toEqual({ A: 'first' });
  });
});

describe('K2: what a compaction keeps', () => {
  const document = [
    row('r1', null, [user('kept original user'), agent('said and summed up')]),
    row('r2', 'r1', [asks('x', 'look'), gives('x', 'SEEN'), agent('kept tail'), asks('y', 'later')]),
    row('z', 'r2', [{ type: 'compaction_artifact', id: 'cmp_z' }], { type: 'checkpoint' }),
    row('r4', 'z', [gives('y', 'LATE'), user('new'), agent('ans')]),
    {
      id: 'z',
      conversation_id: 'c1',
      content: {
        version: 2,
        summary: { text: 'SUMMARY' },
        output: [
          user('kept original user'),
          { id: 'cmp_z', type: 'compaction', encrypted_content: 'ankole:compact:v1:cmp_z' },
          asks('x', 'look'),
          gives('x', 'SEEN'),
          agent('kept tail'),
          asks('y', 'later'),
        ],
      },
      inserted_at: '2026-08-20T09:00:00.000000Z',
    },
  ];
  const story = storylineOf(document);
  const told = (view: 'audit' | 'leaf' | 'context' | 'model') =>
    project(story, { view }).document.messages.map(({ content, tool_calls: calls }) =>
      Array.isArray(calls)
        ? calls.map((call: JsonObject) => (getOwn(call, 'function') as JsonObject).name).join()
        : content,
    );

  test('stands in the context in place of everything before', () => {
    const expected = [
      'kept original user',
      'SUMMARY',
      'look',
      'SEEN',
      'kept tail',
      'later',
      'LATE',
      'new',
      'ans',
    ];
    expect(told('context')).toEqual(expected);
    expect(told('model')).toEqual(expected);
  });

  test('is no turn of the trajectory, so nothing counts it twice', () => {
    const { run, steps, toolCalls } = toRows(story, {
      documentKey: 'k',
      ingestId: 'i',
      revision: 1n,
      ingestedAt: 0n,
      sourceId: 's',
      storageOrdinal: 0n,
    });
    expect([run.step_count, run.tool_call_count]).toEqual([10n, 2n]);
    expect([[...steps()].length, [...toolCalls()].length]).toEqual([10, 2]);
  });

  test('that is malformed, in a Storyline from elsewhere, is left out', () => {
    for (const kept of [
      5,
      { after: 'x' },
      { after: [5] },
      { before: [{ src: 'user', msg: 'hi', tool_calls: 7 }] },
    ]) {
      const turns = story.turns.map((turn) =>
        turn.env?.event_type === 'checkpoint' ? { ...turn, extra: { kept } } : turn,
      );
      const { document: shown } = project({ ...story, turns }, { view: 'context' });
      expect(shown.messages.map(({ content }) => content)).toEqual(['SUMMARY', 'LATE', 'new', 'ans']);
    }
  });

  test('has the ids of the source, so results behind it find their calls', () => {
    const messages = project(story, { view: 'model' }).document.messages;
    expect(
      messages.flatMap(({ tool_calls: calls, tool_call_id: answers }) => [
        ...((calls ?? []) as JsonObject[]).map(({ id }) => id),
        ...(answers === undefined ? [] : [`to ${String(answers)}`]),
      ]),
    ).toEqual(['call_1', 'to call_1', 'call_2', 'to call_2']);
    expect(messages.find(({ content }) => content === 'LATE')?.name).toBe('later');
  });

  test('answers results behind it where their id was used before', () => {
    const again = [
      row('r1', null, [asks('x', 'first')]),
      row('r2', 'r1', [gives('x', 'ONE'), asks('x', 'second')]),
      row('z', 'r2', [{ type: 'compaction_artifact', id: 'cmp_z' }], { type: 'checkpoint' }),
      row('r4', 'z', [gives('x', 'TWO')]),
      {
        id: 'z',
        conversation_id: 'c1',
        content: {
          version: 2,
          summary: { text: 'S' },
          output: [{ type: 'compaction' }, asks('x', 'second')],
        },
      },
    ];
    const result = project(storylineOf(again), { view: 'model' }).document.messages.at(-1);
    expect(result).toMatchObject({ name: 'second', content: 'TWO', tool_call_id: 'call_1' });
  });

  test('is told once where the rows themselves are shown', () => {
    const rows = ['kept original user', 'said and summed up', 'look', 'SEEN', 'kept tail', 'later'];
    const expected = [...rows, 'SUMMARY', 'LATE', 'new', 'ans'];
    expect(told('audit')).toEqual(expected);
    expect(told('leaf')).toEqual(expected);
    expect(exportAnkole([{ ...story, origin: { format: 'other' } }]).text.match(/kept tail/g)).toHaveLength(
      1,
    );
  });

  test('adds no issue, and everything comes back', () => {
    expect(codesOf(document)).toEqual([]);
    expect(writtenBack(document)).toEqual(document);
  });
});

describe('results that have no output (notes §1.3)', () => {
  const shown = (story: Storyline) =>
    project(story, { view: 'leaf' }).document.messages.map(({ role, name, content, tool_call_id: id }) =>
      role === 'tool' ? [name, content, id] : role,
    );

  test("K1: a program's result, an approval, the tools that a search found", () => {
    const document = page(
      row('r1', null, [
        { type: 'program', call_id: 'p', code: 'x' },
        { type: 'program_output', call_id: 'p', status: 'completed', result: '42' },
        { type: 'mcp_approval_request', id: 'm', name: 'pay', arguments: '{}', server_label: 's' },
        { type: 'mcp_approval_response', approval_request_id: 'm', approve: true, reason: 'fine' },
        { type: 'tool_search_call', call_id: 't', arguments: {} },
        { type: 'tool_search_output', call_id: 't', tools: [{ type: 'function', name: 'a' }] },
        { type: 'apply_patch_call', call_id: 'a', operation: {} },
        { type: 'apply_patch_call_output', call_id: 'a', status: 'completed' },
      ]),
    );
    const story = storylineOf(document);
    expect(shown(story)).toEqual([
      'assistant',
      ['program', '42', 'p'],
      'assistant',
      ['pay', 'true', 'm'],
      'assistant',
      ['tool_search', '[{"type":"function","name":"a"}]', 't'],
      'assistant',
      ['apply_patch', '', 'a'],
    ]);
    expect(codesOf(document)).toEqual([]);
    expect(writtenBack(document)).toEqual(document);
    expect(Object.keys(story.unknown_fields?.sources ?? {})).toEqual(['ankole-layout']);
    expect(JSON.stringify(story.unknown_fields)).not.toContain('patch');
  });

  test('a function output without one stays an item', () => {
    const document = page(
      row('r1', null, [asks('x', 'one'), { type: 'function_call_output', call_id: 'x' }]),
    );
    expect(storylineOf(document).turns[1]?.kind).toBe('internal');
    expect(writtenBack(document)).toEqual(document);
  });

  test('tool search of the server has no ids: the first call is answered first', () => {
    const search = (query: string): JsonObject => ({
      type: 'tool_search_call',
      execution: 'server',
      call_id: null,
      arguments: { query },
    });
    const tools = (name: string): JsonObject => ({
      type: 'tool_search_output',
      execution: 'server',
      call_id: null,
      tools: [name],
    });
    const document = page(
      row('r1', null, [search('one'), search('two'), tools('of one')]),
      row('r2', 'r1', [tools('of two'), tools('of none')]),
    );
    const { turns } = storylineOf(document);
    const [one, two] = turns.flatMap((turn) => (turn.tool_calls ?? []).map(({ tcid }) => tcid));
    const results = turns.flatMap(resultsOf).map(({ source_call_id: id, content }) => [id, content]);
    expect(results).toEqual([
      [one, ['of one']],
      [two, ['of two']],
      [undefined, ['of none']],
    ]);
    expect(one).not.toBe(two);
    expect(codesOf(document)).toEqual(['ankole/result-without-id']);
    expect(writtenBack(document)).toEqual(document);
    const items = [search('one'), search('two'), tools('of one'), tools('of two'), tools('of none')];
    const view = providerView(items);
    expect(view.items).toEqual(items.slice(0, 4));
    expect(view.quarantine).toEqual({ invalid_call_id_count: 1 });
  });
});

test('G11: a result behind a checkpoint names its call as the source does, though the call is out of view', () => {
  const story = storylineOf(
    page(
      row('r1', null, [user('q'), asks('x', 'one')]),
      row('r2', 'r1', [gives('x', 'first'), agent('a')]),
      row('r3', 'r2', [user('again'), asks('x', 'two')]),
      row('r4', 'r3', [], { type: 'checkpoint' }),
      row('r5', 'r4', [gives('x', 'second'), agent('b')]),
    ),
  );
  const renamed = story.turns.flatMap(({ tool_calls: calls = [] }) => calls.map(({ tcid }) => tcid))[1] ?? '';
  expect(renamed).toMatch(/^x@\d+$/);
  const context = project(story, { view: 'context' });
  expect(context.document.messages).toMatchObject([
    { role: 'tool', tool_call_id: 'x', name: 'two', content: 'second' },
    { role: 'assistant', content: 'b' },
  ]);
  const provider = project(story, { view: 'provider' });
  expect(provider.document.messages).toMatchObject([{ role: 'assistant', content: 'b' }]);
  expect(provider.issues.map(({ message }) => message).join()).toContain('"x"');
  expect(JSON.stringify([context, provider])).not.toContain(renamed);
});

describe('salvage', () => {
  const good = [
    { ...page(row('r1', null, [user('q')])), next_cursor: 'c1' },
    page(row('r2', 'r1', [agent('a')])),
  ] as const;
  const oops = page({ ...row('r3', 'r2', []), content: 'oops' });

  test('of pages in one array leaves out the bad one, in memory too', () => {
    const { storylines, issues } = importAnkole([good[0], oops, good[1]], { salvage: true });
    expect(storylines.map(({ turns }) => turns.map(({ msg }) => msg))).toEqual([['q', 'a']]);
    expect(issues.map(({ code, at }) => [code, at.pointer])).toEqual([
      ['ankole/row-shape', '/rows/1/messages/0/content'],
      ['core/record-dropped', '/rows/1'],
    ]);
    expect(exportValue(ankole, storylines).value).toEqual(good);
    expect(importAnkole([good[0], oops]).storylines).toEqual([]);
  });

  test('of bad pages only says nothing of others', () => {
    const { storylines, issues } = importAnkole([oops, oops], { salvage: true });
    expect(storylines).toEqual([]);
    expect(issues.map(({ code }) => code)).not.toContain('core/record-dropped');
  });

  test('of a shape that is unknown and a row that is bad takes both out', () => {
    const strange = { conversation_id: 'c1' };
    const { storylines, issues } = importAnkole([strange, good[0], oops, good[1]], { salvage: true });
    expect(storylines).toHaveLength(1);
    const dropped = issues.filter(({ code }) => code === 'core/record-dropped').map(({ at }) => at.pointer);
    expect(dropped).toEqual(['/rows/0', '/rows/2']);
  });
});
