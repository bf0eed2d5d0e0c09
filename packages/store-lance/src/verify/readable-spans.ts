import type * as LanceDb from '@lancedb/lancedb';
import { explainFailure } from '../lance/explain-failure.ts';
import { batches } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import { type FragmentSpan, fragmentSpans } from './fragments.ts';
import type { Span } from './plan-units.ts';
import { spansBetween, type UnreadableSpan, unreadableRows } from './readable-rows.ts';

/** A part of the store that is not as it was written. */
export interface StoreDamage {
  readonly table: TableName;
  /** What was found, with the file where it is known. */
  readonly message: string;
  /** The file, as a path in the store, where rows of it are meant and it is known. */
  readonly file?: string;
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
 * Does something over all rows of a table, by position in the order of a scan. If some cannot be read, it is done again over those that can,
 * and the others are reported.
 */
export async function overReadable<Result>(
  table: LanceDb.Table,
  columns: readonly string[],
  report: (unreadable: readonly UnreadableRows[]) => void,
  work: (spans: readonly Span[]) => Promise<Result>,
): Promise<Result> {
  try {
    const end = await table.countRows();
    return await work(end === 0 ? [] : [{ start: 0, end }]);
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
  }
  const { readable, unreadable } = await sortRows(table, columns, 16_384);
  report(unreadable);
  return await work(readable);
}

/** What of a table can be read. */
export interface SortedRows {
  /** Rows that can, by position in the order of a scan. */
  readonly readable: readonly Span[];
  readonly unreadable: readonly UnreadableRows[];
}

/** Rows of one fragment that cannot be read. */
export interface UnreadableRows extends UnreadableSpan, FragmentSpan {}

/** Which rows of a table can be read, and which cannot: a fragment whose rows do not all come is narrowed down to those that do not. */
export async function sortRows(
  table: LanceDb.Table,
  columns: readonly string[],
  batchRows: number,
  signal?: AbortSignal,
): Promise<SortedRows> {
  const read = async ({ start, end }: Span): Promise<UnreadableSpan | undefined> => {
    signal?.throwIfAborted();
    let rows = 0;
    try {
      const query = table.query().select([...columns]);
      for await (const batch of batches(query.offset(start).limit(end - start), batchRows))
        rows += batch.numRows;
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      return { start, end, cause };
    }
    return rows === end - start ? undefined : { start, end, cause: new Error('unexpected end of file') };
  };
  const readable: Span[] = [];
  const unreadable: UnreadableRows[] = [];
  for (const span of await fragmentSpans(table)) {
    const failed = await read(span);
    const hit = failed === undefined ? [] : await unreadableRows(failed, read);
    readable.push(...spansBetween(span, hit));
    for (const rows of hit) unreadable.push({ ...rows, fragment: span.fragment });
  }
  return { readable, unreadable };
}

/** What is told of rows that cannot be read: once for each fragment, with its file where that is known. */
export function damageOf(
  name: TableName,
  unreadable: readonly UnreadableRows[],
  files: ReadonlyMap<bigint, readonly string[]>,
): StoreDamage[] {
  const found = new Map<bigint, { rows: number; cause: unknown }>();
  for (const { fragment, start, end, cause } of unreadable) {
    const told = found.get(fragment);
    if (told === undefined) found.set(fragment, { rows: end - start, cause });
    else told.rows += end - start;
  }
  return [...found].map(([fragment, { rows, cause }]) => {
    const file = files.get(fragment)?.join(', ');
    const place = file === undefined ? '' : `; they lie in ${file}`;
    const message = `${rows} rows ${explainFailure(cause, 'be read').message}${place}`;
    return { table: name, message, ...(file === undefined ? {} : { file }) };
  });
}
