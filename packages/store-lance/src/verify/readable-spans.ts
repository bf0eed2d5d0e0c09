import type * as LanceDb from '@lancedb/lancedb';
import { columnsOf } from '../columns/read-batch.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import { batches } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import type { Span } from './plan-units.ts';

/** A part of the store that is not as it was written. */
export interface StoreDamage {
  readonly table: TableName;
  /** What was found, with the file where it is known. */
  readonly message: string;
}

/** Whether a failure is that of some rows, so that others may be readable, and not of all access. */
export function isUnreadable(cause: unknown): boolean {
  if (!(cause instanceof Error) || (cause.name !== 'Error' && cause.name !== 'StoreError')) return false;
  const { code } = explainFailure(cause, '');
  return code === 'store/damaged' || code === 'store/io';
}

/**
 * Does something over all rows of a table, by position in the order of a scan. If some cannot be read, it is done again over the fragments
 * that can, and the others are reported.
 */
export async function overReadable<Result>(
  table: LanceDb.Table,
  name: TableName,
  columns: readonly string[],
  report: (damage: StoreDamage) => void,
  work: (spans: readonly Span[]) => Promise<Result>,
): Promise<Result> {
  try {
    const end = await table.countRows();
    return await work(end === 0 ? [] : [{ start: 0, end }]);
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
  }
  const readable: Span[] = [];
  for (const span of await fragmentSpans(table)) {
    try {
      const query = table.query().select([...columns]);
      for await (const _ of batches(query.offset(span.start).limit(span.end - span.start), 16_384));
      readable.push(span);
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      report({
        table: name,
        message: `${span.end - span.start} rows ${explainFailure(cause, 'be read').message}`,
      });
    }
  }
  return await work(readable);
}

/** Where the rows of each fragment lie. The addresses of rows are in the manifest: no data file is read. */
async function fragmentSpans(table: LanceDb.Table): Promise<Span[]> {
  const spans: { start: number; end: number }[] = [];
  let last: bigint | undefined;
  let position = 0;
  for await (const batch of batches(table.query().select([]).withRowId(), 16_384)) {
    const addresses = columnsOf(batch).get('_rowid');
    for (let index = 0; index < batch.numRows; index += 1, position += 1) {
      const address = addresses?.(index);
      const fragment = typeof address === 'bigint' ? address >> 32n : undefined;
      if (fragment !== last || spans.length === 0) spans.push({ start: position, end: position });
      last = fragment;
      const span = spans.at(-1);
      if (span !== undefined) span.end = position + 1;
    }
  }
  return spans;
}
