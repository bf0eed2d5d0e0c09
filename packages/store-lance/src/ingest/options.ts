import type { Issue, SourceDocument } from '@pchronicle/storyline-core';

/** How much one write may hold. */
export interface BatchLimits {
  /** Rows of one call to Lance; default 8,192. */
  readonly rows: number;
  /** Bytes of text of one call, and characters of the Storylines that wait for a commit; default 4 Mi. */
  readonly characters: number;
  /** Documents of one commit; default 2,000. */
  readonly documents: number;
  /** Milliseconds after which accepted documents are committed even if the batch is not full; default 5,000. */
  readonly milliseconds: number;
}

/** The defaults of {@link BatchLimits}. */
export const DEFAULT_BATCH: BatchLimits = {
  rows: 8_192,
  characters: 4 * 1024 * 1024,
  documents: 2_000,
  milliseconds: 5_000,
};

/** Where an import stands. Sent synchronously, before the phase begins (`committed`: after it). */
export interface IngestProgress {
  /** What comes next: reading on, writing calls, writing steps, committing rows to `runs`; or that a commit is done. */
  readonly phase: 'read' | 'tool_calls' | 'steps' | 'commit' | 'committed';
  /** Bytes of the source read so far. */
  readonly bytes: number;
  /** Storylines that are decided so far: written, found unchanged, or left out. */
  readonly documents: number;
  /** Rows written so far, orphans included. */
  readonly rows: number;
}

/** Options of an import. */
export interface IngestOptions {
  /**
   * Identity of the source: a name the user gave, or `sourceIdOf(path)`; a function where the events come from several sources, one after
   * another (many small files in one import share batches). Storylines of two sources never replace each other.
   */
  readonly sourceId: string | ((document: SourceDocument) => string);
  /** Path of the source as the user gave it, for display; default: the place of each document. */
  readonly sourcePath?: string;
  /** Leave out Storylines whose content another source already gave under the same document id. */
  readonly skipCopies?: boolean;
  /** Say what would happen and write nothing. */
  readonly dryRun?: boolean;
  /** Write only share `index` of `count` (from 1) of the source documents; ordinals still count over the whole source. */
  readonly share?: { readonly index: number; readonly count: number };
  /** Stops the import after the last complete commit. */
  readonly signal?: AbortSignal;
  readonly batch?: Partial<BatchLimits>;
  /** Build and refresh indexes afterwards where the tables have grown enough; default true. */
  readonly indexes?: boolean;
  /** Findings of the store itself (`store/repeated-id`, `store/copy`, …); those of the reader are events of the input. */
  onIssue?(issue: Issue): void;
  /** Told of each document, at its end, whether it is of this `share`: then what the reader said of it is for this process to tell. */
  onSettled?(document: SourceDocument, own: boolean): void;
  onProgress?(progress: IngestProgress): void;
}

/** What an import did. */
export interface IngestSummary {
  readonly documents: {
    /** Storylines that were not there. */
    readonly new: number;
    /** Storylines whose content changed. */
    readonly replaced: number;
    /** Storylines that were there already, with the same content. */
    readonly unchanged: number;
    /** Source documents that were rejected; of a share: those of it (`rejectShareOf`). */
    readonly rejected: number;
    /** New Storylines whose content another source already gave under the same id; with `skipCopies` they were left out, else kept. */
    readonly copies: number;
    /** Storylines that their source document no longer gives. */
    readonly tombstoned: number;
    /** Storylines of other shares. */
    readonly elsewhere: number;
  };
  /** Rows written that count now. */
  readonly rows: { readonly runs: number; readonly steps: number; readonly tool_calls: number };
  /** Bytes of the source. */
  readonly bytes: number;
  readonly seconds: number;
  /** True when `signal` stopped it before the end of the source. */
  readonly interrupted: boolean;
}
