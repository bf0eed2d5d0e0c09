import { parentPort } from 'node:worker_threads';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { convertCell } from './convert-cell.ts';
import { failedMessage } from './failed-message.ts';
import type { FromWorker, SqlCell, ToWorker } from './messages.ts';
import { prepareRead } from './prepare-read.ts';
import { cancelScans, scanFunction } from './scan-function.ts';
import { createViews } from './views.ts';

// The worker of one SQL session: DuckDB, its table functions, one statement at a time. It ends by itself when told to close.

const port = parentPort;
if (port === null) throw new Error('this file is a worker');

const send = (message: FromWorker): void => port.postMessage(message);
let instance: DuckDBInstance | undefined;
let connection: DuckDBConnection | undefined;
let wake: (() => void) | undefined;
let stopped = false;
let running = false;
let interrupting: NodeJS.Timeout | undefined;
let queue: Promise<void> = Promise.resolve();

/** Characters of text in one message of rows. */
const MESSAGE_CHARACTERS = 1024 * 1024;

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'more':
      wake?.();
      break;
    case 'stop':
      stopped = true;
      wake?.();
      break;
    case 'interrupt':
      stopped = true;
      cancelScans();
      connection?.interrupt();
      // DuckDB forgets an interrupt that comes before it has begun.
      if (running) interrupting ??= setInterval(() => connection?.interrupt(), 50);
      wake?.();
      break;
    default:
      queue = queue.then(() => handle(message)).catch(fail);
  }
});

async function handle(message: Extract<ToWorker, { type: 'open' | 'query' | 'close' }>): Promise<void> {
  if (message.type === 'open') await open(message);
  else if (message.type === 'query') await query(message);
  else {
    cancelScans();
    connection?.closeSync();
    instance?.closeSync();
    port?.close();
  }
}

async function open(message: Extract<ToWorker, { type: 'open' }>): Promise<void> {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  for (const table of message.tables) connection.registerTableFunction(scanFunction(table));
  await connection.run('SET errors_as_json = true');
  for (const [name, value] of message.settings) await connection.run(`SET ${name} = ${value}`);
  const opened = connection;
  await createViews(
    async (sql) => (await opened.runAndReadAll(sql)).getRows(),
    message.tables,
    message.filters,
  );
  cancelScans();
  // From here on nothing but the tables can be reached, and no setting can change that.
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  send({ type: 'opened' });
}

async function query(message: Extract<ToWorker, { type: 'query' }>): Promise<void> {
  if (connection === undefined) return;
  stopped = false;
  running = true;
  try {
    const prepared = await prepareRead(connection, message.sql);
    if ('type' in prepared) {
      send(prepared);
      return;
    }
    if (message.copyTo !== undefined) {
      prepared.destroySync();
      const target = message.copyTo.replaceAll("'", "''");
      // On a line of its own: a comment at the end of the statement must not swallow the rest.
      const result = await connection.run(
        `COPY (\n${message.sql.replace(/[;\s]+$/, '')}\n) TO '${target}' (${message.copyOptions ?? 'FORMAT parquet'})`,
      );
      send({ type: 'columns', columns: [{ name: 'rows', type: 'BIGINT' }] });
      send({ type: 'rows', rows: [[result.rowsChanged]] });
      send({ type: 'done', truncated: false });
      return;
    }
    const result = await prepared.stream();
    const types = result.columnTypes();
    const names = result.columnNames();
    send({ type: 'columns', columns: names.map((name, index) => ({ name, type: String(types[index]) })) });
    let left = message.maxRows;
    let truncated = false;
    let rows: SqlCell[][] = [];
    let characters = 0;
    const flush = async (): Promise<void> => {
      if (rows.length === 0) return;
      const taken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      send({ type: 'rows', rows });
      rows = [];
      characters = 0;
      await taken;
    };
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0 && !stopped;
      chunk = await result.fetchChunk()
    ) {
      const columns = types.map((type, index) =>
        chunk === null ? [] : chunk.getColumnValues(index).map((value) => convertCell(value, type)),
      );
      for (let row = 0; row < chunk.rowCount; row += 1) {
        if (left === 0) {
          truncated = true;
          break;
        }
        left -= 1;
        const cells = columns.map((column) => column[row] ?? null);
        for (const cell of cells) if (typeof cell === 'string') characters += cell.length;
        rows.push(cells);
        if (characters >= MESSAGE_CHARACTERS) await flush();
        if (stopped) break;
      }
      if (truncated || stopped) break;
      if (rows.length >= 1_000) await flush();
    }
    if (!stopped) await flush();
    send({ type: 'done', truncated });
  } catch (cause) {
    fail(cause);
  } finally {
    // A statement that ended early leaves scans that nobody will take from.
    cancelScans();
    wake = undefined;
    running = false;
    clearInterval(interrupting);
    interrupting = undefined;
  }
}

function fail(cause: unknown): void {
  send(failedMessage(cause));
}
