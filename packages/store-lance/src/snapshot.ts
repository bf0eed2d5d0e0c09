import { guarded, type StoreContext, type Tables } from './context.ts';
import { onUnreadableIndex } from './lance/filtered-batches.ts';
import type { TableName } from './layout.ts';

/** The three tables pinned to versions that belong together. */
export interface Snapshot {
  readonly tables: Tables;
  readonly versions: { readonly [name in TableName]: number };
}

/** Gives the snapshot of now; the same one again as long as nothing was committed. */
export type Snapshots = () => Promise<Snapshot>;

/**
 * Pins versions of the tables, `runs` first: steps and calls are written before the row in `runs` that makes them count, so whatever that
 * version of `runs` names is in the versions pinned after it.
 */
export function snapshots(context: StoreContext): Snapshots {
  let current: Promise<Snapshot> | undefined;
  const latest = async (name: TableName): Promise<number> => {
    await context.tables[name].checkoutLatest();
    return await context.tables[name].version();
  };
  return () =>
    guarded(context, `read the store ${context.location.shown}`, async () => {
      context.assertOpen();
      const versions = {
        runs: await latest('runs'),
        steps: await latest('steps'),
        tool_calls: await latest('tool_calls'),
      };
      const before = await current;
      if (before !== undefined && sameVersions(before.versions, versions)) return before;
      current = pin(context, versions);
      current.catch(() => {
        current = undefined;
      });
      return await current;
    });
}

function sameVersions(left: Snapshot['versions'], right: Snapshot['versions']): boolean {
  return left.runs === right.runs && left.steps === right.steps && left.tool_calls === right.tool_calls;
}

/** Opens the tables at given versions. */
export async function pin(
  context: Pick<StoreContext, 'connection'> & Partial<Pick<StoreContext, 'onUnreadableIndex'>>,
  versions: Snapshot['versions'],
): Promise<Snapshot> {
  const open = async (name: TableName) => {
    const table = await context.connection.openTable(name, undefined, { version: versions[name] });
    onUnreadableIndex(table, () => context.onUnreadableIndex?.(name));
    return table;
  };
  return {
    tables: { runs: await open('runs'), steps: await open('steps'), tool_calls: await open('tool_calls') },
    versions,
  };
}
