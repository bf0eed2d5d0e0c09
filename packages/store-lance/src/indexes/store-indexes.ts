import type * as LanceDb from '@lancedb/lancedb';
import type { StoreContext } from '../context.ts';
import type { TableName } from '../layout.ts';

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

/** Name of an index. */
export function indexName(column: string): string {
  return `pchronicle_${column}_idx`;
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
