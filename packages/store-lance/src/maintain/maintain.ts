import { guarded, type StoreContext } from '../context.ts';
import { refreshTextIndex } from '../find/text-index.ts';
import { hasIndex, indexName, refreshIndexes } from '../indexes.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { type DroppedRows, dropDamaged } from '../repair/drop-damaged.ts';
import { snapshots } from '../snapshot.ts';
import { findOrphans } from './find-orphans.ts';
import { findSuperseded } from './find-superseded.ts';
import { assertManifests } from './manifests.ts';
import { mendIndexes } from './mend-indexes.ts';
import { type PurgedRows, purgeRows, rewriteFragments } from './purge-rows.ts';
import { retried } from './retry.ts';
import { sweepFiles } from './sweep-files.ts';
import { oldestTagged } from './versions.ts';

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
    dropped = await inTables(async () => await dropDamaged(context, await snapshots(context)()));
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
  await inTables(async () => {
    const { runs } = context.tables;
    await runs.checkoutLatest();
    const { superseded } = await findSuperseded(runs, BigInt(keptSince.getTime()) * 1_000_000n);
    if (superseded.length === 0) return;
    // Versions of `runs` that still show what is purged go first: whoever asks for one later is told so, and is not shown half of it.
    await optimize('runs');
    // The rows in `runs` go last, as they were written last: killed in between, the next maintenance still knows what is left, whatever its age.
    for (const name of TABLE_NAMES) {
      options.signal?.throwIfAborted();
      await context.tables[name].checkoutLatest();
      add(name, await purgeRows(context.tables[name], superseded));
    }
  });

  step('orphans');
  await inTables(async () => {
    for (const name of ['steps', 'tool_calls'] as const) {
      const table = context.tables[name];
      // The table first, then `runs`: whatever was committed in between is known.
      await table.checkoutLatest();
      const candidates = await findOrphans(table, new Set(), before);
      await context.tables.runs.checkoutLatest();
      const { kept, superseded } = await findSuperseded(context.tables.runs, 0n);
      const known = new Set([...kept, ...superseded]);
      add(
        name,
        await purgeRows(
          table,
          candidates.filter((ingest) => !known.has(ingest)),
        ),
      );
    }
  });

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
