import type { StoreContext } from '../context.ts';
import { checkIndex, checkTextIndex, type IndexState } from '../indexes/check-index.ts';
import { indexName, STORE_INDEXES } from '../indexes/store-indexes.ts';
import { TABLE_NAMES } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { isUnreadable, type StoreDamage } from './readable-spans.ts';

/** Indexes that cannot be read, or that give other rows than there are: they lose nothing, but lookups miss what they leave out. */
export async function damagedIndexes(context: StoreContext, { tables }: Snapshot): Promise<StoreDamage[]> {
  const found: StoreDamage[] = [];
  for (const table of TABLE_NAMES) {
    const there = new Set((await tables[table].listIndices()).map((index) => index.name));
    const check = async (column: string, look: () => Promise<IndexState>): Promise<void> => {
      if (!there.has(indexName(column))) return;
      const state = await look().catch((cause: unknown) => {
        // Rows that cannot be read are told of themselves.
        if (!isUnreadable(cause)) throw cause;
        return 'sound' as const;
      });
      if (state === 'sound') return;
      const what = state === 'wrong' ? 'gives other rows than there are' : 'cannot be read';
      found.push({ table, index: column, message: `the index of ${column} ${what}` });
    };
    for (const { column } of STORE_INDEXES.filter((index) => index.table === table))
      await check(column, () => checkIndex(tables[table], column));
    await check('search_text', () => checkTextIndex(context, tables[table]));
  }
  return found;
}
