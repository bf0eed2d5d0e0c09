import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { columnTypeOf } from '../columns/read-batch.ts';
import { guarded } from '../context.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import { oneOf } from '../lance/filter.ts';
import { TABLE_NAMES } from '../layout.ts';
import { liveEntries } from '../read/live-entries.ts';
import { runCondition } from '../read/run-filter.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StoreReads } from '../store.ts';
import type { StoreError } from '../store-error.ts';
import { storeInternals } from '../store-internals.ts';
import { tableColumns } from '../table-columns.ts';
import { CANCELLED, type FromWorker, SENT, type SqlTable, TAKEN, type ToWorker } from './messages.ts';
import { runQuery } from './run-query.ts';
import { serveScan } from './serve-scan.ts';
import type { QueryOptions, SqlOptions, SqlResult, SqlSession } from './session.ts';
import { SqlError, sqlError } from './sql-error.ts';

/** Opens a SQL session over a store, or over a moment of its past (`store.at`). DuckDB runs in a worker thread; this thread scans Lance, so it must not be blocked for long. */
export async function openSql(store: StoreReads, options: SqlOptions = {}): Promise<SqlSession> {
  const { context, snapshot } = storeInternals(store);
  const pinned: Snapshot = await snapshot();
  const doing = `read the store ${context.location.shown}`;
  const only = options.only === undefined ? undefined : runCondition(options.only);
  const entries =
    only === undefined ? undefined : await guarded(context, doing, () => liveEntries(pinned, only));
  const described = await guarded(context, doing, () => describeTables(pinned));
  const temporary = options.temporary ?? (await mkdtemp(join(tmpdir(), 'pchronicle-sql-')));
  // The last that can fail comes first: nobody would end the thread.
  const worker = new Worker(workerUrl());
  const removeTemporary = async (): Promise<void> => {
    if (options.temporary === undefined) await rm(temporary, { recursive: true, force: true });
  };
  const scans = new Set<{ readonly control: Int32Array; readonly done: Promise<void> }>();
  let receive: (message: FromWorker) => void = () => undefined;
  let crashed: Error | undefined;
  /** What kept a scan of the running statement from its end: DuckDB takes it for a fault of the statement. */
  let scanFailure: StoreError | undefined;
  let statements = 0;
  const post = (message: ToWorker): void => worker.postMessage(message);

  worker.on('message', (message: FromWorker) => {
    if (message.type !== 'scan') {
      receive(message);
      return;
    }
    const table = TABLE_NAMES.find((name) => name === message.table);
    if (table === undefined) return;
    const statement = statements;
    const onScanFailure = (cause: unknown): void => {
      // A scan may outlive its statement.
      if (statement === statements) scanFailure ??= explainFailure(cause, doing, context.secrets);
    };
    const scan = {
      control: new Int32Array(message.control),
      done: serveScan(pinned.tables[table], message, onScanFailure),
    };
    scans.add(scan);
    void scan.done.finally(() => scans.delete(scan));
  });
  const exited = new Promise<void>((settle) => worker.once('exit', () => settle()));
  worker.on('error', (error) => {
    crashed = error instanceof Error ? error : new Error(String(error));
    receive({ type: 'failed', kind: 'other', message: crashed.message });
  });

  await new Promise<void>((settle, reject) => {
    receive = (message) => {
      if (message.type === 'opened') settle();
      if (message.type === 'failed') reject(scanFailure ?? sqlError('', message.kind, message.message));
    };
    const writable = (options.writable ?? []).map((file) => `'${resolve(file).replaceAll("'", "''")}'`);
    post({
      type: 'open',
      tables: described,
      settings: [
        ['memory_limit', `'${(options.memory ?? '1GB').replaceAll("'", "''")}'`],
        ['threads', String(options.threads ?? 2)],
        ['temp_directory', `'${temporary.replaceAll("'", "''")}'`],
        ['allowed_paths', `[${writable.join(', ')}]`],
        ['autoinstall_known_extensions', 'false'],
        ['autoload_known_extensions', 'false'],
      ],
      filters:
        entries === undefined || only === undefined
          ? {}
          : entries.length > MAX_KEYS
            ? { condition: only }
            : {
                keys: oneOf(
                  'document_key',
                  entries.map((entry) => entry.key),
                ),
              },
    });
  }).catch(async (error: unknown) => {
    post({ type: 'close' });
    await exited;
    await removeTemporary();
    throw error;
  });

  const cancel = (): void => {
    for (const { control } of scans) {
      Atomics.store(control, CANCELLED, 1);
      Atomics.add(control, TAKEN, 1_000_000);
      Atomics.notify(control, SENT);
      Atomics.notify(control, TAKEN);
    }
    post({ type: 'interrupt' });
  };

  let busy: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** Waits for its turn; the turn ends with the result. */
  const start = async (sql: string, message: ToWorker, query: QueryOptions): Promise<SqlResult> => {
    if (closed || crashed !== undefined)
      throw new SqlError('store/sql-failed', crashed?.message ?? 'this SQL session was closed');
    const before = busy;
    let release: () => void = () => undefined;
    busy = new Promise<void>((settle) => {
      release = settle;
    });
    await before;
    const listen = (receiver: typeof receive): void => {
      receive = receiver;
    };
    statements += 1;
    scanFailure = undefined;
    return await runQuery(
      { post, listen, cancel, release, scanFailure: () => scanFailure },
      sql,
      message,
      query,
    );
  };

  return {
    query: (sql, query = {}) => start(sql, { type: 'query', sql, maxRows: query.maxRows ?? -1 }, query),
    async copyTo(sql, file, format, query = {}) {
      const copyOptions = format === 'csv' ? 'FORMAT csv, HEADER true' : 'FORMAT parquet, COMPRESSION zstd';
      const result = await start(
        sql,
        { type: 'query', sql, maxRows: -1, copyTo: resolve(file), copyOptions },
        query,
      );
      let rows = 0;
      for await (const batch of result.batches) rows = Number(batch[0]?.[0] ?? 0);
      return rows;
    },
    async close() {
      if (closed) return;
      closed = true;
      cancel();
      post({ type: 'close' });
      // It ends by itself once scans and statement have ended: a thread that is killed in a native scan takes the process with it.
      await exited;
      await Promise.all([...scans].map((scan) => scan.done));
      await removeTemporary();
    },
  };
}

/** Keys up to which a scan is given them as a filter. */
const MAX_KEYS = 1_000;

async function describeTables(pinned: Snapshot): Promise<SqlTable[]> {
  const tables: SqlTable[] = [];
  for (const name of TABLE_NAMES) {
    const { fields } = await pinned.tables[name].schema();
    const there = new Set(fields.map((field) => field.name));
    tables.push({
      name,
      rows: await pinned.tables[name].countRows(),
      columns: fields.flatMap((field) => {
        const type = columnTypeOf(field.type);
        return type === undefined ? [] : [{ name: field.name, type }];
      }),
      absent: tableColumns[name]
        .filter((column) => !there.has(column.name))
        .map(({ name: column, type }) => ({ name: column, type })),
    });
  }
  return tables;
}

/** The worker's file: built, also when this file runs from its source (tests). */
function workerUrl(): URL {
  const here = import.meta.url;
  return here.endsWith('.ts')
    ? new URL('../../dist/sql/duckdb-worker.js', here)
    : new URL('./duckdb-worker.js', here);
}
