import type * as LanceDb from '@lancedb/lancedb';
import { textOf } from '../cells.ts';
import { scan } from '../lance/scan.ts';
import { uuidTime } from '../uuid.ts';

/** Finds ingest ids in `steps` or `tool_calls` that no row of `runs` has, older than `before` (milliseconds): a living writer may still commit younger ones. */
export async function findOrphans(
  table: LanceDb.Table,
  known: ReadonlySet<string>,
  before: number,
): Promise<string[]> {
  const orphans = new Set<string>();
  for await (const page of scan(table, { columns: ['ingest_id'], batchRows: 16_384 })) {
    for (const row of page) {
      const ingest = textOf(row, 'ingest_id');
      if (!known.has(ingest) && uuidTime(ingest) < before) orphans.add(ingest);
    }
  }
  return [...orphans];
}
