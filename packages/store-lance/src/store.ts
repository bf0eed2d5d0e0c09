import type { ImportEvent, Storyline, StorylineHead } from '@pchronicle/storyline-core';
import type { StoreContext } from './context.ts';
import { guarded } from './context.ts';
import { type FindOptions, type FoundText, findText } from './find/find-text.ts';
import { type RefreshOptions, refreshIndexes } from './indexes.ts';
import { ingest } from './ingest/ingest.ts';
import type { IngestOptions, IngestSummary } from './ingest/options.ts';
import { deleteRuns } from './maintain/delete-runs.ts';
import { type MaintainOptions, type MaintainReport, maintainStore } from './maintain/maintain.ts';
import {
  listVersions,
  type Moment,
  pinMoment,
  type StoreVersion,
  tagVersion,
  untagVersion,
} from './maintain/versions.ts';
import { type StoredCollection, storedCollection } from './read/collection.ts';
import { readHeads } from './read/heads.ts';
import { type StoreInfo, storeInfo } from './read/info.ts';
import { type ListedRun, listRuns } from './read/list-runs.ts';
import { type LiveEntry, selectedEntries } from './read/live-entries.ts';
import { readStories } from './read/read-stories.ts';
import { resolveId } from './read/resolve-id.ts';
import { type RunFilter, runCondition } from './read/run-filter.ts';
import { type LeftOut, withoutDamage } from './repair/without-damage.ts';
import { type Snapshot, type Snapshots, snapshots } from './snapshot.ts';
import { StoreError } from './store-error.ts';
import { keepInternals } from './store-internals.ts';
import { type VerifyOptions, type VerifyReport, verifyStore } from './verify/verify.ts';

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
  withoutDamage(folder: string): Promise<LeftOut>;
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

/** Makes the public face of an open store. */
export function makeStore(context: StoreContext, close: () => void): Store {
  const snapshot = snapshots(context);
  const store: Store = {
    ...makeReads(context, snapshot, snapshot),
    uri: context.location.shown,
    layout: context.layout,
    async ingest(events, options) {
      context.assertOpen();
      return await ingest(context, events, options);
    },
    async delete(filter) {
      if (runCondition(filter) === undefined) throw new RangeError('an empty filter would delete everything');
      const pinned = await snapshot();
      const entries = await reading(context, () => selectedEntries(pinned, filter));
      return await deleteRuns(context, pinned, entries);
    },
    async maintain(options) {
      context.assertOpen();
      return await maintainStore(context, options);
    },
    async refreshIndexes(options) {
      context.assertOpen();
      return await guarded(context, `build the indexes of ${context.location.shown}`, () =>
        refreshIndexes(context, options),
      );
    },
    async versions() {
      context.assertOpen();
      return await listVersions(context);
    },
    async tag(name) {
      await tagVersion(context, await snapshot(), name);
    },
    async untag(name) {
      context.assertOpen();
      await untagVersion(context, name);
    },
    async at(moment) {
      const pinned = await pinMoment(context, await snapshot(), moment);
      const past: Snapshots = async () => {
        context.assertOpen();
        return pinned;
      };
      const reads = makeReads(context, past, snapshot);
      keepInternals(reads, { context, snapshot: past });
      return reads;
    },
    async close() {
      close();
    },
  };
  keepInternals(store, { context, snapshot });
  return store;
}

function reading<Result>(context: StoreContext, action: () => Promise<Result>): Promise<Result> {
  return guarded(context, `read the store ${context.location.shown}`, action);
}

function makeReads(context: StoreContext, snapshot: Snapshots, present: Snapshots): StoreReads {
  const select = async (filter: RunFilter = {}): Promise<{ pinned: Snapshot; entries: LiveEntry[] }> => {
    const pinned = await snapshot();
    const entries = await reading(context, () => selectedEntries(pinned, filter));
    return { pinned, entries };
  };
  return {
    async *list(filter) {
      const { pinned, entries } = await select(filter);
      yield* listRuns(context, pinned, entries);
    },
    async resolve(id) {
      const pinned = await snapshot();
      const entries = await reading(context, () => resolveId(pinned, id));
      const found: ListedRun[] = [];
      for await (const run of listRuns(context, pinned, entries)) found.push(run);
      return found;
    },
    async *heads(filter) {
      const { pinned, entries } = await select(filter);
      let index = 0;
      for await (const head of readHeads(context, pinned, entries)) {
        yield { documentKey: entries[index]?.key ?? '', head };
        index += 1;
      }
    },
    async read(documentKey) {
      const { pinned, entries } = await select({ documentKeys: [documentKey] });
      for await (const { storyline } of readStories(context, pinned, entries)) return storyline;
      throw new StoreError(
        'store/unknown-document',
        `there is no Storyline with the document key "${documentKey}" in ${context.location.shown}`,
      );
    },
    async *storylines(filter) {
      const { pinned, entries } = await select(filter);
      for await (const { entry, storyline } of readStories(context, pinned, entries)) {
        yield { documentKey: entry.key, storyline };
      }
    },
    async collection(filter) {
      const { pinned, entries } = await select(filter);
      return storedCollection(context, pinned, entries);
    },
    async find(query, options) {
      return await findText(context, { present, snapshot }, query, options);
    },
    async info() {
      return await storeInfo(context, await snapshot());
    },
    async verify(options) {
      return await verifyStore(context, await snapshot(), options);
    },
    async withoutDamage(folder) {
      return await withoutDamage(context, await snapshot(), folder);
    },
  };
}
