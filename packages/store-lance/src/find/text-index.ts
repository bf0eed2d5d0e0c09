import type * as LanceDb from '@lancedb/lancedb';
import type { StoreContext } from '../context.ts';
import { dropIndex, indexName } from '../indexes/store-indexes.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import type { TableName } from '../layout.ts';
import { retried } from '../maintain/retry.ts';

const COLUMN = 'search_text';
/** Rows outside the index that are looked through at every search, before the index takes them in. */
const OUTSIDE = 50_000;
/** The same as a part of the index. Not about speed: Lance drops a row outside whose words stand outside more often than the index holds rows. */
const OUTSIDE_PART = 0.1;

/** Bytes of a word from which on the index leaves it out. */
const MOST_BYTES = 128;

/** How text is cut into words: by Unicode's rules, which find Chinese words too. The types of LanceDB do not know `icu` yet. */
export const WORDS = {
  baseTokenizer: 'icu',
  lowercase: true,
  asciiFolding: true,
  stem: false,
  removeStopWords: false,
  // Hashes are words too.
  maxTokenLength: MOST_BYTES,
  // With positions, a later optimize() of the table fails.
  withPosition: false,
} as unknown as Partial<LanceDb.FtsOptions>;

/**
 * Makes the full-text index of a table, or takes newer rows into it when there are many; searching finds rows outside it too, slower.
 * Where the store cannot be written nothing is done: {@link reachOf} tells. By default it takes in as many as make searches slow, `all` any; `anew` makes
 * it from what is there: words of deleted rows stay in an index that only grows.
 */
export async function refreshTextIndex(
  context: StoreContext,
  name: TableName,
  mode: 'enough' | 'all' | 'anew' = 'enough',
): Promise<boolean> {
  const table = context.tables[name];
  await table.checkoutLatest();
  const rows = await table.countRows();
  if (rows === 0 && mode === 'anew') await retried(() => dropIndex(table, indexName(COLUMN)));
  if (rows === 0 || !context.columns[name].some((column) => column.name === COLUMN)) return false;
  try {
    // One that cannot be read is maintenance's business: it may take long to make anew.
    const stats =
      mode === 'enough'
        ? await table.indexStats(indexName(COLUMN))
        : await table.indexStats(indexName(COLUMN)).catch(() => undefined);
    if (stats === undefined || mode === 'anew') {
      const { Index } = context.lance.lancedb;
      await retried(() =>
        table.createIndex(COLUMN, { config: Index.fts(WORDS), name: indexName(COLUMN), replace: true }),
      );
      return true;
    }
    const outside = stats.numUnindexedRows;
    if (outside === 0 || (mode === 'enough' && outside <= OUTSIDE && isNew(stats))) return false;
    // Adds to the index instead of making it anew. Old versions are maintenance's business.
    await retried(() => table.optimize({ cleanupOlderThan: new Date(0) }));
    return true;
  } catch (cause) {
    const { code } = explainFailure(cause, 'build the text index', context.secrets);
    if (code === 'store/no-permission' || code === 'store/conflict' || code === 'store/disk-full')
      return false;
    throw cause;
  }
}

/** How much of a table its index finds: `most` leaves out rows outside it in which the words stand very often. */
export async function reachOf(table: LanceDb.Table): Promise<'all' | 'most' | 'none'> {
  const stats = await table.indexStats(indexName(COLUMN));
  if (stats === undefined || !isNew(stats)) return 'none';
  return stats.numUnindexedRows === 0 ? 'all' : 'most';
}

/** Whether the index knows a word; longer ones it leaves out. */
export function isKnown(word: string): boolean {
  return Buffer.byteLength(word) < MOST_BYTES;
}

function isNew({ numIndexedRows, numUnindexedRows }: LanceDb.IndexStatistics): boolean {
  return numUnindexedRows <= numIndexedRows * OUTSIDE_PART;
}
