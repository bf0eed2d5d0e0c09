import type { StoreReads } from '@pchronicle/store-lance';
import type { SqlOptions, SqlSession } from '@pchronicle/store-lance/sql';
import type { Context } from '../context.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { explainSql } from './sql-failure.ts';

/** Opens a SQL session over a store or a moment of one, runs the work, and ends it. */
export async function withSql<Result>(
  reads: StoreReads,
  options: SqlOptions,
  context: Context,
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  const { openSql } = await import('@pchronicle/store-lance/sql');
  // A second Ctrl-C ends the process at once; this folder is removed even then.
  return await context.interrupt.inNative(async () => {
    const session = await explainSql('', context, () =>
      openSql(reads, { temporary: temporaryFolder(), ...options }),
    );
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  });
}
