/** Which attempts of a task count together: those of one model, one agent or one source, or all. */
export type AttemptGroup = 'model' | 'agent' | 'source' | 'none';

/** What tells groups apart. A run that names no model has those that its turns name. */
const GROUPS: { readonly [group in AttemptGroup]: string | undefined } = {
  model: `coalesce(agent_model_name, (
    SELECT string_agg(DISTINCT model_name, ', ' ORDER BY model_name) FROM steps
    WHERE steps.ingest_id = runs.ingest_id AND source = 'agent' AND is_copied_context IS NOT TRUE))`,
  agent: 'coalesce(agent_name, agent_id)',
  source: 'coalesce(source_path, source_id)',
  none: undefined,
};

/** The attempts, each with its task and its group. */
function attempts(by: AttemptGroup): string {
  const group = GROUPS[by];
  return `WITH attempts AS (
  SELECT coalesce(run_id, document_id) AS task${group === undefined ? '' : `, ${group} AS ${by}`}, correct, score, status FROM runs
)`;
}

/** Tasks by pass rate, and within a task its groups by theirs. */
export function outcomesSql(by: AttemptGroup): string {
  const group = by === 'none' ? '' : `, ${by}`;
  return `${attempts(by)}, counted AS (
  SELECT
    task${group},
    count(*) AS attempts,
    count(*) FILTER (correct) AS correct,
    round(avg(correct::INT), 4) AS pass_rate,
    round(avg(score), 4) AS mean_score,
    string_agg(DISTINCT status, ', ' ORDER BY status) AS statuses,
    count(correct) AS judged
  FROM attempts GROUP BY task${group}
), ranked AS (
  SELECT *, sum(correct) OVER one_task / nullif(sum(judged) OVER one_task, 0) AS of_task
  FROM counted WINDOW one_task AS (PARTITION BY task)
)
SELECT * EXCLUDE (judged, of_task) FROM ranked
ORDER BY of_task DESC NULLS LAST, task, pass_rate DESC NULLS LAST${group}`;
}

/** Of each group: the unbiased estimate 1 - C(n-c, k) / C(n, k), for tasks of which it has at least k judged attempts. */
export function passAtKSql(by: AttemptGroup): string {
  const group = by === 'none' ? '' : `${by}, `;
  return `${attempts(by)}, tasks AS (
  SELECT task, ${group}count(correct) AS n, count(*) FILTER (correct) AS c
  FROM attempts GROUP BY ALL HAVING count(correct) > 0
), sizes AS (
  SELECT unnest([1, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100]) AS k
)
SELECT
  ${group}k,
  count(*) AS tasks,
  round(avg(1 - list_aggregate(list_transform(range(k), lambda i: greatest(n - c - i, 0) / (n - i)), 'product')), 4) AS pass_at_k
FROM sizes JOIN tasks ON n >= k
GROUP BY ${group}k
ORDER BY ${group}k`;
}
