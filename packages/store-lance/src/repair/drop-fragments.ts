import type * as LanceDb from '@lancedb/lancedb';
import { allOf, compares } from '../lance/filter.ts';
import { retried } from '../maintain/retry.ts';
import type { FragmentSpan } from '../verify/readable-spans.ts';

/** Takes fragments out of the newest version of a table. By the addresses of their rows, so that Lance reads no data file for it. */
export async function dropFragments(table: LanceDb.Table, fragments: readonly FragmentSpan[]): Promise<void> {
  for (const { fragment } of fragments) {
    const first = fragment << 32n;
    const where = allOf(compares('_rowid', '>=', first), compares('_rowid', '<', first + (1n << 32n)));
    if (where !== undefined) await retried(() => table.delete(where));
  }
}
