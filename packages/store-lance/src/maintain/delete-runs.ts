import { integerOf, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { appendRows } from '../ingest/append-rows.ts';
import { take } from '../lance/scan.ts';
import type { LiveEntry } from '../read/live-entries.ts';
import type { Snapshot } from '../snapshot.ts';
import { tombstoneRow } from '../storyline-rows.ts';

const COLUMNS = ['document_key', 'ingest_id', 'revision', 'source_id', 'source_document', 'document_id'];
/** Tombstones of one commit. */
const BATCH = 5_000;

/** Appends a tombstone for each entry: gone for every reader from that commit on, and really gone after maintenance. */
export async function deleteRuns(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): Promise<number> {
  for (let start = 0; start < entries.length; start += BATCH) {
    const tombstones: Row[] = [];
    await guarded(context, `read the store ${context.location.shown}`, async () => {
      const ids = entries.slice(start, start + BATCH).map((entry) => entry.rowId);
      for await (const page of take(snapshot.tables.runs, ids, { columns: COLUMNS })) {
        for (const row of page) {
          tombstones.push(
            tombstoneRow({
              key: textOf(row, 'document_key'),
              ingestId: textOf(row, 'ingest_id'),
              revision: integerOf(row, 'revision'),
              hash: '',
              deleted: false,
              documentId: textOf(row, 'document_id'),
              sourceId: textOf(row, 'source_id'),
              sourceDocument: optionalText(row, 'source_document') ?? '',
            }).row,
          );
        }
      }
    });
    await appendRows(context, 'runs', tombstones);
  }
  return entries.length;
}
