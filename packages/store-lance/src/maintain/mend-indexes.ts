import type { StoreContext } from '../context.ts';
import { refreshTextIndex } from '../find/text-index.ts';
import { checkIndex, checkTextIndex } from '../indexes/check-index.ts';
import { createStoreIndex, indexName, STORE_INDEXES } from '../indexes/store-indexes.ts';
import type { TableName } from '../layout.ts';
import { retried } from './retry.ts';

/** Makes those indexes of a table anew that cannot be read, or that do not answer as the rows do; gives their names. Compaction fails on one. */
export async function mendIndexes(context: StoreContext, name: TableName): Promise<string[]> {
  const table = context.tables[name];
  await table.checkoutLatest();
  const there = new Set((await table.listIndices()).map((index) => index.name));
  const made: string[] = [];
  for (const index of STORE_INDEXES) {
    if (index.table !== name || !there.has(indexName(index.column))) continue;
    if ((await checkIndex(table, index.column)) === 'sound') continue;
    await retried(() => createStoreIndex(context, index));
    made.push(`${name}.${index.column}`);
  }
  if (there.has(indexName('search_text')) && (await checkTextIndex(context, table)) !== 'sound') {
    if (await refreshTextIndex(context, name, 'anew')) made.push(`${name}.search_text`);
  }
  return made;
}
