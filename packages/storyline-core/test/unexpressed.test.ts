import { describe, expect, test } from 'vitest';
import { type Storyline, unexpressed } from '../src/index.ts';

const storyline: Storyline = {
  schema_version: 'storyline/v1',
  session: 's',
  agent: { id: 'a', model: 'm' },
  turns: [
    { id: 1, src: 'user', msg: null },
    { id: 2, src: 'agent', msg: 'x', tool_calls: [{ tcid: 'c', fn: 'f', args: { a: 1 }, kind: 'k' }] },
  ],
  task: { llm: { k: 1 }, result: { score: 1 } },
  unknown_fields: { sources: { x: { source_document_id: 'd', fields: { '/y': 1 } } } },
  unknown_key_counts: { x: { '/y': 1 } },
};

describe('G14 unexpressed', () => {
  test('names the largest parts that no pattern covers, in document order', () => {
    const expresses = [
      '/session',
      '/agent/id',
      '/turns/*/id',
      '/turns/*/src',
      '/turns/*/msg',
      '/turns/*/tool_calls/*/args',
      '/task/llm',
    ];
    expect([...unexpressed(storyline, expresses)]).toEqual([
      '/agent/model',
      '/turns/1/tool_calls/0/tcid',
      '/turns/1/tool_calls/0/fn',
      '/turns/1/tool_calls/0/kind',
      '/task/result',
    ]);
  });

  test('names every member when nothing is expressed, and none when all is', () => {
    expect([...unexpressed(storyline, [])]).toEqual(['/session', '/agent', '/turns', '/task']);
    expect([...unexpressed(storyline, ['/session', '/agent', '/turns', '/task'])]).toEqual([]);
  });

  test('a pattern that lies deeper than the value does not cover it', () => {
    expect([
      ...unexpressed({ ...storyline, notes: 'n' }, [
        '/session',
        '/agent',
        '/turns',
        '/task',
        '/notes/deeper',
      ]),
    ]).toEqual(['/notes']);
  });

  test('an empty list is named unless its own pattern is there; no turns are no loss', () => {
    const empty: Storyline = { ...storyline, turns: [{ id: 1, src: 'agent', msg: '', tool_calls: [] }] };
    const deep = [
      '/session',
      '/agent',
      '/turns/*/id',
      '/turns/*/src',
      '/turns/*/msg',
      '/turns/*/tool_calls/*/args',
      '/task',
    ];
    expect([...unexpressed(empty, deep)]).toEqual(['/turns/0/tool_calls']);
    expect([...unexpressed(empty, [...deep, '/turns/*/tool_calls'])]).toEqual([]);
    expect([...unexpressed({ ...storyline, turns: [] }, deep)]).toEqual([]);
  });
});
