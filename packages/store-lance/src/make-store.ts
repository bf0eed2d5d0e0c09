import type { StoreContext } from './context.ts';
import { guarded } from './context.ts';
import { refreshIndexes } from './indexes/refresh-indexes.ts';
import { ingest } from './ingest/ingest.ts';
import { deleteRuns } from './maintain/delete-runs.ts';
import { maintainStore } from './maintain/maintain.ts';
import { listVersions, pinMoment, tagVersion, untagVersion } from './maintain/versions.ts';
import { makeReads, reading } from './make-reads.ts';
import { selectedEntries } from './read/live-entries.ts';
import { runCondition } from './read/run-filter.ts';
import { type Snapshots, snapshots } from './snapshot.ts';
import type { Store } from './store.ts';
import { keepInternals } from './store-internals.ts';

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
