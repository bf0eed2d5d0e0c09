import type { MessagePort } from 'node:worker_threads';
import type { ColumnType } from '@pchronicle/storyline-core';
import type { Filter } from '../lance/filter.ts';
import type { ViewFilters } from './views.ts';

// What the two sides of a SQL session say to each other: the session's owner, which scans Lance, and the worker, in which DuckDB runs.

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table as the worker is told of it. */
export interface SqlTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Columns of today's layout that an older table does not have. */
  readonly absent: readonly TableColumn[];
  readonly rows: number;
}

/** Sent to the worker. */
export type ToWorker =
  | {
      readonly type: 'open';
      readonly tables: readonly SqlTable[];
      readonly filters: ViewFilters;
      readonly settings: readonly (readonly [name: string, value: string])[];
    }
  | {
      readonly type: 'query';
      readonly sql: string;
      readonly maxRows: number;
      readonly copyTo?: string;
      readonly copyOptions?: string;
    }
  /** The batch before was taken: send the next. */
  | { readonly type: 'more' }
  /** Nobody wants the rest. */
  | { readonly type: 'stop' }
  | { readonly type: 'interrupt' }
  | { readonly type: 'close' };

/** Sent by the worker. */
export type FromWorker =
  | { readonly type: 'opened' }
  | {
      readonly type: 'scan';
      readonly port: MessagePort;
      readonly control: SharedArrayBuffer;
      readonly table: string;
      readonly columns: readonly string[];
      readonly where?: Filter;
    }
  | { readonly type: 'columns'; readonly columns: readonly SqlColumn[] }
  | { readonly type: 'rows'; readonly rows: readonly (readonly SqlCell[])[] }
  | { readonly type: 'done'; readonly truncated: boolean }
  | { readonly type: 'failed'; readonly kind: string; readonly message: string; readonly offset?: number };

/** A column of a result, with DuckDB's name of its type. */
export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

/** A value of a result: integers past 2^53 are bigint; times, decimals and other exact types are text. */
export type SqlCell =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly SqlCell[]
  | { readonly [name: string]: SqlCell };

/** A batch of a scan, column by column, as Arrow lays it out. */
export interface ScanBatch {
  readonly rows: number;
  readonly columns: readonly ScanColumn[];
}

/** One column of a batch. */
export interface ScanColumn {
  /** One bit a row, set where there is a value; absent when all have one. */
  readonly validity?: Uint8Array;
  /** First row's position in `validity` and, for booleans, in `data`. */
  readonly offset: number;
  /** Ends of the texts. */
  readonly offsets?: Int32Array;
  readonly data: Uint8Array | BigInt64Array | Float64Array;
}

/** What a scan sends through its port. */
export type FromScan = ScanBatch | { readonly end: true } | { readonly error: string };

/** Fields of a scan's control words: batches sent, batches taken, and whether it is cancelled. */
export const SENT = 0;
export const TAKEN = 1;
export const CANCELLED = 2;
