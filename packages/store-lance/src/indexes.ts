import type * as LanceDb from '@lancedb/lancedb';
import { textOf } from './cells.ts';
import { readBatch } from './columns/read-batch.ts';
import type { StoreContext } from './context.ts';
import { notNull, oneOf } from './lance/filter.ts';
import { batches, collect, scan } from './lance/scan.ts';
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
  /** Make those that these tables have anew in any case: an index keeps values of rows that were deleted. */
  readonly anew?: ReadonlySet<TableName>;
}

/** Whether a table has an index. Statistics are not given of one that cannot be read. */
export async function hasIndex(table: LanceDb.Table, name: string): Promise<boolean> {
  return (await table.listIndices()).some((index) => index.name === name);
}

/** Drops an index, if it is there: that of a table whose rows are all gone still holds their values. */
export async function dropIndex(table: LanceDb.Table, name: string): Promise<void> {
  if (await hasIndex(table, name)) await table.dropIndex(name);
}

/** Makes an index, in place of one that may be there. */
export async function createStoreIndex(context: StoreContext, index: StoreIndex): Promise<void> {
  const { Index } = context.lance.lancedb;
  await context.tables[index.table].createIndex(index.column, {
    config: index.kind === 'btree' ? Index.btree() : Index.bitmap(),
    name: indexName(index.column),
    replace: true,
  });
}

/** What a look at an index showed: it gives other rows than there are, or cannot be read. */
export type IndexState = 'sound' | 'wrong' | 'unreadable';

/** Values of one lookup. */
const VALUES_A_LOOKUP = 500;

/**
 * Compares what an index says of values of its column with what the rows say: of some `values`, spread over the table. Reads the column
 * once. Throws when the rows cannot be read.
 */
export async function checkIndex(table: LanceDb.Table, column: string, values = 2_000): Promise<IndexState> {
  const part = Math.max(1, Math.ceil((await table.countRows()) / values));
  const counts = new Map<string, number>();
  for await (const page of scan(table, { columns: [column], batchRows: 16_384 })) {
    for (const row of page) {
      const value = row[column];
      if (typeof value !== 'string') continue;
      const count = counts.get(value);
      // Of few different values all, of many some.
      if (count === undefined && counts.size >= VALUES_A_LOOKUP && spread(value) % part !== 0) continue;
      counts.set(value, (count ?? 0) + 1);
    }
  }
  const wanted = [...counts.keys()];
  for (let start = 0; start < wanted.length; start += VALUES_A_LOOKUP) {
    const some = wanted.slice(start, start + VALUES_A_LOOKUP);
    const found = new Map(some.map((value) => [value, 0]));
    try {
      const query = table.query().select([column]).where(oneOf(column, some));
      for await (const batch of batches(query, 16_384)) {
        for (const row of readBatch(batch)) {
          const value = textOf(row, column);
          found.set(value, (found.get(value) ?? 0) + 1);
        }
      }
    } catch {
      return 'unreadable';
    }
    if ([...found].some(([value, count]) => count !== counts.get(value))) return 'wrong';
  }
  return 'sound';
}

/** A number of a text, the same for the same text: FNV-1a. */
function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Whether the text index of a table can be read, as far as the words of one of its texts show. */
export async function checkTextIndex(context: StoreContext, table: LanceDb.Table): Promise<IndexState> {
  const text = (
    await collect(scan(table, { columns: ['search_text'], where: notNull('search_text'), limit: 1 }))
  ).map((row) => textOf(row, 'search_text').slice(0, 1_000));
  const { MatchQuery } = context.lance.lancedb;
  try {
    const match = new MatchQuery(text[0] ?? 'a', 'search_text');
    await table.query().fullTextSearch(match).select(['ingest_id']).limit(1).toArray();
    return 'sound';
  } catch {
    return 'unreadable';
  }
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
