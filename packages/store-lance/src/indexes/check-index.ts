import type * as LanceDb from '@lancedb/lancedb';
import { textOf } from '../cells.ts';
import { readBatch } from '../columns/read-batch.ts';
import type { StoreContext } from '../context.ts';
import { notNull, oneOf } from '../lance/filter.ts';
import { batches, collect, scan } from '../lance/scan.ts';

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
