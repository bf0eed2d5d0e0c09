import { type AttemptGroup, outcomesSql, passAtKSql } from './attempts.ts';
import type { SqlCell, SqlColumn } from './messages.ts';
import type { QueryOptions, SqlSession } from './session.ts';

/** The summaries that people ask for first. */
export type StatsName = 'overview' | 'tools' | 'models' | 'outcomes' | 'pass-at-k';

/** One summary as a statement, so that it can be read, changed and run anywhere. */
export interface StatsQuery {
  readonly title: string;
  readonly sql: string;
}

// The names that sources give to token counters, in order of preference: those that core sums up for `runs`.
const PROMPT = ['prompt_tokens_len', 'prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens', 'input'];
const COMPLETION = [
  'completion_tokens_len',
  'completion_tokens',
  'output_tokens',
  'completionTokens',
  'outputTokens',
  'output',
];

function counter(names: readonly string[]): string {
  const paths = ['$', '$.usage'].flatMap((root) =>
    names.map((name) => `TRY_CAST(metrics_json->>'${root}.${name}' AS BIGINT)`),
  );
  return `coalesce(${paths.join(', ')})`;
}

/** The summaries by name. All read the views of a session. */
export const STATS: { readonly [name in StatsName]: StatsQuery } = {
  overview: {
    title: 'What is there',
    sql: `SELECT
  count(*) AS storylines,
  count(DISTINCT coalesce(run_id, document_key)) AS tasks,
  count(DISTINCT source_id) AS sources,
  count(DISTINCT source_format) AS formats,
  coalesce(sum(step_count), 0) AS steps,
  coalesce(sum(tool_call_count), 0) AS tool_calls,
  coalesce(sum(failed_tool_call_count), 0) AS failed_tool_calls,
  sum(prompt_tokens) AS prompt_tokens,
  sum(completion_tokens) AS completion_tokens,
  count(correct) AS judged,
  count(*) FILTER (correct) AS correct,
  round(avg(correct::INT), 4) AS pass_rate,
  min(first_time) AS first_time,
  max(last_time) AS last_time
FROM runs`,
  },
  tools: {
    title: 'Tools by number of calls',
    sql: `SELECT
  function_name AS tool,
  count(*) AS calls,
  count(DISTINCT ingest_id) AS storylines,
  count(*) FILTER (failed) AS failures,
  round(count(*) FILTER (failed) / nullif(count(failed), 0), 4) AS failure_rate,
  count(*) FILTER (NOT has_result) AS without_result,
  quantile_disc(duration_ms, 0.5) AS p50_ms,
  quantile_disc(duration_ms, 0.95) AS p95_ms
FROM tool_calls
GROUP BY ALL
ORDER BY calls DESC, tool`,
  },
  models: {
    title: 'Models by number of turns',
    sql: `SELECT
  coalesce(steps.model_name, runs.agent_model_name) AS model,
  count(*) AS turns,
  count(DISTINCT steps.ingest_id) AS storylines,
  sum(${counter(PROMPT)}) AS prompt_tokens,
  sum(${counter(COMPLETION)}) AS completion_tokens,
  quantile_disc(latency_ms, 0.5) AS p50_latency_ms,
  quantile_disc(latency_ms, 0.95) AS p95_latency_ms,
  quantile_disc(ttft_ms, 0.5) AS p50_first_token_ms
FROM steps JOIN runs USING (ingest_id)
WHERE steps.source = 'agent' AND is_copied_context IS NOT TRUE
GROUP BY ALL
ORDER BY turns DESC, model`,
  },
  outcomes: { title: 'Tasks by pass rate', sql: outcomesSql('model') },
  'pass-at-k': { title: 'Chance that one of k attempts passes', sql: passAtKSql('model') },
};

/** A summary's table. */
export interface StatsResult {
  readonly title: string;
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly SqlCell[])[];
}

/** Runs a summary; `by` says which attempts of a task count together in `outcomes` and `pass-at-k`, by default those of one model. */
export async function runStats(
  session: SqlSession,
  name: StatsName,
  options: QueryOptions & { readonly by?: AttemptGroup } = {},
): Promise<StatsResult> {
  const { by = 'model', ...queryOptions } = options;
  const { title } = STATS[name];
  const sql = name === 'outcomes' ? outcomesSql(by) : name === 'pass-at-k' ? passAtKSql(by) : STATS[name].sql;
  const result = await session.query(sql, queryOptions);
  const rows: (readonly SqlCell[])[] = [];
  for await (const batch of result.batches) rows.push(...batch);
  return { title, columns: result.columns, rows };
}
