import type * as LanceDb from '@lancedb/lancedb';
import { type ArrowBatch, batches } from '../lance/scan.ts';
import type { LiveIngests } from './live-ingests.ts';
import type { Span } from './plan-units.ts';

/** Where the rows of each live ingest lie in a table, as positions in the order of a scan. */
export interface RowSpans {
  /** Position of an ingest's first row; -1 when it has none. */
  readonly first: Float64Array;
  /** Position of its last row. */
  readonly last: Float64Array;
  readonly count: Float64Array;
  /** Rows of the table, those of other ingests included. */
  readonly rows: number;
  /** The numbers of the ingests in the order of their first rows. */
  readonly order: readonly number[];
}

/** Finds them with one scan of a narrow column: a million rows in some 0.3 s. */
export async function rowSpans(
  table: LanceDb.Table,
  ingests: LiveIngests,
  /** The parts of the table that can be read. */
  parts: readonly Span[],
): Promise<RowSpans> {
  const first = new Float64Array(ingests.length).fill(-1);
  const last = new Float64Array(ingests.length).fill(-1);
  const count = new Float64Array(ingests.length);
  const order: number[] = [];
  let position = 0;
  let before = '';
  let number: number | undefined;
  const addBatch = (batch: ArrowBatch): void => {
    const ids = batch.data.children[0];
    if (ids === undefined) return;
    const offsets = ids.valueOffsets as Int32Array;
    const bytes = ids.values as Uint8Array;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let index = 0; index < batch.numRows; index += 1, position += 1) {
      const ingest = text.toString('utf8', offsets[index], offsets[index + 1]);
      if (ingest !== before) {
        before = ingest;
        number = ingests.numberOf(ingest);
      }
      if (number === undefined) continue;
      if (first[number] === -1) {
        first[number] = position;
        order.push(number);
      }
      last[number] = position;
      count[number] = (count[number] ?? 0) + 1;
    }
  };
  for (const { start, end } of parts) {
    position = start;
    const query = table
      .query()
      .select(['ingest_id'])
      .offset(start)
      .limit(end - start);
    for await (const batch of batches(query, 16_384)) addBatch(batch);
  }
  return { first, last, count, rows: await table.countRows(), order };
}
