import type { Json, Storyline } from '@pchronicle/storyline-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import {
  type AttemptGroup,
  openSql,
  runStats,
  type SqlCell,
  type SqlSession,
  STATS,
  type StatsName,
} from '../src/sql/index.ts';
import { freshStore, put } from './helpers.ts';

function attempt(
  task: string,
  number: number,
  correct: boolean | undefined,
  metrics: Json,
  durations: readonly number[],
): Storyline {
  return {
    schema_version: 'storyline/v1',
    session: `${task}-${number}`,
    run: task,
    attempt_id: String(number),
    agent: { id: 'a', model: 'small' },
    ...(correct === undefined
      ? {}
      : { task: { result: { correct, score: correct ? 1 : 0, status: correct ? 'done' : 'failed' } } }),
    turns: [
      { id: 1, src: 'user', msg: 'go', metrics: { prompt_tokens: 1_000_000 }, copied: true },
      {
        id: 2,
        src: 'agent',
        msg: null,
        metrics,
        latency_ms: 100 * number,
        ...(number === 1 ? { model: 'big' } : {}),
        tool_calls: durations.map((duration_ms, index) => ({
          tcid: `c${index}`,
          fn: index === 0 ? 'read' : 'shell',
          args: {},
          duration_ms,
          ...(index === 0
            ? { result: 'ok', response: { exit_code: 0 } }
            : { response: { exit_code: index } }),
        })),
      },
    ],
  };
}

async function rowsOf(
  session: SqlSession,
  name: StatsName,
  by?: AttemptGroup,
): Promise<Record<string, SqlCell | undefined>[]> {
  const { columns, rows } = await runStats(session, name, by === undefined ? {} : { by });
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])));
}

describe('stats', () => {
  let store: Store;
  let session: SqlSession;
  const table = (name: StatsName) => rowsOf(session, name);

  beforeAll(async () => {
    ({ store } = await freshStore());
    const storylines = [
      attempt('T', 1, true, { prompt_tokens: 10, completion_tokens: 1 }, [5, 10]),
      attempt('T', 2, false, { usage: { input_tokens: 20, output_tokens: 2 } }, [15]),
      attempt('T', 3, false, { prompt_tokens_len: 30, prompt_tokens: 999 }, []),
      attempt('U', 1, true, null, [25, 30, 35]),
      attempt('V', 1, undefined, { prompt_tokens: 'many' }, []),
    ];
    await put(
      store,
      storylines.map((storyline) => ({ storylines: [storyline] })),
    );
    session = await openSql(store);
  });
  afterAll(async () => {
    await session.close();
    await store.close();
  });

  test('overview', async () => {
    expect(await table('overview')).toMatchObject([
      {
        storylines: 5,
        tasks: 3,
        sources: 1,
        steps: 10,
        tool_calls: 6,
        failed_tool_calls: 3,
        prompt_tokens: 60,
        completion_tokens: 3,
        judged: 4,
        correct: 2,
        pass_rate: 0.5,
      },
    ]);
  });

  test('tools: calls, failures, durations', async () => {
    expect(await table('tools')).toEqual([
      {
        tool: 'read',
        calls: 3,
        storylines: 3,
        failures: 0,
        failure_rate: 0,
        without_result: 0,
        p50_ms: 15,
        p95_ms: 25,
      },
      {
        tool: 'shell',
        calls: 3,
        storylines: 2,
        failures: 3,
        failure_rate: 1,
        without_result: 3,
        p50_ms: 30,
        p95_ms: 35,
      },
    ]);
  });

  test('models: tokens under every name that core sums, and the same sums; copied context not counted', async () => {
    const models = await table('models');
    expect(models).toMatchObject([
      { model: 'big', turns: 3, prompt_tokens: 10, p50_latency_ms: 100 },
      { model: 'small', turns: 2, prompt_tokens: 50, completion_tokens: 2, p95_latency_ms: 300 },
    ]);
    const [overview] = await table('overview');
    expect(models.reduce((sum, row) => sum + Number(row.prompt_tokens ?? 0), 0)).toBe(
      overview?.prompt_tokens,
    );
  });

  test('every summary runs over an empty store', async () => {
    const empty = await freshStore();
    const over = await openSql(empty.store);
    for (const name of Object.keys(STATS) as StatsName[]) {
      const { rows } = await runStats(over, name);
      expect(rows, name).toHaveLength(name === 'overview' ? 1 : 0);
    }
    await over.close();
    await empty.store.close();
  });
});

