import type * as LanceDb from '@lancedb/lancedb';
import { textOf } from '../cells.ts';
import { scan } from '../lance/scan.ts';
import { uuidTime } from '../uuid.ts';

/** Finds the ingest ids in `steps` or `tool_calls` older than `before` (milliseconds), of which some may never have been committed: a living writer may still commit younger ones. */
export async function findOldIngests(table: LanceDb.Table, before: number): Promise<string[]> {
  const found = new Set<string>();
  for await (const page of scan(table, { columns: ['ingest_id'], batchRows: 16_384 })) {
    for (const row of page) {
      const ingest = textOf(row, 'ingest_id');
      if (uuidTime(ingest) < before) found.add(ingest);
    }
  }
  return [...found];
}
