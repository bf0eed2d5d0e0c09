import type { StoreContext } from '../context.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { fragmentFiles } from '../verify/fragment-files.ts';
import { liveIngests } from '../verify/live-ingests.ts';
import { damageOf, type SortedRows, type StoreDamage, sortRows } from '../verify/readable-spans.ts';
import { rowSpans } from '../verify/row-spans.ts';

/** What of a store cannot be read, and what that hits. */
export interface FoundDamage {
  readonly tables: { readonly [name in TableName]: SortedRows };
  readonly damage: StoreDamage[];
  /** Storylines that count and have a row that cannot be read. */
  readonly hit: readonly HitStoryline[];
}

/** A Storyline that damage hits. */
export interface HitStoryline {
  readonly documentKey: string;
  /** Address of its row in `runs`. */
  readonly rowId: bigint;
}

/** Rows of a batch: all columns of them are decoded. */
const BATCH_ROWS = 256;

/** Reads every cell of every row, and finds the Storylines whose rows are not all among those that could be read. */
export async function findDamage(
  context: StoreContext,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<FoundDamage> {
  const tables = {} as { [name in TableName]: SortedRows };
  const damage: StoreDamage[] = [];
  for (const name of TABLE_NAMES) {
    const columns = context.columns[name].map((column) => column.name);
    tables[name] = await sortRows(snapshot.tables[name], columns, BATCH_ROWS, signal);
    const { unreadable } = tables[name];
    if (unreadable.length > 0)
      damage.push(...damageOf(name, unreadable, await fragmentFiles(context, name, snapshot.versions[name])));
  }
  if (damage.length === 0) return { tables, damage, hit: [] };
  const ingests = await liveIngests(snapshot, tables.runs.readable);
  const steps = await rowSpans(snapshot.tables.steps, ingests, tables.steps.readable);
  const calls = await rowSpans(snapshot.tables.tool_calls, ingests, tables.tool_calls.readable);
  const hit: HitStoryline[] = [];
  for (let number = 0; number < ingests.length; number += 1) {
    const ingest = ingests.at(number);
    const whole = (steps.count[number] ?? 0) >= ingest.steps && (calls.count[number] ?? 0) >= ingest.calls;
    if (!whole) hit.push({ documentKey: ingest.key, rowId: ingest.rowId });
  }
  return { tables, damage, hit };
}
