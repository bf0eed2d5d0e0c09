import type { RunFilter, StoreReads } from '@pchronicle/store-lance';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { explainSql } from './sql-failure.ts';
import { withSql } from './with-sql.ts';

/** The keys of the documents for which a SQL condition over the columns of `runs` holds. */
export async function keysWhere(
  reads: StoreReads,
  condition: string,
  only: RunFilter,
  context: Context,
): Promise<string[]> {
  if (condition.trim() === '')
    throw usageFailure('cli/no-condition', '--where needs a condition', 'such as "status = \'failed\'"');
  // By itself first: what is cut off is told so, and no `) OR (` leaves the parentheses.
  const alone = `EXPLAIN SELECT document_key FROM runs WHERE\n${condition}\n`;
  // On lines of its own: a comment at its end must not swallow the parenthesis.
  const sql = `SELECT document_key FROM runs WHERE (\n${condition}\n)`;
  const { signal } = context.interrupt;
  return await explainSql(
    condition,
    context,
    () =>
      withSql(reads, Object.keys(only).length === 0 ? {} : { only }, context, async (session) => {
        for await (const _ of (await session.query(alone, { signal })).batches);
        const keys: string[] = [];
        const { batches } = await session.query(sql, { signal });
        for await (const batch of batches) for (const [key] of batch) keys.push(String(key));
        return keys;
      }),
    { linesBefore: 1 },
  );
}
