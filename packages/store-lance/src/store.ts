import type { ImportEvent, Storyline, StorylineHead } from '@pchronicle/storyline-core';
import type { FindOptions, FoundText } from './find/options.ts';
import type { RefreshOptions } from './indexes/refresh-indexes.ts';
import type { IngestOptions, IngestSummary } from './ingest/options.ts';
import type { MaintainOptions, MaintainReport } from './maintain/report.ts';
import type { Moment, StoreVersion } from './maintain/versions.ts';
import type { StoredCollection } from './read/collection.ts';
import type { StoreInfo } from './read/info.ts';
import type { ListedRun } from './read/list-runs.ts';
import type { RunFilter } from './read/run-filter.ts';
import type { LeftOut } from './repair/without-damage.ts';
import type { VerifyOptions, VerifyReport } from './verify/report.ts';

/** A Storyline of the store, with its key. */
export interface StoredStoryline {
  readonly documentKey: string;
  readonly storyline: Storyline;
}

/** A Storyline without its turns, with its key. */
export interface StoredHead {
  readonly documentKey: string;
  readonly head: StorylineHead;
}

/** What can be read of a store, or of a moment of its past. Every read sees one consistent version. */
export interface StoreReads {
  /** Lists Storylines, ordered by source, record, and position in the record. */
  list(filter?: RunFilter): AsyncGenerator<ListedRun>;
  /** Finds the Storylines that an id names: document key, document id, session or run, else tool call, else attempt. */
  resolve(id: string): Promise<ListedRun[]>;
  /** Reads heads, in the order of `list`. */
  heads(filter?: RunFilter): AsyncGenerator<StoredHead>;
  /** Reads one Storyline exactly as it was imported. */
  read(documentKey: string): Promise<Storyline>;
  /** Reads many, in the order of `list`, in bounded memory. */
  storylines(filter?: RunFilter): AsyncGenerator<StoredStoryline>;
  /** The selected Storylines of one version, for core's export drivers. */
  collection(filter?: RunFilter): Promise<StoredCollection>;
  /** Searches messages, reasoning, arguments, results, prompts and notes, best matches first; makes the text index when there is none yet. */
  find(query: string, options?: FindOptions): Promise<FoundText[]>;
  /** Counts and sizes. */
  info(): Promise<StoreInfo>;
  /** Re-reads everything and compares it with what was imported; compares indexes with the rows. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /**
   * Makes a store of everything that can be read in an empty folder, for `openStore`: without the Storylines that damaged files hit. It reads
   * the files of this one, so it lives no longer. Makes none, and gives no `damage`, where everything can be read. Only of a local store.
   */
  withoutDamage(folder: string, options?: { readonly signal?: AbortSignal }): Promise<LeftOut>;
}

/**
 * An open store. What is committed later, here or by another process, is seen by the next read.
 * Methods throw a StoreError when the store fails.
 */
export interface Store extends StoreReads {
  /** The store's URI, without credentials. */
  readonly uri: string;
  /** Layout version of its tables. */
  readonly layout: string;
  /** Takes the events of core's reading driver (`importStorylines`) into the store. */
  ingest(
    events: AsyncIterable<ImportEvent> | Iterable<ImportEvent>,
    options: IngestOptions,
  ): Promise<IngestSummary>;
  /** Deletes the Storylines that a filter selects: hidden at once, really gone after maintenance. Gives their number. An empty filter is refused. */
  delete(filter: RunFilter): Promise<number>;
  /** Purges, compacts, cleans up, refreshes indexes. */
  maintain(options?: MaintainOptions): Promise<MaintainReport>;
  /** Builds and refreshes indexes; gives the names of those it made. Imports and maintenance do this by themselves. */
  refreshIndexes(options?: RefreshOptions): Promise<string[]>;
  /** The versions that are kept, oldest first. */
  versions(): Promise<StoreVersion[]>;
  /** Keeps the present state readable under a name, until `untag`. */
  tag(name: string): Promise<void>;
  untag(name: string): Promise<void>;
  /** The store as it was at a version, a tag or a time. Throws `store/unknown-version`. */
  at(moment: Moment): Promise<StoreReads>;
  /** Lets go of the store; further calls fail. */
  close(): Promise<void>;
}
