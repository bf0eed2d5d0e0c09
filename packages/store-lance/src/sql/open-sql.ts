import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { columnTypeOf } from '../columns/read-batch.ts';
import { oneOf } from '../lance/filter.ts';
import { TABLE_NAMES } from '../layout.ts';
import { liveEntries } from '../read/live-entries.ts';
import { type RunFilter, runCondition } from '../read/run-filter.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StoreReads } from '../store.ts';
import { storeInternals } from '../store-internals.ts';
import type { FromWorker, SqlCell, SqlColumn, ToWorker } from './messages.ts';
import { serveScan } from './serve-scan.ts';
import { SqlError, sqlError } from './sql-error.ts';

/** Options of a SQL session. */
export interface SqlOptions {
  /** Memory DuckDB may use before it spills to temporary files; default `1GB`. */
  readonly memory?: string;
  /** Threads of DuckDB; default 2. */
  readonly threads?: number;
  /** Restricts the views to these Storylines, and scans to their rows. */
  readonly only?: RunFilter;
  /** Files that `copyTo` may write. Nothing else can be written or read. */
  readonly writable?: readonly string[];
}

/** Options of one query. */
export interface QueryOptions {
  /** Rows after which the result is cut; default none. */
  readonly maxRows?: number;
  /** Seconds after which the query is stopped with `store/sql-timeout`; default none. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

/** A result: columns at once, rows as they come. */
export interface SqlResult {
  readonly columns: readonly SqlColumn[];
  /** Batches of rows, to be iterated once; leaving the loop early stops the query. */
  readonly batches: AsyncIterable<readonly (readonly SqlCell[])[]>;
  /** Whether `maxRows` cut the result; known at its end. */
  truncated(): boolean;
}

/** A session over one version of a store: views `runs`, `steps`, `tool_calls` of the rows that count. One query at a time. */
export interface SqlSession {
  /** Runs one statement that reads. Throws a SqlError. */
  query(sql: string, options?: QueryOptions): Promise<SqlResult>;
  /** Runs one statement that reads and writes the result to a file that `writable` names; gives the number of rows. */
  copyTo(
    sql: string,
    file: string,
    format: 'parquet' | 'csv',
    options?: Omit<QueryOptions, 'maxRows'>,
  ): Promise<number>;
  /** Ends the session; a running query is stopped. */
  close(): Promise<void>;
}

/** Opens a SQL session over a store, or over a moment of its past (`store.at`). DuckDB runs in a worker thread; this thread scans Lance, so it must not be blocked for long. */
export async function openSql(store: StoreReads, options: SqlOptions = {}): Promise<SqlSession> {
  const { snapshot } = storeInternals(store);
  const pinned: Snapshot = await snapshot();
  const worker = new Worker(workerUrl());
  const temporary = await mkdtemp(join(tmpdir(), 'pchronicle-sql-'));
  const scans = new Set<{ readonly control: Int32Array; readonly done: Promise<void> }>();
  let receive: (message: FromWorker) => void = () => undefined;
  let crashed: Error | undefined;
  const post = (message: ToWorker): void => worker.postMessage(message);

  worker.on('message', (message: FromWorker) => {
    if (message.type !== 'scan') {
      receive(message);
      return;
    }
    const table = TABLE_NAMES.find((name) => name === message.table);
    if (table === undefined) return;
    const scan = { control: new Int32Array(message.control), done: serveScan(pinned.tables[table], message) };
    scans.add(scan);
    void scan.done.finally(() => scans.delete(scan));
  });
  const exited = new Promise<void>((settle) => worker.once('exit', () => settle()));
  worker.on('error', (error) => {
    crashed = error instanceof Error ? error : new Error(String(error));
    receive({ type: 'failed', kind: 'other', message: crashed.message });
  });

  const only = options.only === undefined ? undefined : runCondition(options.only);
  const entries = only === undefined ? undefined : await liveEntries(pinned, only);
  await new Promise<void>((settle, reject) => {
    receive = (message) => {
      if (message.type === 'opened') settle();
      if (message.type === 'failed') reject(sqlError('', message.kind, message.message));
    };
    void describeTables(pinned).then((tables) => {
      const writable = (options.writable ?? []).map((file) => `'${resolve(file).replaceAll("'", "''")}'`);
      post({
        type: 'open',
        tables,
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
    }, reject);
  }).catch(async (error: unknown) => {
    post({ type: 'close' });
    await exited;
    await rm(temporary, { recursive: true, force: true });
    throw error;
  });

  const cancel = (): void => {
    for (const { control } of scans) {
      Atomics.store(control, 2, 1);
      Atomics.add(control, 1, 1_000_000);
      Atomics.notify(control, 0);
      Atomics.notify(control, 1);
    }
    post({ type: 'interrupt' });
  };

  let busy: Promise<unknown> = Promise.resolve();
  let closed = false;

  const run = async (
    sql: string,
    message: ToWorker,
    query: QueryOptions,
    release: () => void,
  ): Promise<SqlResult> => {
    const pending: FromWorker[] = [];
    let arrived: (() => void) | undefined;
    let stop: SqlError | DOMException | undefined;
    receive = (received) => {
      pending.push(received);
      arrived?.();
    };
    const next = async (): Promise<FromWorker> => {
      while (pending.length === 0) {
        await new Promise<void>((settle) => {
          arrived = settle;
        });
      }
      return pending.shift() as FromWorker;
    };
    const timer =
      query.seconds === undefined
        ? undefined
        : setTimeout(() => {
            stop = new SqlError(
              'store/sql-timeout',
              `the query took longer than ${query.seconds} seconds and was stopped`,
            );
            cancel();
          }, query.seconds * 1000);
    const aborted = (): void => {
      stop = new DOMException('the query was stopped', 'AbortError');
      cancel();
    };
    query.signal?.addEventListener('abort', aborted, { once: true });
    if (query.signal?.aborted === true) aborted();
    const finish = (): void => {
      clearTimeout(timer);
      query.signal?.removeEventListener('abort', aborted);
      receive = () => undefined;
      release();
    };
    const failed = (received: Extract<FromWorker, { type: 'failed' }>): Error => {
      finish();
      return stop ?? sqlError(sql, received.kind, received.message, received.offset);
    };
    post(message);
    const first = await next();
    if (first.type === 'failed') throw failed(first);
    if (first.type !== 'columns') throw new Error(`unexpected ${first.type} from the SQL worker`);
    let truncated = false;
    const batches = async function* (): AsyncGenerator<readonly (readonly SqlCell[])[]> {
      let ended = false;
      try {
        for (;;) {
          const received = await next();
          if (received.type === 'failed') {
            ended = true;
            throw failed(received);
          }
          if (received.type === 'done') {
            ended = true;
            truncated = received.truncated;
            finish();
            if (stop !== undefined) throw stop;
            return;
          }
          if (received.type === 'rows') {
            yield received.rows;
            post({ type: 'more' });
          }
        }
      } finally {
        if (!ended) {
          // Nobody wants the rest: let the worker come to its end.
          cancel();
          post({ type: 'stop' });
          for (let received = await next(); received.type !== 'done' && received.type !== 'failed'; )
            received = await next();
          finish();
        }
      }
    };
    return { columns: first.columns, batches: batches(), truncated: () => truncated };
  };

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
    return await run(sql, message, query, release);
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
      await rm(temporary, { recursive: true, force: true });
    },
  };
}

/** Keys up to which a scan is given them as a filter. */
const MAX_KEYS = 1_000;

async function describeTables(pinned: Snapshot): Promise<SqlTableOf[]> {
  const tables: SqlTableOf[] = [];
  for (const name of TABLE_NAMES) {
    const schema = await pinned.tables[name].schema();
    tables.push({
      name,
      rows: await pinned.tables[name].countRows(),
      columns: schema.fields.flatMap((field) => {
        const type = columnTypeOf(field.type);
        return type === undefined ? [] : [{ name: field.name, type }];
      }),
    });
  }
  return tables;
}

type SqlTableOf = Extract<ToWorker, { type: 'open' }>['tables'][number];

/** The worker's file: built, also when this file runs from its source (tests). */
function workerUrl(): URL {
  const here = import.meta.url;
  return here.endsWith('.ts')
    ? new URL('../../dist/sql/duckdb-worker.js', here)
    : new URL('./duckdb-worker.js', here);
}
