import type * as LanceDb from '@lancedb/lancedb';
import type { Row } from '../columns/column.ts';
import { readBatch } from '../columns/read-batch.ts';
import type { Filter } from './filter.ts';
import { filteredBatches } from './filtered-batches.ts';

/** What a scan reads. */
export interface ScanOptions {
  readonly columns: readonly string[];
  readonly where?: Filter | undefined;
  /** Rows of one batch; less memory, more calls. */
  readonly batchRows?: number;
  readonly limit?: number;
  /** Rows to pass over first, without reading them; only without a condition. */
  readonly offset?: number;
  /** Adds the column `_rowid`, the row's address in this version. */
  readonly rowIds?: boolean;
}

/** Reads rows of a table in physical order, a batch at a time. */
export async function* scan(table: LanceDb.Table, options: ScanOptions): AsyncGenerator<readonly Row[]> {
  const wanted = (): LanceDb.Query => {
    let query = table.query().select([...options.columns]);
    if (options.limit !== undefined) query = query.limit(options.limit);
    if (options.offset !== undefined) query = query.offset(options.offset);
    if (options.rowIds === true) query = query.withRowId();
    return query;
  };
  const found = filteredBatches(table, wanted, options.where, options.batchRows ?? 4096);
  for await (const batch of found) yield [...readBatch(batch)];
}

/** Reads the rows at some addresses of a pinned version; they come in the order of the addresses' values, not of the list. */
export async function* take(
  table: LanceDb.Table,
  rowIds: readonly bigint[],
  options: Pick<ScanOptions, 'columns' | 'batchRows' | 'rowIds'>,
): AsyncGenerator<readonly Row[]> {
  if (rowIds.length === 0) return;
  let query = table.takeRowIds(rowIds).select([...options.columns]);
  if (options.rowIds === true) query = query.withRowId();
  for await (const batch of batches(query, options.batchRows ?? 4096)) yield [...readBatch(batch)];
}

/** The batches of a query; `execute` is protected in the types of LanceDB but is the only way to bound a batch. */
export function batches(
  query: LanceDb.Query | LanceDb.TakeQuery,
  maxBatchLength: number,
): AsyncIterable<ArrowBatch> {
  const runnable = query as unknown as {
    execute(options: { maxBatchLength: number }): AsyncIterable<ArrowBatch>;
  };
  return runnable.execute({ maxBatchLength });
}

/** A batch of Lance. */
export type ArrowBatch = Parameters<typeof readBatch>[0];

/** All rows of a small result. */
export async function collect(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return rows;
}
