import type { TableName } from '../layout.ts';
import type { DroppedRows } from '../repair/drop-damaged.ts';

/** Options of maintenance. */
export interface MaintainOptions {
  /** How long versions stay readable (as of a time or a version), in milliseconds; default 7 days. With 0 a running reader may lose its files. */
  readonly retention?: number;
  /** Age from which rows without a commit, and temporary files, are taken for abandoned; default 1 day. */
  readonly safetyAge?: number;
  /**
   * First drop data files of steps and calls that cannot be read. Throws `store/damaged`, and does nothing, while a Storyline that counts has
   * rows in one: delete it first. Default false: a damaged file stops maintenance, and may be put back.
   */
  readonly dropDamaged?: boolean;
  readonly signal?: AbortSignal;
  onProgress?(step: MaintainStep): void;
}

/** What maintenance is about to do. */
export type MaintainStep = 'damaged' | 'superseded' | 'orphans' | 'compact' | 'indexes' | 'clean' | 'files';

/** What maintenance did. */
export interface MaintainReport {
  /** Rows deleted that no longer counted: replaced, deleted, never committed. */
  readonly purged: { readonly [name in TableName]: number };
  /** Rows in damaged files that `dropDamaged` dropped. */
  readonly dropped: DroppedRows;
  readonly fragments: { readonly before: number; readonly after: number };
  /** Versions older than this were removed. */
  readonly keptSince: Date;
  /** The tag that made it keep more than `retention` asks for, if one did. */
  readonly heldByTag: boolean;
  /** Versions removed of each table; those of `runs` are versions of the store. */
  readonly versionsRemoved: { readonly [name in TableName]: number };
  readonly bytesRemoved: number;
  /** Indexes made anew. */
  readonly indexes: readonly string[];
  readonly filesRemoved: number;
  readonly seconds: number;
}
