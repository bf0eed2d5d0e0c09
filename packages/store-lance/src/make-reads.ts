import { guarded, type StoreContext } from './context.ts';
import { findText } from './find/find-text.ts';
import { storedCollection } from './read/collection.ts';
import { readHeads } from './read/heads.ts';
import { storeInfo } from './read/info.ts';
import { type ListedRun, listRuns } from './read/list-runs.ts';
import { type LiveEntry, selectedEntries } from './read/live-entries.ts';
import { readStories } from './read/read-stories.ts';
import { resolveId } from './read/resolve-id.ts';
import type { RunFilter } from './read/run-filter.ts';
import { withoutDamage } from './repair/without-damage.ts';
import type { Snapshot, Snapshots } from './snapshot.ts';
import type { StoreReads } from './store.ts';
import { StoreError } from './store-error.ts';
import { verifyStore } from './verify/verify.ts';

/** Does something that reads the store. */
export function reading<Result>(context: StoreContext, action: () => Promise<Result>): Promise<Result> {
  return guarded(context, `read the store ${context.location.shown}`, action);
}

/** Makes what reads the store as `snapshot` gives it; `present` gives it as it is now. */
export function makeReads(context: StoreContext, snapshot: Snapshots, present: Snapshots): StoreReads {
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
    async withoutDamage(folder, options) {
      return await withoutDamage(context, await snapshot(), folder, options?.signal);
    },
  };
}
