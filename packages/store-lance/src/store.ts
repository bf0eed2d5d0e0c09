import type { ImportEvent, Storyline, StorylineHead } from '@pchronicle/storyline-core';
import type { StoreContext } from './context.ts';
import { guarded } from './context.ts';
import { ingest } from './ingest/ingest.ts';
import type { IngestOptions, IngestSummary } from './ingest/options.ts';
import { type StoredCollection, storedCollection } from './read/collection.ts';
import { readHeads } from './read/heads.ts';
import { type StoreInfo, storeInfo } from './read/info.ts';
import { type ListedRun, listRuns } from './read/list-runs.ts';
import { type LiveEntry, liveEntries } from './read/live-entries.ts';
import { readStories } from './read/read-stories.ts';
import { resolveId } from './read/resolve-id.ts';
import { type RunFilter, runCondition } from './read/run-filter.ts';
import { type VerifyOptions, type VerifyReport, verifyStore } from './read/verify.ts';
import { type Snapshot, snapshots } from './snapshot.ts';
import { StoreError } from './store-error.ts';
import { keepInternals } from './store-internals.ts';

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

/**
 * An open store. Every read sees one consistent version; what is committed later, here or by another process, is seen by the next read.
 * Methods throw a StoreError when the store fails.
 */
export interface Store {
  /** The store's URI, without credentials. */
  readonly uri: string;
  /** Layout version of its tables. */
  readonly layout: string;
  /** Takes the events of core's reading driver (`importStorylines`) into the store. */
  ingest(
    events: AsyncIterable<ImportEvent> | Iterable<ImportEvent>,
    options: IngestOptions,
  ): Promise<IngestSummary>;
  /** Lists Storylines, ordered by source, record, and position in the record. */
  list(filter?: RunFilter): AsyncGenerator<ListedRun>;
  /** Finds the Storylines that an id names: document key, document id, session, run or attempt. */
  resolve(id: string): Promise<ListedRun[]>;
  /** Reads heads, in the order of `list`. */
  heads(filter?: RunFilter): AsyncGenerator<StoredHead>;
  /** Reads one Storyline exactly as it was imported. */
  read(documentKey: string): Promise<Storyline>;
  /** Reads many, in the order of `list`, in bounded memory. */
  storylines(filter?: RunFilter): AsyncGenerator<StoredStoryline>;
  /** The selected Storylines of one version, for core's export drivers. */
  collection(filter?: RunFilter): Promise<StoredCollection>;
  /** Counts and sizes. */
  info(): Promise<StoreInfo>;
  /** Re-reads everything and compares it with what was imported. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** Lets go of the store; further calls fail. */
  close(): Promise<void>;
}

/** Makes the public face of an open store. */
export function makeStore(context: StoreContext, close: () => void): Store {
  const snapshot = snapshots(context);
  const select = async (filter: RunFilter = {}): Promise<{ pinned: Snapshot; entries: LiveEntry[] }> => {
    const pinned = await snapshot();
    const entries = await guarded(context, `read the store ${context.location.shown}`, () =>
      liveEntries(pinned, runCondition(filter)),
    );
    return { pinned, entries };
  };
  const store: Store = {
    uri: context.location.shown,
    layout: context.layout,
    async ingest(events, options) {
      context.assertOpen();
      return await ingest(context, events, options);
    },
    async *list(filter) {
      const { pinned, entries } = await select(filter);
      yield* listRuns(context, pinned, entries);
    },
    async resolve(id) {
      const pinned = await snapshot();
      const entries = await guarded(context, `read the store ${context.location.shown}`, () =>
        resolveId(pinned, id),
      );
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
      for await (const { entry, storyline } of readStories(context, pinned, entries))
        yield { documentKey: entry.key, storyline };
    },
    async collection(filter) {
      const { pinned, entries } = await select(filter);
      return storedCollection(context, pinned, entries);
    },
    async info() {
      return await storeInfo(context, await snapshot());
    },
    async verify(options) {
      return await verifyStore(context, await snapshot(), options);
    },
    async close() {
      close();
    },
  };
  keepInternals(store, { context, snapshot });
  return store;
}