describe('outcomes of attempts', () => {
  let store: Store;
  let session: SqlSession;
  const table = (name: StatsName, by?: AttemptGroup) => rowsOf(session, name, by);
  const of = (model: string | undefined, ...made: Parameters<typeof attempt>): Storyline => ({
    ...attempt(...made),
    agent: model === undefined ? { id: 'a' } : { id: 'a', model },
  });

  beforeAll(async () => {
    ({ store } = await freshStore());
    const one = [
      of('small', 'T', 1, true, null, []),
      of('small', 'T', 2, false, null, []),
      of('small', 'T', 3, false, null, []),
      of('small', 'U', 1, true, null, []),
      of('small', 'V', 1, undefined, null, []),
      // Only its turn says which model it was.
      of(undefined, 'W', 1, false, null, []),
      of('small', 'W', 2, false, null, []),
    ];
    const sources = [
      ['one.json', one],
      ['two.json', [of('large', 'T', 1, true, null, [])]],
    ] as const;
    for (const [sourcePath, storylines] of sources) {
      const documents = storylines.map((storyline) => ({ storylines: [storyline] }));
      await put(store, documents, { sourceId: sourcePath, sourcePath });
    }
    session = await openSql(store);
  });
  afterAll(async () => {
    await session.close();
    await store.close();
  });

  test('outcomes: pass rate per task and model; attempts of two models are never counted together', async () => {
    const task = (
      name: string,
      model: string | null,
      attempts: number,
      correct: number,
      rate: number | null,
    ) => expect.objectContaining({ task: name, model, attempts, correct, pass_rate: rate });
    const outcomes = await table('outcomes');
    expect(outcomes).toEqual([
      task('U', 'small', 1, 1, 1),
      task('T', 'large', 1, 1, 1),
      task('T', 'small', 3, 1, 0.3333),
      task('W', 'big', 1, 0, 0),
      task('W', 'small', 1, 0, 0),
      task('V', 'small', 1, 0, null),
    ]);
    expect(outcomes[2]).toEqual({
      ...{ task: 'T', model: 'small', attempts: 3, correct: 1, pass_rate: 0.3333, mean_score: 0.3333 },
      statuses: 'done, failed',
    });
  });

  test('outcomes by agent, by source, and of all attempts together', async () => {
    expect(await table('outcomes', 'none')).toMatchObject([
      { task: 'U', attempts: 1, pass_rate: 1 },
      { task: 'T', attempts: 4, pass_rate: 0.5 },
      { task: 'W', attempts: 2, pass_rate: 0 },
      { task: 'V', attempts: 1, pass_rate: null },
    ]);
    expect(await table('outcomes', 'agent')).toMatchObject([
      { task: 'U', agent: 'a' },
      { task: 'T', agent: 'a', attempts: 4 },
      { task: 'W', agent: 'a', attempts: 2 },
      { task: 'V', agent: 'a' },
    ]);
    expect((await table('outcomes', 'source')).filter((row) => row.task === 'T')).toMatchObject([
      { source: 'two.json', attempts: 1, pass_rate: 1 },
      { source: 'one.json', attempts: 3, pass_rate: 0.3333 },
    ]);
  });

  test('pass@k over the attempts of a model is the unbiased estimate', async () => {
    // small, T: n = 3, c = 1; U: n = 1, c = 1; W: n = 1, c = 0.
    expect(await table('pass-at-k')).toEqual([
      { model: 'big', k: 1, tasks: 1, pass_at_k: 0 },
      { model: 'large', k: 1, tasks: 1, pass_at_k: 1 },
      { model: 'small', k: 1, tasks: 3, pass_at_k: 0.4444 },
      { model: 'small', k: 2, tasks: 1, pass_at_k: 0.6667 },
      { model: 'small', k: 3, tasks: 1, pass_at_k: 1 },
    ]);
    // T: n = 4, c = 2; W: n = 2, c = 0.
    expect(await table('pass-at-k', 'none')).toEqual([
      { k: 1, tasks: 3, pass_at_k: 0.5 },
      { k: 2, tasks: 2, pass_at_k: 0.4167 },
      { k: 3, tasks: 1, pass_at_k: 1 },
      { k: 4, tasks: 1, pass_at_k: 1 },
    ]);
  });
});
