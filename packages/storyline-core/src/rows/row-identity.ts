/** What a store knows about a Storyline besides its content: the columns that come from outside. */
export interface RowIdentity {
  readonly documentKey: string;
  readonly ingestId: string;
  readonly revision: bigint;
  /** Nanoseconds since the epoch. */
  readonly ingestedAt: bigint;
  readonly sourceId: string;
  readonly sourcePath?: string;
  readonly sourceDocument?: string;
  /** From 1. */
  readonly sourceRecord?: number;
  readonly sourceOffset?: number;
  readonly storageOrdinal: bigint;
  /** Where it is known already; else it is computed. */
  readonly contentHash?: string;
}
