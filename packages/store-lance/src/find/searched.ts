import type * as LanceDb from '@lancedb/lancedb';
import type { Filter } from '../lance/filter.ts';
import type { TableName } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';

/** A table that is searched. */
export interface Searched {
  /** Says which rows count. */
  readonly pinned: Snapshot;
  readonly table: LanceDb.Table;
  readonly name: TableName;
  readonly where: Filter | undefined;
}

/** What is wanted of each table. */
export interface TableSearch {
  readonly limit: number;
  /** Ingest ids of the selected Storylines; all by default. */
  readonly allowed: ReadonlySet<string> | undefined;
  readonly mode: 'all' | 'any';
  readonly signal: AbortSignal | undefined;
}
