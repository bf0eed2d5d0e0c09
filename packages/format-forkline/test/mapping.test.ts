import { readFileSync } from 'node:fs';
import {
  bytesSource,
  equalJson,
  type Head,
  type Json,
  readHead,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { createForkline, createMigrations, exportForkline, forkline, importForkline } from '../src/index.ts';
import { forklineWithSqlite } from '../src/sqlite/index.ts';
import { fixturePath, fixtureText } from './support/fixtures.ts';

const artifact = {
  schema_version: '1.0',
  run_id: 'run-1',
  entrypoint: 'examples/agent.py',
  started_at: '2026-02-23T01:04:20.123456+00:00',
  ended_at: '2026-02-23T01:04:30+00:00',
  status: 'success',
  forkline_version: '0.5.0',
  metadata: { cwd: '/x' },
  events: [
    {
      event_id: 7,
      run_id: 'run-1',
      ts: '2026-02-23T01:04:21+00:00',
      type: 'input',
      payload: { prompt: 'hello', lang: 'en' },
    },
    {
      event_id: 9,
      run_id: 'run-1',
      ts: '2026-02-23T01:04:22+00:00',
      type: 'llm_call',
      payload: { prompt: 'p', response: 'r', model: 'qwen3', usage: { prompt_tokens: 3 } },
    },
    {
      event_id: 10,
      run_id: 'run-1',
      ts: '2026-02-23T01:04:23+00:00',
      type: 'tool_call',
      payload: { name: 'search', args: { q: 1 }, result: { items: 5 } },
    },
    {
      event_id: 11,
      run_id: 'run-1',
      ts: '2026-02-23T01:04:24+00:00',
      type: 'tool_call',
      payload: {
        tool_name: 'http',
        invocation_id: 'i-1',
        request: {},
        timing: { duration_ms: 12.75 },
        error: { type: 'E', message: 'm' },
      },
    },
    {
      event_id: 12,
      run_id: 'run-1',
      ts: 'noon',
      type: 'artifact_ref',
      payload: { path: 'x', size: 1 },
      span_id: 's',
    },
    { event_id: 13, run_id: 'run-1', ts: '2026-02-23T01:04:25+00:00', type: 'output', payload: ['any', 1] },
  ],
};

test('F2: an artifact in the slots of a Storyline, one turn an event', () => {
  const { storylines, issues } = importForkline(JSON.stringify(artifact));
  expect(storylines).toEqual([
    {
      schema_version: 'storyline/v1',
      session: 'run-1',
      run: 'run-1',
      agent: { id: 'forkline', ver: '0.5.0' },
      origin: { format: 'forkline', schema_version: '1.0', document_id: 'run-1' },
      task: { env: { name: 'examples/agent.py' }, result: { status: 'success' } },
      started_at: '2026-02-23T01:04:20.123456+00:00',
      finished_at: '2026-02-23T01:04:30+00:00',
      meta: { cwd: '/x' },
      turns: [
        {
          id: 7,
          src: 'user',
          msg: 'hello',
          ts: '2026-02-23T01:04:21+00:00',
          env: { event_type: 'input' },
          extra: { payload: { lang: 'en' } },
        },
        {
          id: 9,
          src: 'agent',
          msg: 'r',
          ts: '2026-02-23T01:04:22+00:00',
          env: { event_type: 'llm_call' },
          model: 'qwen3',
          metrics: { prompt_tokens: 3 },
          prompt: { user: 'p' },
        },
        {
          id: 10,
          src: 'agent',
          msg: null,
          ts: '2026-02-23T01:04:23+00:00',
          env: { event_type: 'tool_call' },
          tool_calls: [{ tcid: 'event-10', fn: 'search', args: { q: 1 } }],
          observation: { results: [{ content: { items: 5 }, source_call_id: 'event-10' }] },
        },
        {
          id: 11,
          src: 'agent',
          msg: null,
          ts: '2026-02-23T01:04:24+00:00',
          env: { event_type: 'tool_call' },
          tool_calls: [
            {
              tcid: 'i-1',
              fn: 'http',
              args: {},
              duration_ms: 12,
              response: { status: 'error' },
              extra: { payload: { timing: { duration_ms: 12.75 } } },
            },
          ],
          observation: { results: [{ error: { type: 'E', message: 'm' }, source_call_id: 'i-1' }] },
        },
        {
          id: 12,
          src: 'system',
          msg: null,
          env: { event_type: 'artifact_ref' },
          extra: { payload: { path: 'x', size: 1 } },
        },
        {
          id: 13,
          src: 'agent',
          msg: ['any', 1],
          ts: '2026-02-23T01:04:25+00:00',
          env: { event_type: 'output' },
        },
      ],
      unknown_fields: {
        sources: {
          forkline: {
            source_document_id: 'run-1',
            fields: { '/events/4/ts': 'noon', '/events/4/span_id': 's' },
          },
          'forkline-layout': { source_document_id: 'run-1', fields: { '': { events: { 'msg=': [5] } } } },
        },
      },
      unknown_key_counts: {
        forkline: { '/events/4/ts': 1, '/events/4/span_id': 1 },
        'forkline-layout': { '': 1 },
      },
    },
  ]);
  expect(issues.map(({ code, at }) => `${code} ${at.pointer}`)).toContain(
    'forkline/time-format /events/4/ts',
  );
});

test('G11: one invocation_id used twice: the first call keeps it, the later one is told apart, and both come back', () => {
  const call = (event_id: number) => ({
    event_id,
    run_id: 'r',
    ts: '2026-02-23T01:04:21+00:00',
    type: 'tool_call',
    payload: { tool_name: 'f', invocation_id: 'i', request: {} },
  });
  const source = {
    schema_version: '1.0',
    run_id: 'r',
    entrypoint: 'e',
    started_at: '2026-02-23T01:04:20+00:00',
    events: [call(1), call(2), { ...call(3), payload: { name: 'g' } }],
  };
  const { storylines, issues } = importForkline(JSON.stringify(source));
  expect(storylines[0]?.turns.map(({ tool_calls }) => tool_calls?.[0]?.tcid)).toEqual([
    'i',
    'i@2',
    'event-3',
  ]);
  expect(issues.map(({ code }) => code)).toContain('forkline/repeated-call-id');
  expect(JSON.parse(exportForkline(storylines).text)).toEqual(source);
});

test('G9: event ids that are no 64-bit integers, or repeat, stay as they are, and the turns count from 1', () => {
  const event = (event_id: Json) => ({
    event_id,
    run_id: 'r',
    ts: '2026-02-23T01:04:21+00:00',
    type: 'output',
    payload: {},
  });
  const source = {
    schema_version: '1.0',
    run_id: 'r',
    entrypoint: 'e',
    started_at: '2026-02-23T01:04:20+00:00',
    events: [event(5), event(5), event('x'), event(null)],
  };
  const { storylines } = importForkline(JSON.stringify(source));
  expect(storylines[0]?.turns.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(JSON.parse(exportForkline(storylines).text)).toEqual(source);
});

test('one note a kind, however many events: 5,000 odd times make 5,000 residuals and one issue', () => {
  const events = Array.from({ length: 5_000 }, (_, index) => ({
    event_id: index,
    run_id: 'other',
    ts: 't',
    type: 'output',
    payload: { text: 'x' },
  }));
  const { storylines, issues } = importForkline({
    schema_version: '1.0',
    run_id: 'r',
    entrypoint: 'e',
    started_at: '2026-02-23T01:04:20+00:00',
    events,
  });
  expect(issues.filter(({ code }) => code.startsWith('forkline/')).map(({ code }) => code)).toEqual([
    'forkline/time-format',
    'forkline/other-run-id',
  ]);
  expect(issues.filter(({ code }) => code === 'core/unknown-key').map(({ at }) => at.pointer)).toEqual([
    '/events/*/ts',
  ]);
  expect(storylines[0]?.unknown_fields?.sources['forkline-layout']?.fields['']).toEqual({
    run_ids: [[0, 5_000, 'other']],
  });
});

const foreign: Storyline = {
  schema_version: 'storyline/v1',
  session: 's',
  trajectory: 't',
  agent: { id: 'codex', ver: '1', model: 'gpt' },
  origin: { format: 'actf' },
  started_at: 1_772_000_000,
  task: { result: { status: 'completed', score: 1 } },
  turns: [
    { id: 1, src: 'user', msg: 'question', ts: '2026-02-23T01:04:21Z' },
    {
      id: 2,
      src: 'agent',
      msg: 'thinking',
      model: 'gpt',
      reason: 'because',
      tool_calls: [
        { tcid: 'a', fn: 'f', args: { x: 1 } },
        { tcid: 'b', fn: 'g', args: null },
      ],
      observation: {
        results: [
          { source_call_id: 'b', content: 'two' },
          { source_call_id: 'a', content: 'one' },
        ],
      },
    },
  ],
};

describe('Storylines of other formats', () => {
  test('G14: a turn with a message and calls becomes an event each; what has no place is named', () => {
    const { text, issues } = exportForkline([foreign]);
    const written = JSON.parse(text) as {
      run_id: string;
      started_at: string;
      events: readonly { type: string; payload: Json }[];
    };
    expect([written.run_id, written.started_at]).toEqual(['t', '2026-02-25T06:13:20Z']);
    expect(written.events.map(({ type, payload }) => [type, payload])).toEqual([
      ['input', { prompt: 'question' }],
      ['output', { text: 'thinking', model: 'gpt' }],
      ['tool_call', { tool_name: 'f', invocation_id: 'a', request: { x: 1 }, response: 'one' }],
      ['tool_call', { tool_name: 'g', invocation_id: 'b', request: null, response: 'two' }],
    ]);
    const losses = issues.filter(({ severity }) => severity === 'loss').map(({ at }) => at.pointer);
    expect(losses).toContain('/turns/1/reason');
    expect(losses).toContain('/task/result/score');
    expect(losses).toContain('/agent/model');
  });

  test('G14: with carry the way back is exact', () => {
    const { text, issues } = exportForkline([foreign], { carry: true });
    expect(issues.filter(({ severity }) => severity === 'loss' || severity === 'error')).toEqual([]);
    const back = importForkline(text);
    const [storyline] = back.storylines;
    if (storyline === undefined) throw new Error(JSON.stringify(back.issues));
    const plain = ({ unknown_fields: _, unknown_key_counts: __, ...rest }: Storyline): Storyline =>
      rest as Storyline;
    expect(equalJson(storylineToJson(plain(storyline)), storylineToJson(plain(foreign)))).toBe(true);
  });

  test('a tracer database in JSON: the steps are named as lost', async () => {
    const { importStorylines } = await import('@pchronicle/storyline-core');
    const bytes = new Uint8Array(readFileSync(fixturePath('11-db-tracer-1.0/forkline.db')));
    for await (const event of importStorylines(bytesSource('forkline.db', bytes), forklineWithSqlite)) {
      if (event.type !== 'storyline') continue;
      expect(event.storyline.turns.map(({ env }) => [env?.name, env?.id])).toContainEqual(['inner', '1']);
      const issues = exportForkline([event.storyline]).issues.map(({ code, at }) => `${code} ${at.pointer}`);
      expect(issues).toEqual([
        'forkline/steps-not-written /unknown_fields/sources/forkline-layout',
        'forkline/not-expressible /turns/*/env/name',
        'forkline/not-expressible /turns/*/env/id',
      ]);
    }
  });
});

test('a version and migrations of your own', () => {
  const migrations = createMigrations();
  migrations.registerMigration('1.0', '1.1', (raw) => ({ ...raw, new_field: 'default' }));
  const format = createForkline({ migrations, currentVersion: '1.1' });
  expect(format.id).toBe('forkline');
  const { storylines } = importForkline(JSON.stringify(artifact), { migrations, currentVersion: '1.1' });
  const back = JSON.parse(exportForkline(storylines, { migrations, currentVersion: '1.1' }).text) as {
    schema_version: string;
    new_field: string;
  };
  expect([back.schema_version, back.new_field]).toEqual(['1.1', 'default']);
});

describe('detection: content decides', () => {
  const headOf = (input: string | Uint8Array, name = 'x.json'): Promise<Head> =>
    readHead(bytesSource(name, input));

  test('artifacts of every version, alone, in an array or one a line', async () => {
    const texts = [
      fixtureText('07-db-recorder-recording_v0/run-a.run.json'),
      fixtureText('16-migrate-recording_v0-json/plain.json'),
      JSON.stringify([artifact, artifact]),
      `${JSON.stringify(artifact)}\n${JSON.stringify(artifact)}\n`,
      fixtureText('13-json-schema-version-missing/absent.json'),
    ];
    for (const text of texts) expect(forkline.detect(await headOf(text)).confidence).toBe('yes');
  });

  test('other documents are not taken for artifacts', async () => {
    const texts = [
      '{"schema_version":"storyline/v1","session":"s","agent":{"id":"a"},"turns":[]}',
      '{"task_id":"t","attempts":{}}',
      '{"session_steps":[]}',
      '[1]',
      '{"run_id":"r"}',
      '',
    ];
    for (const text of texts) expect(forkline.detect(await headOf(text)).confidence).toBe('no');
  });

  test('a database is recognised by its first bytes, whatever its name, by the format that can open it', async () => {
    const bytes = new Uint8Array(readFileSync(fixturePath('06-db-recorder-0.1/runs.db')));
    const head = await headOf(bytes, 'notes.txt');
    expect(forklineWithSqlite.detect(head).confidence).toBe('yes');
    expect(forkline.detect(head).confidence).toBe('no');
  });
});

test('a second import of an export is the first import', () => {
  const first = importForkline(JSON.stringify(artifact)).storylines;
  const second = importForkline(exportForkline(first).text).storylines;
  expect(equalJson(storylineToJson(first[0] as Storyline), storylineToJson(second[0] as Storyline))).toBe(
    true,
  );
});
