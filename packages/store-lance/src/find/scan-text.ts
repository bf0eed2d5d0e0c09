import type * as LanceDb from '@lancedb/lancedb';
import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { readBatch } from '../columns/read-batch.ts';
import { allOf, type Filter, notNull } from '../lance/filter.ts';
import { filteredBatches } from '../lance/filtered-batches.ts';

/** What a search without the index looks for. */
export interface TextScan {
  readonly columns: readonly string[];
  readonly where: Filter | undefined;
  /** Whether a text that the condition lets through is meant; by default every one is. */
  readonly meant?: ((text: string) => boolean) | undefined;
  /** Which of some rows count and were not found before. */
  unseen(rows: readonly Row[]): Promise<Row[]>;
  readonly compare: (left: Row, right: Row) => number;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads the texts of a whole table; gives the first of the rows that are meant, in order. Holds no more than it gives, and a batch. */
export async function scanText(table: LanceDb.Table, options: TextScan): Promise<Row[]> {
  const { columns, where, meant, unseen, compare, limit, signal } = options;
  const query = (): LanceDb.Query => table.query().select([...columns]);
  let first: Row[] = [];
  for await (const batch of filteredBatches(table, query, allOf(where, notNull('search_text')), 512)) {
    signal?.throwIfAborted();
    const rows: Row[] = [];
    for (const row of readBatch(batch))
      if (meant === undefined || meant(textOf(row, 'search_text'))) rows.push(row);
    if (rows.length === 0) continue;
    first.push(...(await unseen(rows)));
    if (first.length > limit) first = first.sort(compare).slice(0, limit);
  }
  return first.sort(compare);
}
