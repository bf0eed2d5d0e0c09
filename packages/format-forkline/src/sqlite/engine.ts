import { createRequire } from 'node:module';

/** A cell as SQLite hands it over; integers beyond 2^53 are BigInts. */
export type Cell = null | number | bigint | string | Uint8Array;

/** A row by column name. */
export interface Row {
  readonly [column: string]: Cell;
}

/** The little of SQLite that reading and writing need, whichever engine stands behind it. */
export interface Database {
  /** Runs statements that give no rows. */
  exec(sql: string): void;
  /** Rows one by one; the statement is released when the iteration ends, in whatever way. */
  iterate(sql: string, parameters?: readonly Cell[]): IterableIterator<Row>;
  /** Prepares a statement to run many times. */
  prepare(sql: string): { run(parameters: readonly Cell[]): void; release(): void };
  close(): void;
}

/** Opens a database file. It is never a user's: reading works on a private copy, writing on a file of its own. */
export type OpenDatabase = (path: string) => Database;

/** The shapes of node:sqlite that are used; its types are not in every version of @types/node. */
interface NodeStatement {
  setReadBigInts(enabled: boolean): void;
  iterate(...parameters: readonly Cell[]): IterableIterator<Row>;
  run(...parameters: readonly Cell[]): unknown;
}
interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}
interface NodeSqlite {
  readonly DatabaseSync: {
    new (path: string): NodeDatabase;
    readonly prototype: NodeDatabase;
  };
  readonly StatementSync: { readonly prototype: object };
}

let chosen: OpenDatabase | undefined;

/** The engine: Node's own SQLite where it can iterate (22.13 on), else SQLite in WebAssembly; loaded when first needed. */
export function sqliteEngine(): OpenDatabase {
  chosen ??= nodeEngine() ?? wasmEngine();
  return chosen;
}

/** Node's own SQLite; `undefined` where this Node has none, or one that cannot iterate. */
export function nodeEngine(): OpenDatabase | undefined {
  const sqlite = quietly(() => builtin('node:sqlite')) as NodeSqlite | undefined;
  if (sqlite === undefined || !('iterate' in sqlite.StatementSync.prototype)) return undefined;
  return (path) => {
    const database = new sqlite.DatabaseSync(path);
    return {
      exec: (sql) => database.exec(sql),
      *iterate(sql, parameters = []) {
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        for (const row of statement.iterate(...parameters)) yield withSmallNumbers(row);
      },
      prepare(sql) {
        const statement = database.prepare(sql);
        return { run: (parameters) => void statement.run(...parameters), release: () => undefined };
      },
      close: () => database.close(),
    };
  };
}

/** A built-in module that may not exist; asked for without a static import, which would fail where it is unknown. */
function builtin(name: string): unknown {
  const get = (process as { getBuiltinModule?: (id: string) => unknown }).getBuiltinModule;
  return get?.call(process, name);
}

/** Node warns once that its SQLite is experimental; that is no news to a user of this package. */
function quietly<T>(load: () => T): T | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function withSmallNumbers(row: Row): Row {
  const result = row as { [column: string]: Cell };
  for (const column of Object.keys(result)) {
    const cell = result[column];
    if (typeof cell === 'bigint' && BigInt.asIntN(53, cell) === cell) result[column] = Number(cell);
  }
  return result;
}

/** The shapes of node-sqlite3-wasm that are used. */
interface WasmStatement {
  iterate(parameters: readonly Cell[]): IterableIterator<Row>;
  run(parameters: readonly Cell[]): unknown;
  finalize(): void;
}
interface WasmDatabase {
  exec(sql: string): void;
  prepare(sql: string): WasmStatement;
  close(): void;
}

/** SQLite compiled to WebAssembly, which reads and writes files itself and needs no build. */
export function wasmEngine(): OpenDatabase {
  const { Database: Wasm } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
    readonly Database: new (path: string) => WasmDatabase;
  };
  return (path) => {
    const database = new Wasm(path);
    return {
      exec: (sql) => database.exec(sql),
      *iterate(sql, parameters = []) {
        const statement = database.prepare(sql);
        try {
          yield* statement.iterate(parameters);
        } finally {
          statement.finalize();
        }
      },
      prepare(sql) {
        const statement = database.prepare(sql);
        return { run: (parameters) => void statement.run(parameters), release: () => statement.finalize() };
      },
      close: () => database.close(),
    };
  };
}
