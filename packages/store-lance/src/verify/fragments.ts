import type * as LanceDb from '@lancedb/lancedb';
import { columnsOf } from '../columns/read-batch.ts';
import { batches } from '../lance/scan.ts';
import type { Span } from './plan-units.ts';

/** Where the rows of a fragment lie: as positions in the order of a scan, and by its number, which is in the addresses of its rows. */
export interface FragmentSpan extends Span {
  readonly fragment: bigint;
}

/** Where the rows of each fragment lie. The addresses of rows are in the manifest: no data file is read. */
export async function fragmentSpans(table: LanceDb.Table): Promise<FragmentSpan[]> {
  const spans: { fragment: bigint; start: number; end: number }[] = [];
  let position = 0;
  for await (const batch of batches(table.query().select([]).withRowId(), 16_384)) {
    const addresses = columnsOf(batch).get('_rowid');
    for (let index = 0; index < batch.numRows; index += 1, position += 1) {
      const address = addresses?.(index);
      const fragment = typeof address === 'bigint' ? address >> 32n : -1n;
      const last = spans.at(-1);
      if (last?.fragment === fragment) last.end = position + 1;
      else spans.push({ fragment, start: position, end: position + 1 });
    }
  }
  return spans;
}

/** The addresses of the first and the last row of a span; those between are of its other rows, and of rows that were deleted. */
export async function addressesOf(
  table: LanceDb.Table,
  { start, end }: Span,
): Promise<{ readonly first: bigint; readonly last: bigint }> {
  const at = async (position: number): Promise<bigint> => {
    const query = table.query().select([]).withRowId().offset(position).limit(1);
    for await (const batch of batches(query, 1)) {
      const address = columnsOf(batch).get('_rowid')?.(0);
      if (typeof address === 'bigint') return address;
    }
    throw new Error(`row ${position} of a table has no address`);
  };
  return { first: await at(start), last: await at(end - 1) };
}
