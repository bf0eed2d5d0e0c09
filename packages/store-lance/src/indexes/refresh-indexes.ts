import type { StoreContext } from '../context.ts';
import type { TableName } from '../layout.ts';
import { createStoreIndex, dropIndex, indexName, STORE_INDEXES } from './store-indexes.ts';

/** Rows up to which a scan is as good as an index. */
const SMALL_TABLE = 20_000;
/** Part of a table that may lie outside its index before the index is made anew: lookups scan it. */
const OUTSIDE = 0.2;

/** When indexes are made. */
export interface RefreshOptions {
  /** Make them whatever the size of the tables, and over every row. */
  readonly force?: boolean;
  /** Make those that these tables have anew in any case: an index keeps values of rows that were deleted. */
  readonly anew?: ReadonlySet<TableName>;
}

/** Makes the indexes that are missing, and those anew that have fallen behind; gives the names of what it made. */
export async function refreshIndexes(context: StoreContext, options: RefreshOptions = {}): Promise<string[]> {
  const made: string[] = [];
  for (const index of STORE_INDEXES) {
    const { table: name, column } = index;
    const table = context.tables[name];
    await table.checkoutLatest();
    const rows = await table.countRows();
    const anew = options.anew?.has(name) === true;
    if (rows === 0 && anew) await dropIndex(table, indexName(column));
    const needed = rows > SMALL_TABLE || options.force === true;
    if (rows === 0 || (!needed && !anew)) continue;
    if (!context.columns[name].some((known) => known.name === column)) continue;
    // One that cannot be read is as good as none.
    const stats = await table.indexStats(indexName(column)).catch(() => undefined);
    if (stats === undefined && !needed) continue;
    const outside = stats === undefined ? rows : stats.numUnindexedRows;
    if (
      stats !== undefined &&
      !anew &&
      outside <= (options.force === true ? 0 : Math.max(SMALL_TABLE, rows * OUTSIDE))
    )
      continue;
    await createStoreIndex(context, index);
    made.push(`${name}.${column}`);
  }
  return made;
}
