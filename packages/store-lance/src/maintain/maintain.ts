import { guarded, type StoreContext } from '../context.ts';
import { refreshTextIndex } from '../find/text-index.ts';
import { refreshIndexes } from '../indexes/refresh-indexes.ts';
import { hasIndex, indexName } from '../indexes/store-indexes.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { type DroppedRows, dropDamaged } from '../repair/drop-damaged.ts';
import { snapshots } from '../snapshot.ts';
import { assertManifests } from './manifests.ts';
import { mendIndexes } from './mend-indexes.ts';
import { purgeOrphans, purgeSuperseded } from './purge.ts';
import { type PurgedRows, rewriteFragments } from './purge-rows.ts';
import type { MaintainOptions, MaintainReport, MaintainStep } from './report.ts';
import { retried } from './retry.ts';
import { sweepFiles } from './sweep-files.ts';
import { oldestTagged } from './versions.ts';

const DAY = 24 * 60 * 60 * 1000;
const TAG_MARGIN = 60 * 60 * 1000;

/**
 * Purges rows that no longer count, compacts fragments, removes old versions, refreshes indexes, sweeps abandoned files. Imports and
 * readers may go on meanwhile, in this and in other processes. Interrupted at any point it leaves a store as good as before.
 */
export async function maintainStore(
  context: StoreContext,
  options: MaintainOptions = {},
): Promise<MaintainReport> {
  const started = performance.now();
  const now = Date.now();
  const retention = options.retention ?? 7 * DAY;
  const before = now - (options.safetyAge ?? DAY);
  const step = (name: MaintainStep): void => {
    options.signal?.throwIfAborted();
    options.onProgress?.(name);
  };
  const inTables = <Result>(action: () => Promise<Result>): Promise<Result> =>
    guarded(context, `maintain the store ${context.location.shown}`, action);

  const wanted = new Date(now - retention);
  const tagged = await inTables(async () => {
    await assertManifests(context);
    const found: Date[] = [];
    for (const name of TABLE_NAMES) {
      const oldest = await oldestTagged(context, name);
      if (oldest !== undefined) found.push(oldest);
    }
    return found;
  });
  // Lance refuses to remove a tagged version, after it has compacted: never ask it to. It is told an age, not a time, and counts it from
  // when it gets to it: stay well away.
  const keptSince = new Date(
    Math.min(wanted.getTime(), ...tagged.map((time) => time.getTime() - TAG_MARGIN)),
  );
  const heldByTag = keptSince < wanted;
  const purged = { runs: 0, steps: 0, tool_calls: 0 };
  const touched: { [name in TableName]: Set<bigint> } = {
    runs: new Set(),
    steps: new Set(),
    tool_calls: new Set(),
  };
  const add = (name: TableName, result: PurgedRows): void => {
    purged[name] += result.rows;
    for (const fragment of result.fragments) touched[name].add(fragment);
  };

  let fragmentsBefore = 0;
  let fragmentsAfter = 0;
  const versionsRemoved = { runs: 0, steps: 0, tool_calls: 0 };
  let bytesRemoved = 0;
  const optimize = async (name: TableName): Promise<void> => {
    // Counted from now, not from the start: with a retention of 0 what maintenance itself has made superfluous goes too.
    const cleanupOlderThan = heldByTag ? keptSince : new Date(Date.now() - retention);
    const { prune } = await retried(() => context.tables[name].optimize({ cleanupOlderThan }));
    versionsRemoved[name] += prune.oldVersionsRemoved;
    bytesRemoved += prune.bytesRemoved;
  };
  let dropped: DroppedRows = { steps: 0, tool_calls: 0 };
  if (options.dropDamaged === true) {
    step('damaged');
    dropped = await inTables(
      async () => await dropDamaged(context, await snapshots(context)(), options.signal),
    );
  }

  await inTables(async () => {
    for (const name of TABLE_NAMES) {
      await context.tables[name].checkoutLatest();
      fragmentsBefore += (await context.tables[name].stats()).fragmentStats.numFragments;
    }
  });

  step('superseded');
  // Compaction fails on an index that cannot be read.
  const mended: string[] = [];
  for (const name of TABLE_NAMES) mended.push(...(await inTables(() => mendIndexes(context, name))));
  await inTables(() => purgeSuperseded(context, keptSince, { options, optimize, add }));

  step('orphans');
  await inTables(() => purgeOrphans(context, before, add));

  step('compact');
  for (const name of TABLE_NAMES) {
    options.signal?.throwIfAborted();
    const table = context.tables[name];
    await inTables(async () => {
      await table.checkoutLatest();
      await optimize(name);
      await rewriteFragments(table, touched[name]);
    });
  }

  step('indexes');
  // An index keeps words and ids of rows that are deleted: where any were purged it is made anew.
  const anew = new Set(TABLE_NAMES.filter((name) => purged[name] > 0));
  const refreshed = await inTables(() => retried(() => refreshIndexes(context, { anew })));
  const indexes = [...new Set([...mended, ...refreshed])];
  // The text index is made by the first search; what is there takes the newer rows in.
  for (const name of TABLE_NAMES) {
    await inTables(async () => {
      if (!(await hasIndex(context.tables[name], indexName('search_text')))) return;
      if (await refreshTextIndex(context, name, anew.has(name) ? 'anew' : 'all'))
        if (!indexes.includes(`${name}.search_text`)) indexes.push(`${name}.search_text`);
    });
  }

  step('clean');
  for (const name of TABLE_NAMES) {
    await inTables(async () => {
      // Cleaning up comes before the index work in a call; the second call removes what that has replaced.
      await optimize(name);
      await optimize(name);
      await context.tables[name].checkoutLatest();
      fragmentsAfter += (await context.tables[name].stats()).fragmentStats.numFragments;
    });
  }

  step('files');
  const filesRemoved =
    context.location.folder === undefined ? 0 : await sweepFiles(context.location.folder, before);
  return {
    purged,
    dropped,
    fragments: { before: fragmentsBefore, after: fragmentsAfter },
    keptSince,
    heldByTag,
    versionsRemoved,
    bytesRemoved,
    indexes,
    filesRemoved,
    seconds: (performance.now() - started) / 1000,
  };
}
