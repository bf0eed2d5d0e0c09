import type * as LanceDb from '@lancedb/lancedb';
import { integerOf, textOf } from '../cells.ts';
import { scan } from '../lance/scan.ts';
import { overReadable } from '../verify/readable-spans.ts';
import type { RowRanges } from './row-ranges.ts';

/**
 * Finds the rows of ingests, which are numbered from 0 on, among those rows of a table that can be read: what is damaged hides itself, and
 * no others. Who reads them sees by their number that some are missing.
 */
export async function readableRanges(
  table: LanceDb.Table,
  numbers: ReadonlyMap<string, number>,
): Promise<RowRanges> {
  const columns = ['ingest_id'];
  const report = (): void => undefined;
  const found = await overReadable(table, columns, report, async (spans) => {
    const addresses = new Map<number, bigint[]>();
    for (const { start, end } of spans) {
      const rows = scan(table, {
        columns,
        offset: start,
        limit: end - start,
        rowIds: true,
        batchRows: 16_384,
      });
      for await (const page of rows) {
        for (const row of page) {
          const number = numbers.get(textOf(row, 'ingest_id'));
          if (number === undefined) continue;
          const list = addresses.get(number);
          if (list === undefined) addresses.set(number, [integerOf(row, '_rowid')]);
          else list.push(integerOf(row, '_rowid'));
        }
      }
    }
    return addresses;
  });
  return { addresses: (number) => found.get(number) ?? [] };
}
