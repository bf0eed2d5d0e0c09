import type { MessagePort } from 'node:worker_threads';
import type * as LanceDb from '@lancedb/lancedb';
import type { Filter } from '../lance/filter.ts';
import { filteredBatches } from '../lance/filtered-batches.ts';
import { CANCELLED, type FromScan, type ScanColumn, SENT, TAKEN } from './messages.ts';
import { softenJson } from './soften-json.ts';

/** Batches sent ahead of what DuckDB has taken. */
const AHEAD = 3;
/** Rows of a batch of narrow columns, and of one that holds text of any size. */
const NARROW_ROWS = 16_384;
const WIDE_ROWS = 1_024;

/** Columns whose values may be large. */
function isWide(name: string): boolean {
  return /_json$|^reasoning_content$|^notes$|^search_text$/.test(name);
}

/** Scans a table for DuckDB and sends the batches through `port`; ends when all is sent or the scan is cancelled. */
export async function serveScan(
  table: LanceDb.Table,
  request: {
    readonly port: MessagePort;
    readonly control: SharedArrayBuffer;
    readonly columns: readonly string[];
    readonly where?: Filter;
  },
  /** Told what kept the scan from its end, before DuckDB is. */
  onFailure: (cause: unknown) => void,
): Promise<void> {
  const { port } = request;
  const control = new Int32Array(request.control);
  const cancelled = (): boolean => Atomics.load(control, CANCELLED) !== 0;
  const send = (message: FromScan): void => {
    port.postMessage(message);
    Atomics.add(control, SENT, 1);
    Atomics.notify(control, SENT);
  };
  try {
    const query = (): LanceDb.Query => table.query().select([...request.columns]);
    const size = request.columns.some(isWide) ? WIDE_ROWS : NARROW_ROWS;
    for await (const batch of filteredBatches(table, query, request.where, size)) {
      await untilTaken(control);
      if (cancelled()) break;
      const columns = batch.data.children.map((data, index): ScanColumn => {
        if (batch.schema.fields[index]?.name.endsWith('_json') === true)
          softenJson(data.values as Uint8Array);
        return {
          offset: data.offset,
          data: data.values as ScanColumn['data'],
          ...(data.nullCount > 0 ? { validity: data.nullBitmap } : {}),
          ...(data.valueOffsets === undefined ? {} : { offsets: data.valueOffsets as Int32Array }),
        };
      });
      if (batch.numRows > 0) send({ rows: batch.numRows, columns });
    }
    send({ end: true });
  } catch (cause) {
    onFailure(cause);
    send({ error: cause instanceof Error ? cause.message : String(cause) });
  } finally {
    port.close();
  }
}

/** Waits until the worker is at most a few batches behind, without holding this thread. */
async function untilTaken(control: Int32Array): Promise<void> {
  while (Atomics.load(control, CANCELLED) === 0) {
    const taken = Atomics.load(control, TAKEN);
    if (Atomics.load(control, SENT) - taken < AHEAD) return;
    const waiting = waitAsync(control, TAKEN, taken);
    if (waiting.async) await waiting.value;
  }
}

interface Waiting {
  readonly async: boolean;
  readonly value: unknown;
}

/** `Atomics.waitAsync`, which Node has had since version 16 and TypeScript knows from ES2024 on. */
const { waitAsync } = Atomics as unknown as {
  waitAsync(array: Int32Array, index: number, value: number): Waiting;
};
