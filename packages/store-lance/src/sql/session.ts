import type { RunFilter } from '../read/run-filter.ts';
import type { SqlCell, SqlColumn } from './messages.ts';

/** Options of a SQL session. */
export interface SqlOptions {
  /** Memory DuckDB may use before it spills to temporary files; default `1GB`. */
  readonly memory?: string;
  /** Threads of DuckDB; default 2. */
  readonly threads?: number;
  /** Restricts the views to these Storylines, and scans to their rows. */
  readonly only?: RunFilter;
  /** Folder for what does not fit into memory; default one in the system's temporary folder that `close` removes. */
  readonly temporary?: string;
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
  /** Batches of rows, to be iterated once: the session waits for that. Leaving the loop early stops the query. */
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
