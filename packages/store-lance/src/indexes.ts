import type * as LanceDb from '@lancedb/lancedb';
import type { StoreContext } from './context.ts';
import type { TableName } from './layout.ts';

/** An index of the store. They only make lookups fast: every read gives the same without them. */
export interface StoreIndex {
  readonly table: TableName;
  readonly column: string;
  /** `btree` finds one value among many; `bitmap` suits columns with few different values. */
  readonly kind: 'btree' | 'bitmap';
}

/** The indexes a store of some size has. */
export const STORE_INDEXES: readonly StoreIndex[] = [
  { table: 'runs', column: 'document_key', kind: 'btree' },
  { table: 'runs', column: 'document_id', kind: 'btree' },
  { table: 'runs', column: 'session_id', kind: 'btree' },
  { table: 'runs', column: 'run_id', kind: 'btree' },
  { table: 'runs', column: 'source_document', kind: 'btree' },
  { table: 'runs', column: 'content_hash', kind: 'btree' },
  { table: 'runs', column: 'outcome', kind: 'bitmap' },
  { table: 'steps', column: 'document_key', kind: 'btree' },
  { table: 'steps', column: 'source', kind: 'bitmap' },
  { table: 'steps', column: 'effective_kind', kind: 'bitmap' },
  { table: 'tool_calls', column: 'document_key', kind: 'btree' },
  { table: 'tool_calls', column: 'tool_call_id', kind: 'btree' },
  { table: 'tool_calls', column: 'function_name', kind: 'bitmap' },
];

/** Rows up to which a scan is as good as an index. */
const SMALL_TABLE = 20_000;
/** Part of a table that may lie outside its index before the index is made anew: lookups scan it. */
const OUTSIDE = 0.2;

/** Name of an index. */
export function indexName(column: string): string {
  return `pchronicle_${column}_idx`;
}

/** When indexes are made. */
export interface RefreshOptions {
  /** Make them whatever the size of the tables, and over every row. */
  readonly force?: boolean;
  /** Make those of these tables anew in any case: an index keeps values of rows that were deleted. */
  readonly anew?: ReadonlySet<TableName>;
}

/** Drops an index, if it is there: that of a table whose rows are all gone still holds their values. */
export async function dropIndex(table: LanceDb.Table, name: string): Promise<void> {
  if ((await table.indexStats(name)) !== undefined) await table.dropIndex(name);
}

/** Makes the indexes that are missing, and those anew that have fallen behind; gives the names of what it made. */
export async function refreshIndexes(context: StoreContext, options: RefreshOptions = {}): Promise<string[]> {
  const made: string[] = [];
  for (const { table: name, column, kind } of STORE_INDEXES) {
    const table = context.tables[name];
    await table.checkoutLatest();
    const rows = await table.countRows();
    if (rows === 0 && options.anew?.has(name) === true) await dropIndex(table, indexName(column));
    if (rows === 0 || (rows <= SMALL_TABLE && options.force !== true)) continue;
    if (!context.columns[name].some((known) => known.name === column)) continue;
    const stats = await table.indexStats(indexName(column));
    const outside = stats === undefined ? rows : stats.numUnindexedRows;
    if (
      stats !== undefined &&
      options.anew?.has(name) !== true &&
      outside <= (options.force === true ? 0 : Math.max(SMALL_TABLE, rows * OUTSIDE))
    )
      continue;
    const { Index } = context.lance.lancedb;
    await table.createIndex(column, {
      config: kind === 'btree' ? Index.btree() : Index.bitmap(),
      name: indexName(column),
      replace: true,
    });
    made.push(`${name}.${column}`);
  }
  return made;
}
