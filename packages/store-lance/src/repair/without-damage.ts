import { textOf } from '../cells.ts';
import { guarded, type StoreContext } from '../context.ts';
import { connectLance } from '../lance/connect.ts';
import { oneOf } from '../lance/filter.ts';
import { take } from '../lance/scan.ts';
import { TABLE_NAMES } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import type { StoreDamage } from '../verify/readable-spans.ts';
import { verifyStore } from '../verify/verify.ts';
import { dropRows } from './drop-rows.ts';
import { findDamage, type HitStoryline } from './find-damage.ts';

/** What was left out of a store without damage. */
export interface LeftOut {
  readonly damage: readonly StoreDamage[];
  /** The Storylines that damage hits, whole. */
  readonly storylines: readonly { readonly documentKey: string; readonly documentId: string }[];
}

const KEYS_A_DELETE = 1_000;

/**
 * Makes a store of everything that can be read in an empty folder: its tables are clones that read the data files of this one where they
 * lie, without the rows that cannot be read and the Storylines that those hit, or that are not what was imported. Nothing of this store is
 * changed. Makes nothing, and says so by two empty lists, where all is whole.
 */
export async function withoutDamage(
  context: StoreContext,
  snapshot: Snapshot,
  folder: string,
  signal?: AbortSignal,
): Promise<LeftOut> {
  const { location, lance } = context;
  return await guarded(context, `read the store ${location.shown}`, async () => {
    const { tables, damage, hit } = await findDamage(context, snapshot, signal);
    const storylines = new Map((await named(snapshot, hit)).map((one) => [one.documentKey, one] as const));
    // What comes back without an error may still be other than it was.
    const report = await verifyStore(context, snapshot, signal === undefined ? {} : { signal });
    for (const { documentKey, documentId } of report.faults)
      if (!storylines.has(documentKey)) storylines.set(documentKey, { documentKey, documentId });
    if (damage.length === 0 && storylines.size === 0) return { damage, storylines: [] };
    if (damage.length === 0) damage.push(...report.damage.filter(({ file }) => file !== undefined));
    if (location.folder === undefined)
      throw new StoreError(
        'store/damaged',
        `files of the store ${location.shown} are damaged, and only those of a store in a local folder can be left out`,
      );
    const connection = await connectLance(lance, { uri: folder });
    for (const name of TABLE_NAMES) {
      const source = `${location.folder}/${name}.lance`;
      const table = await connection.cloneTable(name, source, {
        sourceVersion: snapshot.versions[name],
        isShallow: true,
      });
      await dropRows(table, snapshot.tables[name], tables[name].unreadable);
      if (name === 'runs') {
        const keys = [...storylines.keys()];
        // All rows of the key: a version that was replaced must not come back.
        for (let start = 0; start < keys.length; start += KEYS_A_DELETE)
          await table.delete(oneOf('document_key', keys.slice(start, start + KEYS_A_DELETE)));
      }
      table.close();
    }
    connection.close();
    return { damage, storylines: [...storylines.values()] };
  }).catch((error: unknown) => {
    // Somebody's wish, not the store's failure.
    throw signal?.aborted === true ? signal.reason : error;
  });
}

/** The Storylines that are hit, with their ids. */
export async function named(
  snapshot: Snapshot,
  hit: readonly HitStoryline[],
): Promise<LeftOut['storylines']> {
  const found: { documentKey: string; documentId: string }[] = [];
  const columns = ['document_key', 'document_id'];
  const rowIds = hit.map(({ rowId }) => rowId);
  for await (const page of take(snapshot.tables.runs, rowIds, { columns })) {
    for (const row of page)
      found.push({ documentKey: textOf(row, 'document_key'), documentId: textOf(row, 'document_id') });
  }
  return found;
}
