import { differences } from '@pchronicle/conformance';
import { getPointer, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { importActf, normaliseActf } from '../src/index.ts';
import { accepted, back, events, read, STEPS, told, written } from './support/documents.ts';

const AT = '/attempts/1/trajectory';
const time = (second: number): string => `2026-08-01T00:00:0${second}Z`;

function message(role: string, content: Json, rest: JsonObject = {}, event: JsonObject = {}): JsonObject {
  return { type: 'message', timestamp: time(1), ...event, message: { role, content, ...rest } };
}

function call(id: string, rest: JsonObject = {}): JsonObject {
  return { type: 'toolCall', id, name: 'exec', arguments: { command: 'ls' }, ...rest };
}

/** What was kept of the events, without the pointer of the trajectory. */
function aside(document: Json): JsonObject {
  const fields = (read(document, '/0/unknown_fields/sources/openclaw/fields') ?? {}) as JsonObject;
  return Object.fromEntries(
    Object.entries(fields).map(([pointer, value]) => [pointer.slice(AT.length), value]),
  ) as JsonObject;
}

describe('A12 messages', () => {
  test('A12: user and assistant messages become turns, numbered with the results between them', () => {
    const document = events(
      message(
        'user',
        [
          { type: 'text', text: 'list' },
          { type: 'text', text: 'files' },
        ],
        { model: 'm0' },
      ),
      message(
        'assistant',
        [{ type: 'thinking', thinking: 'hmm' }, { type: 'text', text: 'running' }, call('t1')],
        { model: 'm1', usage: { input: 3 } },
      ),
      message('toolResult', [{ type: 'text', text: 'a.txt' }], {
        toolCallId: 't1',
        toolName: 'exec',
        details: { status: 'completed', exitCode: 0, durationMs: 12, aggregated: 'a.txt' },
      }),
      message('assistant', 'done'),
    );
    expect(read(document, '/0/turns')).toEqual([
      { id: 1, src: 'user', msg: 'list\nfiles', ts: time(1), model: 'm0' },
      {
        id: 2,
        src: 'agent',
        msg: 'running',
        kind: 'autonomous',
        ts: time(1),
        reason: 'hmm',
        metrics: { input: 3 },
        model: 'm1',
        nllm: 1,
        tool_calls: [
          {
            tcid: 't1',
            fn: 'exec',
            args: { command: 'ls' },
            kind: 'function',
            result: 'a.txt',
            duration_ms: 12,
            response: { status: 'completed', exit_code: 0 },
          },
        ],
        observation: {
          results: [
            {
              content: 'a.txt',
              tool_use_id: 't1',
              source_call_id: 't1',
              name: 'exec',
              status: 'completed',
              exit_code: 0,
              duration_ms: 12,
              aggregated_output: 'a.txt',
            },
          ],
        },
      },
      { id: 4, src: 'agent', msg: 'done', ts: time(1), nllm: 1 },
    ]);
  });

  test('A12: a text is the message, not reasoning; empty thinking is no reason', () => {
    const document = events(
      message('assistant', 'plain'),
      message('assistant', [{ type: 'thinking', thinking: '' }]),
    );
    expect(read(document, '/0/turns/0')).toEqual({ id: 1, src: 'agent', msg: 'plain', ts: time(1), nllm: 1 });
    expect(read(document, '/0/turns/1/reason')).toBeUndefined();
    expect(aside(document)).toEqual({ '/1/message/content/0': { type: 'thinking', thinking: '' } });
  });

  test('A12: leftover keys of events, messages, parts and details are kept at their pointers', () => {
    const document = events(
      message(
        'assistant',
        [
          { type: 'text', text: 'x', textSignature: 's' },
          { type: 'image', data: 'D' },
          call('t1', { partialJson: '{' }),
          'odd',
          { type: 'text', text: 'more' },
        ],
        { stopReason: 'error', errorMessage: 'boom', 'a/b': 1 },
        { id: 'e1', parentId: null },
      ),
      message(
        'toolResult',
        [
          { type: 'text', text: 'r' },
          { type: 'image', data: 'E' },
        ],
        { toolCallId: 't1', toolName: 5, isError: true, details: { exitCode: 'x', diff: 'd' } },
        { id: 'e2', timestamp: time(2) },
      ),
    );
    expect(aside(document)).toEqual({
      '/0/id': 'e1',
      '/0/parentId': null,
      '/0/message/stopReason': 'error',
      '/0/message/errorMessage': 'boom',
      '/0/message/a~1b': 1,
      '/0/message/content/0/textSignature': 's',
      '/0/message/content/1': { type: 'image', data: 'D' },
      '/0/message/content/2/partialJson': '{',
      '/0/message/content/3': 'odd',
      '/0/message/content/4': { type: 'text', text: 'more' },
      '/1/id': 'e2',
      '/1/timestamp': time(2),
      '/1/message/toolName': 5,
      '/1/message/isError': true,
      '/1/message/content/1': { type: 'image', data: 'E' },
      '/1/message/details/exitCode': 'x',
      '/1/message/details/diff': 'd',
    });
  });

  test('A12: events without a slot and odd events are kept whole', () => {
    const odd = [
      { type: 'custom', data: 1 },
      'x',
      null,
      ['y'],
      message('system', 's'),
      { type: 'message' },
      { type: 'message', message: 5 },
    ];
    const { storylines, issues } = accepted(events(...odd, message('user', 'hi')));
    expect(storylines[0]?.turns).toHaveLength(1);
    expect(aside(events(...odd, message('user', 'hi')))).toEqual(
      Object.fromEntries(odd.map((event, index) => [`/${index}`, event])),
    );
    expect(issues.find(({ code }) => code === 'actf/openclaw-events')?.message).toMatch(
      /8 .*: 1 turns, 0 tool results.*, 7 others/,
    );
  });

  test('A12: usage that could not be a metric is kept aside', () => {
    const document = events(
      message('assistant', 'x', { usage: { llm_infer_ms: 'slow' } }),
      message('assistant', 'y', { usage: 5 }),
    );
    expect(aside(document)).toEqual({ '/0/message/usage': { llm_infer_ms: 'slow' }, '/1/message/usage': 5 });
    expect(read(document, '/0/turns/0/metrics')).toBeUndefined();
  });
});

describe('A12 tool results', () => {
  test('A12: a result that answers no call is kept whole, with a warning', () => {
    const stray = message('toolResult', 'r', { toolCallId: 'gone' });
    const { storylines, issues } = accepted(events(stray));
    expect(storylines[0]?.turns).toEqual([]);
    expect(aside(events(stray))).toEqual({ '/0': stray });
    expect(told(issues, 'actf/unmatched-tool-result')).toEqual([
      `warning actf/unmatched-tool-result ${AT}/0`,
    ]);
  });

  test('A12: a result that names no call is a turn of its own', () => {
    const document = events(
      message('toolResult', [{ type: 'text', text: 'r' }, { type: 'image' }], { toolName: 'exec' }),
    );
    expect(read(document, '/0/turns/0')).toEqual({
      id: 1,
      src: 'agent',
      msg: 'r',
      ts: time(1),
      extra: { openclaw_role: 'toolResult', toolName: 'exec' },
    });
    expect(aside(document)).toEqual({
      '/0/message/toolName': 'exec',
      '/0/message/content/1': { type: 'image' },
    });
  });

  test('A12: a result answers the last message that has its call; a call that repeats an id of its message is kept aside', () => {
    const document = events(
      message('assistant', [call('t'), call('t', { name: 'again' })]),
      message('toolResult', 'first', { toolCallId: 't' }),
      message('toolResult', 'second', { toolCallId: 't' }),
      message('assistant', [call('t')]),
      message('toolResult', 'third', { toolCallId: 't' }),
    );
    const [story] = accepted(document).storylines;
    const calls = story?.turns.map((turn) => turn.tool_calls?.map(({ tcid, result }) => [tcid, result]));
    expect(calls).toEqual([[['t', 'second']], [['t@4', 'third']]]);
    expect(read(document, '/0/turns/0/observation/results')).toEqual([
      { content: 'first', tool_use_id: 't', source_call_id: 't' },
      { content: 'second', tool_use_id: 't', source_call_id: 't' },
    ]);
    expect(aside(document)).toMatchObject({
      '/0/message/content/1': call('t', { name: 'again' }),
      '/3/message/content/0/id': 't',
    });
    expect(told(accepted(document).issues, 'actf/reused-tool-id')).toHaveLength(1);
    expect(getPointer(back(document).document, `${STEPS}/1/observation`)).toEqual([
      { content: 'third', tool_use_id: 't@4' },
    ]);
  });

  test('A12: a message without text has none', () => {
    const document = events(
      message('assistant', [call('t', { arguments: null })]),
      message('toolResult', [], { toolCallId: 't' }),
      message('user', 7),
    );
    expect(read(document, '/0/turns/0/tool_calls/0')).toEqual({
      tcid: 't',
      fn: 'exec',
      args: {},
      kind: 'function',
    });
    expect(read(document, '/0/turns/1/msg')).toBe('');
    expect(aside(document)).toEqual({
      '/0/message/content/0/arguments': null,
      '/1/timestamp': time(1),
      '/2/message/content': 7,
    });
  });
});

describe('A12 what an array says about the run', () => {
  test('A12: the last session and the last model count; what others said is kept', () => {
    const sessions = [
      { type: 'session', id: 's1', cwd: '/a', version: 3, timestamp: time(0) },
      { type: 'session', id: 's2', timestamp: time(1) },
      { type: 'session', id: '' },
    ];
    const models = [
      { type: 'model_change', modelId: 'm1', provider: 'p' },
      { type: 'model_change', modelId: 'm2' },
      { type: 'model_change', modelId: '' },
    ];
    const document = events(...sessions, ...models);
    expect(read(document, '/0/task/env')).toEqual({ id: 's2' });
    expect(read(document, '/0/agent')).toEqual({ id: 'actf-agent', name: 'ACTF Agent', model: 'm2' });
    expect(aside(document)).toEqual({
      '/0': sessions[0],
      '/1/type': 'session',
      '/1/timestamp': time(1),
      '/2': sessions[2],
      '/3': models[0],
      '/4/type': 'model_change',
      '/5': models[2],
    });
  });

  test('A12: times are the first and last timestamps; an empty array gives no turns and no times', () => {
    const document = events(
      { type: 'custom', timestamp: 5 },
      { type: 'custom', timestamp: time(3) },
      { type: 'custom', timestamp: time(2) },
    );
    expect([read(document, '/0/started_at'), read(document, '/0/finished_at')]).toEqual([time(3), time(2)]);
    const empty = accepted(events()).storylines[0];
    expect([empty?.turns, empty?.started_at, empty?.finished_at]).toEqual([[], undefined, undefined]);
    expect(getPointer(back(events()).document, '/attempts/1/trajectory')).toEqual({
      schema_version: 'ACTF_v1.0',
      started_at: '1970-01-01 00:00:00+00:00',
      finished_at: '1970-01-01 00:00:00+00:00',
      steps: [],
    });
  });

  test('A12: a timestamp that is no RFC 3339 text is an error where it would be a time', () => {
    const { issues } = importActf(events(message('user', 'x', {}, { timestamp: 'noon' })));
    expect(told(issues, 'actf/bad-time')).toEqual([`error actf/bad-time ${AT}/0/timestamp`]);
  });
});

test('A12: what was kept travels in the envelope, and comes back from it', () => {
  const document = events(message('assistant', 'x', { stopReason: 'error' }), { type: 'custom' });
  const { document: first, issues } = back(document);
  expect(
    getPointer(first, `/_storyline/unknown_fields/by_trajectory/~1attempts~11/sources/openclaw`),
  ).toEqual({
    source_document_id: 'task-1',
    fields: { [`${AT}/0/message/stopReason`]: 'error', [`${AT}/1`]: { type: 'custom' } },
  });
  expect(told(issues).filter((line) => line.startsWith('loss'))).toEqual([]);
  expect(differences(first, normaliseActf(document))).toEqual([]);
  const again = accepted(first).storylines;
  expect(again[0]?.unknown_fields).toEqual(accepted(document).storylines[0]?.unknown_fields);
  expect(differences(written(again).document, first)).toEqual([]);
});
