import type { StoreContext } from '../context.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { findOldIngests } from './find-old-ingests.ts';
import { findSuperseded } from './find-superseded.ts';
import { type PurgedRows, purgeRows } from './purge-rows.ts';
import type { MaintainOptions } from './report.ts';

/** Told what was purged from a table. */
export type Purged = (name: TableName, rows: PurgedRows) => void;

/** Purges what was replaced or deleted before `keptSince`. */
export async function purgeSuperseded(
  context: StoreContext,
  keptSince: Date,
  work: {
    readonly options: MaintainOptions;
    /** Compacts a table and removes its old versions. */
    readonly optimize: (name: TableName) => Promise<void>;
    readonly add: Purged;
  },
): Promise<void> {
  const { runs } = context.tables;
  await runs.checkoutLatest();
  const { superseded } = await findSuperseded(runs, BigInt(keptSince.getTime()) * 1_000_000n);
  if (superseded.length === 0) return;
  // Versions of `runs` that still show what is purged go first: whoever asks for one later is told so, and is not shown half of it.
  await work.optimize('runs');
  // The rows in `runs` go last, as they were written last: killed in between, the next maintenance still knows what is left, whatever its age.
  for (const name of TABLE_NAMES) {
    work.options.signal?.throwIfAborted();
    await context.tables[name].checkoutLatest();
    work.add(name, await purgeRows(context.tables[name], superseded));
  }
}

/** Purges steps and calls that no row of `runs` names, if they are older than `before` (milliseconds). */
export async function purgeOrphans(context: StoreContext, before: number, add: Purged): Promise<void> {
  for (const name of ['steps', 'tool_calls'] as const) {
    const table = context.tables[name];
    // The table first, then `runs`: whatever was committed in between is known.
    await table.checkoutLatest();
    const candidates = await findOldIngests(table, before);
    await context.tables.runs.checkoutLatest();
    const { kept, superseded } = await findSuperseded(context.tables.runs, 0n);
    const known = new Set([...kept, ...superseded]);
    const orphans = candidates.filter((ingest) => !known.has(ingest));
    add(name, await purgeRows(table, orphans));
  }
}
