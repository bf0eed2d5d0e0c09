import type * as LanceDb from '@lancedb/lancedb';
import { allOf, compares } from '../lance/filter.ts';
import { retried } from '../maintain/retry.ts';
import type { Snapshot } from '../snapshot.ts';
import { addressesOf } from '../verify/fragments.ts';
import type { Span } from '../verify/plan-units.ts';

/**
 * Takes rows of a snapshot out of the newest version of a table. By their addresses, so that Lance reads no data file for it: a row keeps its
 * address until its fragment is written anew, and then nothing is there to be deleted.
 */
export async function dropRows(
  table: LanceDb.Table,
  from: Snapshot['tables']['runs'],
  spans: readonly Span[],
): Promise<void> {
  for (const span of spans) {
    const { first, last } = await addressesOf(from, span);
    const where = allOf(compares('_rowid', '>=', first), compares('_rowid', '<', last + 1n));
    if (where !== undefined) await retried(() => table.delete(where));
  }
}
