import type { Json, Storyline } from '@pchronicle/storyline-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import { openSql, runStats, type SqlSession, STATS, type StatsName } from '../src/sql/index.ts';
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

describe('stats', () => {
  let store: Store;
  let session: SqlSession;
  const table = async (name: StatsName) => {
    const { columns, rows } = await runStats(session, name);
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])));
  };

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

  test('outcomes: pass rate per task', async () => {
    expect(await table('outcomes')).toEqual([
      { task: 'U', attempts: 1, correct: 1, pass_rate: 1, mean_score: 1, statuses: 'done' },
      { task: 'T', attempts: 3, correct: 1, pass_rate: 0.3333, mean_score: 0.3333, statuses: 'done, failed' },
      { task: 'V', attempts: 1, correct: 0, pass_rate: null, mean_score: null, statuses: null },
    ]);
  });

  test('pass@k over attempts is the unbiased estimate', async () => {
    // T: n = 3, c = 1; U: n = 1, c = 1.
    expect(await table('pass-at-k')).toEqual([
      { k: 1, tasks: 2, pass_at_k: 0.6667 },
      { k: 2, tasks: 1, pass_at_k: 0.6667 },
      { k: 3, tasks: 1, pass_at_k: 1 },
    ]);
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
