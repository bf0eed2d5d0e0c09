import { MessageChannel, type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBTableFunction,
  type DuckDBType,
  TIMESTAMP_NS,
  VARCHAR,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { ColumnType } from '@pchronicle/storyline-core';
import type { Filter } from '../lance/filter.ts';
import { fillVector, VECTOR_ROWS } from './fill-vector.ts';
import {
  CANCELLED,
  type FromScan,
  type FromWorker,
  type ScanBatch,
  SENT,
  type SqlTable,
  TAKEN,
} from './messages.ts';
import { scanName } from './views.ts';

const DUCKDB_TYPES: { readonly [type in ColumnType]: DuckDBType } = {
  utf8: VARCHAR,
  int64: BIGINT,
  float64: DOUBLE,
  bool: BOOLEAN,
  timestamp_ns: TIMESTAMP_NS,
};

/** One running scan, as the worker sees it. */
interface Scan {
  readonly port: MessagePort;
  readonly control: Int32Array;
  /** For each output column, its position among the scanned ones. */
  readonly sources: readonly number[];
  readonly types: readonly ColumnType[];
  batch: ScanBatch | undefined;
  next: number;
  ended: boolean;
}

const running = new Set<Scan>();

/** Cancels every scan that is still running: the statement that wanted them has ended, or is to. */
export function cancelScans(): void {
  for (const scan of running) {
    Atomics.store(scan.control, CANCELLED, 1);
    Atomics.add(scan.control, TAKEN, 1_000_000);
    Atomics.notify(scan.control, TAKEN);
    scan.port.close();
  }
  running.clear();
}

/**
 * The table function over one Lance table. DuckDB names the columns it needs; the owner of the session scans just those and posts batches,
 * which are taken here without returning to the event loop, because DuckDB calls synchronously.
 */
export function scanFunction(table: SqlTable): DuckDBTableFunction {
  return DuckDBTableFunction.create({
    name: scanName(table.name),
    supportsProjectionPushdown: true,
    namedParameterTypes: { filter: VARCHAR },
    bindFunction(info) {
      for (const column of table.columns) info.addResultColumn(column.name, DUCKDB_TYPES[column.type]);
      const filter = info.getNamedParameter('filter');
      info.setCardinality(table.rows, filter === null);
      info.setBindData({ filter: typeof filter === 'string' ? filter : undefined });
    },
    initFunction(info) {
      const { filter } = info.bindData as { readonly filter: string | undefined };
      // For count(*) DuckDB asks for no column of ours by name; the first one is narrow.
      const wanted = info.getColumnIndexes().map((index) => table.columns[index] ?? table.columns[0]);
      const scanned = [...new Set(wanted.flatMap((column) => (column === undefined ? [] : [column.name])))];
      if (scanned.length === 0) scanned.push(table.columns[0]?.name ?? '');
      const { port1, port2 } = new MessageChannel();
      const control = new SharedArrayBuffer(12);
      const request: FromWorker = {
        type: 'scan',
        port: port2,
        control,
        table: table.name,
        columns: scanned,
        ...(filter === undefined ? {} : { where: filter as Filter }),
      };
      parentPort?.postMessage(request, [port2]);
      const scan: Scan = {
        port: port1,
        control: new Int32Array(control),
        sources: wanted.map((column) => scanned.indexOf(column?.name ?? '')),
        types: wanted.map((column) => column?.type ?? 'utf8'),
        batch: undefined,
        next: 0,
        ended: false,
      };
      running.add(scan);
      info.setMaxThreads(1);
      info.setInitData(scan);
    },
    mainFunction(info, output) {
      const scan = info.initData as unknown as Scan;
      const failure = advance(scan);
      if (failure !== undefined) info.setError(failure);
      const { batch } = scan;
      if (batch === undefined) {
        output.rowCount = 0;
        return;
      }
      const rows = Math.min(VECTOR_ROWS, batch.rows - scan.next);
      output.rowCount = rows;
      for (const [index, source] of scan.sources.entries()) {
        const column = batch.columns[source];
        const type = scan.types[index];
        if (column === undefined || type === undefined) continue;
        fillVector(duckdb.data_chunk_get_vector(output.chunk, index), column, type, scan.next, rows);
      }
      scan.next += rows;
    },
  });
}

/** Makes sure that the scan stands in a batch, if there is one more; gives what went wrong. */
function advance(scan: Scan): string | undefined {
  while (!scan.ended && (scan.batch === undefined || scan.next >= scan.batch.rows)) {
    scan.batch = undefined;
    const message = take(scan);
    if (message === undefined || 'end' in message || 'error' in message) {
      scan.ended = true;
      running.delete(scan);
      scan.port.close();
      if (message === undefined) return 'the query was cancelled';
      if ('error' in message) return message.error;
    } else {
      scan.batch = message;
      scan.next = 0;
    }
  }
  return undefined;
}

/** The next message, waiting for it; `undefined` once the scan is cancelled. */
function take(scan: Scan): FromScan | undefined {
  for (;;) {
    if (Atomics.load(scan.control, CANCELLED) !== 0) return undefined;
    const sent = Atomics.load(scan.control, SENT);
    const received = receiveMessageOnPort(scan.port);
    if (received !== undefined) {
      Atomics.add(scan.control, TAKEN, 1);
      Atomics.notify(scan.control, TAKEN);
      return received.message as FromScan;
    }
    // Bounded, so that a cancellation between the checks is seen.
    Atomics.wait(scan.control, SENT, sent, 50);
  }
}
