import type * as LanceDb from '@lancedb/lancedb';
import { integerOf } from '../cells.ts';
import { allOf, compares, oneOf } from '../lance/filter.ts';
import { scan } from '../lance/scan.ts';
import { retried } from './retry.ts';

const BATCH = 5_000;

/** What a purge did to one table. */
export interface PurgedRows {
  readonly rows: number;
  /** Fragments that rows were deleted from. */
  readonly fragments: ReadonlySet<bigint>;
}

/** Deletes the rows of some ingests from a table. */
export async function purgeRows(table: LanceDb.Table, ingests: readonly string[]): Promise<PurgedRows> {
  const fragments = new Set<bigint>();
  let rows = 0;
  for (let start = 0; start < ingests.length; start += BATCH) {
    const where = oneOf('ingest_id', ingests.slice(start, start + BATCH));
    await table.checkoutLatest();
    for await (const page of scan(table, {
      columns: ['ingest_id'],
      where,
      rowIds: true,
      batchRows: 16_384,
    })) {
      for (const row of page) fragments.add(integerOf(row, '_rowid') >> 32n);
      rows += page.length;
    }
    await retried(() => table.delete(where));
  }
  return { rows, fragments };
}

/**
 * Writes fragments anew that still hold deleted rows after compaction (Lance compacts a fragment only once a tenth of it is deleted):
 * what was purged is to be gone from the files too, once old versions are cleaned up.
 */
export async function rewriteFragments(table: LanceDb.Table, fragments: ReadonlySet<bigint>): Promise<void> {
  for (const fragment of fragments) {
    const first = fragment << 32n;
    const where = allOf(compares('_rowid', '>=', first), compares('_rowid', '<', first + (1n << 32n)));
    if (where === undefined) continue;
    await table.checkoutLatest();
    if ((await table.countRows(where)) === 0) continue;
    await retried(() => table.update({ valuesSql: { document_key: 'document_key' }, where }));
  }
}
