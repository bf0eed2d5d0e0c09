import {
  getOwn,
  type Json,
  type JsonObject,
  project,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { exportAnkole, importAnkole } from '../src/index.ts';
import { messageRow } from './support/message-row.ts';
import { storylineOf, writtenBack } from './support/round-trip.ts';

const page = (...items: readonly JsonObject[]): JsonObject => ({
  messages: [messageRow('r1', null, items)],
  next_cursor: null,
});
const mcp = (more: JsonObject): JsonObject => ({
  type: 'mcp_call',
  id: 'm1',
  name: 'search',
  server_label: 'srv',
  arguments: '{"q":"boat"}',
  ...more,
});

/** Items, and the arguments and outcome that their calls have. */
const cases: { readonly [name: string]: readonly [item: JsonObject, args: Json, result?: Json] } = {
  'a call of an MCP server': [
    mcp({ approval_request_id: 'a1', output: 'three boats', error: null }),
    { q: 'boat' },
    { type: 'mcp_call', source_call_id: 'm1', content: 'three boats' },
  ],
  'a call of an MCP server that failed': [
    mcp({ output: null, error: { code: 5 } }),
    { q: 'boat' },
    { type: 'mcp_call', source_call_id: 'm1', content: { code: 5 }, success: false },
  ],
  'a call of an MCP server that gave something before it failed': [
    mcp({ output: 'one', error: 'late' }),
    { q: 'boat' },
    { type: 'mcp_call', source_call_id: 'm1', content: 'one', error: 'late' },
  ],
  'a call of an MCP server that is not answered': [mcp({ output: null, error: null }), { q: 'boat' }],
  'a call of an MCP server without arguments': [
    { type: 'mcp_call', id: 'm1', name: 'search', other: 1 },
    { other: 1 },
  ],
  'a question whether it may be called': [
    { type: 'mcp_approval_request', id: 'm1', name: 'pay', arguments: '{"sum":7}', server_label: 'srv' },
    { sum: 7 },
  ],
  'a search of tools': [
    { type: 'tool_search_call', call_id: 'm1', execution: 'server', arguments: { query: 'x' } },
    { query: 'x' },
  ],
  'a brain call': [
    { type: 'brain_call', call_id: 'm1', name: 'recall', arguments: '{"of":"x"}' },
    { of: 'x' },
  ],
  'a search of files': [
    { type: 'file_search_call', id: 'm1', queries: ['a'], results: [{ file_id: 'f', text: 't' }] },
    { queries: ['a'] },
    { type: 'file_search_call', source_call_id: 'm1', content: [{ file_id: 'f', text: 't' }] },
  ],
  'a run of code': [
    {
      type: 'code_interpreter_call',
      id: 'm1',
      code: '1+1',
      container_id: 'cntr_1',
      outputs: [{ type: 'logs', logs: '2' }],
    },
    { code: '1+1' },
    { type: 'code_interpreter_call', source_call_id: 'm1', content: [{ type: 'logs', logs: '2' }] },
  ],
  'an image': [
    { type: 'image_generation_call', id: 'm1', size: 'auto', result: 'AAAA' },
    { size: 'auto' },
    { type: 'image_generation_call', source_call_id: 'm1', content: 'AAAA' },
  ],
  'a search of the web': [
    { type: 'web_search_call', id: 'm1', status: 'completed', action: { query: 'x' } },
    { action: { query: 'x' } },
  ],
};

const callIn = ({ turns }: Storyline) => turns[0]?.tool_calls?.[0];

describe.each(Object.keys(cases))('%s', (name) => {
  const [item, args, result] = cases[name] as (typeof cases)[string];
  const document = page(item);
  const story = storylineOf(document);

  test('has its arguments, and its result beside them', () => {
    expect(callIn(story)?.args).toEqual(args);
    expect(getOwn((story.turns[0]?.observation ?? {}) as JsonObject, 'results')).toEqual(
      result === undefined ? undefined : [result],
    );
    expect(callIn(story)?.tcid).toBe('m1');
  });

  test('comes back exactly, and not by a note on its spelling', () => {
    expect(writtenBack(document)).toEqual(document);
    expect(JSON.stringify(story.unknown_fields)).not.toContain('patch');
  });

  test('is shown to a model as a call, with a result of it where it has one', () => {
    const { messages } = project(story, { view: 'model' }).document;
    expect(messages.map(({ role }) => role)).toEqual(
      result === undefined ? ['assistant'] : ['assistant', 'tool'],
    );
    expect(JSON.stringify(messages)).not.toMatch(/approval_request_id|container_id|"m1"/);
    expect(getOwn(messages.at(-1) as JsonObject, 'tool_call_id')).toBe(
      result === undefined ? undefined : 'call_1',
    );
    expect(project(story, { view: 'provider' }).document.messages).toHaveLength(messages.length);
  });
});

test('an edited result goes back where it came from', () => {
  const story = storylineOf(page(mcp({ output: 'three boats', error: null })));
  const [turn] = story.turns as readonly [Turn];
  const [result] = (turn.observation as unknown as { results: JsonObject[] }).results;
  const { text, issues } = exportAnkole([
    {
      ...story,
      turns: [{ ...turn, observation: { results: [{ ...result, content: 'four boats' }] } }],
    } as Storyline,
  ]);
  expect(issues).toEqual([]);
  expect(callIn(importAnkole(text).storylines[0] as Storyline)?.args).toEqual({ q: 'boat' });
  expect(text).toContain('"output":"four boats"');
});

test('two calls without ids have their own results', () => {
  const { id: _, ...nameless } = mcp({ output: 'b' });
  const { id: __, ...unanswered } = mcp({ output: null });
  const document = page(unanswered, nameless, { ...nameless, output: 'c' });
  const { turns } = storylineOf(document);
  const calls = turns.map(({ tool_calls: [call] = [] }) => call?.tcid);
  expect(new Set(calls).size).toBe(3);
  expect(turns.map(({ observation }) => getOwn((observation ?? {}) as JsonObject, 'results'))).toEqual([
    undefined,
    [{ type: 'mcp_call', source_call_id: calls[1], content: 'b' }],
    [{ type: 'mcp_call', source_call_id: calls[2], content: 'c' }],
  ]);
  expect(writtenBack(document)).toEqual(document);
});
