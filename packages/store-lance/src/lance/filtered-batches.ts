import type * as LanceDb from '@lancedb/lancedb';
import type { Filter } from './filter.ts';
import { type ArrowBatch, batches } from './scan.ts';

/** Who is told that an index of a table could not be read. */
const listeners = new WeakMap<LanceDb.Table, () => void>();

/** Tells `listener` whenever a read of this table had to do without an index that is there. */
export function onUnreadableIndex(table: LanceDb.Table, listener: () => void): void {
  listeners.set(table, listener);
}

/** Says that an index of a table could not be read. */
export function reportUnreadableIndex(table: LanceDb.Table): void {
  listeners.get(table)?.();
}

/** The same condition, of which Lance asks the rows themselves and no index: it takes them only for conditions that they answer alone. */
export function withoutIndexes(where: Filter): Filter {
  return `(${where}) OR char_length(\`ingest_id\`) < 0` as Filter;
}

/**
 * The batches of a query with a condition. An index that is damaged or gone must not stand between people and rows that are whole: then
 * all rows are looked through. Lance's messages do not say what was damaged, so the second attempt tells.
 */
export async function* filteredBatches(
  table: LanceDb.Table,
  query: () => LanceDb.Query,
  where: Filter | undefined,
  maxBatchLength: number,
): AsyncGenerator<ArrowBatch> {
  if (where === undefined) return yield* batches(query(), maxBatchLength);
  // Indexes are asked before the first row is read.
  let begun = false;
  try {
    for await (const batch of batches(query().where(where), maxBatchLength)) {
      begun = true;
      yield batch;
    }
    return;
  } catch (cause) {
    if (begun) throw cause;
  }
  for await (const batch of batches(query().where(withoutIndexes(where)), maxBatchLength)) {
    if (!begun) reportUnreadableIndex(table);
    begun = true;
    yield batch;
  }
  if (!begun) reportUnreadableIndex(table);
}
