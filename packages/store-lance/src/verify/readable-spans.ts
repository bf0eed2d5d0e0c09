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
  /** The column whose index it is, if it is an index: then no row is lost. */
  readonly index?: string;
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
  const { readable, unreadable } = await sortFragments(table, columns, 16_384);
  for (const { start, end, cause } of unreadable)
    report({ table: name, message: `${end - start} rows ${explainFailure(cause, 'be read').message}` });
  return await work(readable);
}

/** Which fragments of a table can be read, and which cannot: those of which no row, or not every one, comes. */
export async function sortFragments(
  table: LanceDb.Table,
  columns: readonly string[],
  batchRows: number,
  signal?: AbortSignal,
): Promise<{
  readonly readable: FragmentSpan[];
  readonly unreadable: (FragmentSpan & { readonly cause: unknown })[];
}> {
  const readable: FragmentSpan[] = [];
  const unreadable: (FragmentSpan & { readonly cause: unknown })[] = [];
  for (const span of await fragmentSpans(table)) {
    signal?.throwIfAborted();
    try {
      const query = table.query().select([...columns]);
      for await (const _ of batches(query.offset(span.start).limit(span.end - span.start), batchRows));
      readable.push(span);
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      unreadable.push({ ...span, cause });
    }
  }
  return { readable, unreadable };
}

/** Where the rows of a fragment lie: as positions in the order of a scan, and by its number, which is in the addresses of its rows. */
export interface FragmentSpan extends Span {
  readonly fragment: bigint;
}

/** Where the rows of each fragment lie. The addresses of rows are in the manifest: no data file is read. */
async function fragmentSpans(table: LanceDb.Table): Promise<FragmentSpan[]> {
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
