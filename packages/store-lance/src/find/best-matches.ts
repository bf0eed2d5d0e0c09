import type { Row } from '../columns/column.ts';
import type { StoreContext } from '../context.ts';
import { reportUnreadableIndex } from '../lance/filtered-batches.ts';
import { hasVariants } from './fold.ts';
import { indexMatches } from './index-matches.ts';
import { wordMatches } from './scanned-matches.ts';
import type { Searched, TableSearch } from './searched.ts';
import { isKnown, reachOf } from './text-index.ts';
import { withoutPieces } from './unspaced.ts';

/**
 * The best live matches of one table: from its index, or from its texts where the index cannot be read or finds less than it should.
 * `whole` says that there are no others but parts of words.
 */
export async function bestMatches(
  context: StoreContext,
  searched: Searched,
  { query, words }: { readonly query: string; readonly words: readonly string[] },
  wanted: TableSearch,
): Promise<{ readonly rows: Row[]; readonly whole: boolean }> {
  let report: () => void;
  try {
    const reach = await reachOf(searched.table);
    if (reach !== 'none') {
      const whole = reach === 'all' && words.every(isKnown) && !hasVariants(withoutPieces(query));
      return { rows: await indexMatches(context.lance, searched, query, wanted), whole };
    }
    if ((await searched.table.countRows()) === 0) return { rows: [], whole: true };
    report = context.onIndexBehind;
  } catch (cause) {
    if (cause instanceof Error && cause.name !== 'Error') throw cause;
    report = () => reportUnreadableIndex(searched.table);
  }
  const rows = await wordMatches(searched, words, [], wanted);
  report();
  return { rows, whole: true };
}
