import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { oneOf } from '../lance/filter.ts';
import { liveEntries } from '../read/live-entries.ts';
import type { Snapshot } from '../snapshot.ts';

/** Which of some rows count, and are among the selected; remembers what it has looked up. */
export function liveRows(
  pinned: Snapshot,
  allowed: ReadonlySet<string> | undefined,
): (rows: readonly Row[]) => Promise<Row[]> {
  const known = new Map<string, boolean>();
  return async (rows) => {
    const unknown = new Set(
      rows.filter((row) => !known.has(textOf(row, 'ingest_id'))).map((row) => textOf(row, 'document_key')),
    );
    if (unknown.size > 0) {
      const live = new Set(
        (await liveEntries(pinned, oneOf('document_key', [...unknown]))).map((entry) => entry.ingestId),
      );
      for (const row of rows) {
        const ingest = textOf(row, 'ingest_id');
        if (!known.has(ingest)) known.set(ingest, live.has(ingest) && (allowed?.has(ingest) ?? true));
      }
    }
    return rows.filter((row) => known.get(textOf(row, 'ingest_id')) === true);
  };
}
