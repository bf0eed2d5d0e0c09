import type { StoreReads } from '@pchronicle/store-lance';
import type { SqlOptions, SqlSession } from '@pchronicle/store-lance/sql';

/** Opens a SQL session over a store or a moment of one, runs the work, and ends it. */
export async function withSql<Result>(
  reads: StoreReads,
  options: SqlOptions,
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  const { openSql } = await import('@pchronicle/store-lance/sql');
  const session = await openSql(reads, options);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
