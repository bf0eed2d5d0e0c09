import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { allOf, oneOf } from '../lance/filter.ts';
import type { TableName } from '../layout.ts';
import { liveEntries } from '../read/live-entries.ts';
import { runCondition } from '../read/run-filter.ts';
import type { Snapshots } from '../snapshot.ts';
import { bestMatches } from './best-matches.ts';
import { foundText } from './found-text.ts';
import { compareMatches } from './match-order.ts';
import type { FindOptions, FoundText } from './options.ts';
import { partMatches, wordMatches } from './scanned-matches.ts';
import { separateWords } from './search-text.ts';
import type { Searched, TableSearch } from './searched.ts';
import { ownCondition, searchedTables } from './searched-tables.ts';
import { wordsOf } from './snippet.ts';
import { refreshTextIndex } from './text-index.ts';
import { unspacedPieces, withoutPieces } from './unspaced.ts';

/** Keys up to which a search is given the selected Storylines as a filter. */
const MAX_KEYS = 1_000;

/** A row that was found, and its table. */
interface Match {
  readonly name: TableName;
  readonly row: Row;
}

/**
 * Searches messages, reasoning, arguments and results, prompts and notes; best matches first, equally good ones by document, turn and call.
 * Rows that do not count are never among them. The past is searched in the tables of today, which hold all that any kept version counts.
 */
export async function findText(
  context: StoreContext,
  { present, snapshot }: { readonly present: Snapshots; readonly snapshot: Snapshots },
  query: string,
  options: FindOptions = {},
): Promise<FoundText[]> {
  const separated = separateWords(query);
  const words = wordsOf(separated);
  const pieces = unspacedPieces(separated);
  if (words.length === 0) return [];
  const { limit = 20, words: mode = 'all', signal } = options;
  return await guarded(context, `search the store ${context.location.shown}`, async () => {
    const names = searchedTables(context, options);
    for (const name of names) {
      signal?.throwIfAborted();
      await refreshIfReadable(context, name);
    }
    const pinned = await snapshot();
    const { tables } = snapshot === present ? pinned : await present();
    const condition = options.filter === undefined ? undefined : runCondition(options.filter);
    const selected = condition === undefined ? undefined : await liveEntries(pinned, condition);
    if (selected?.length === 0) return [];
    const allowed = selected === undefined ? undefined : new Set(selected.map((entry) => entry.ingestId));
    const few =
      selected === undefined || selected.length > MAX_KEYS
        ? undefined
        : oneOf(
            'document_key',
            selected.map((entry) => entry.key),
          );
    const search = async (
      matches: (searched: Searched, wanted: TableSearch) => Promise<Row[]>,
      wanted: number,
    ): Promise<Match[]> => {
      const found: Match[] = [];
      for (const name of names) {
        signal?.throwIfAborted();
        const where = allOf(few, ownCondition(name, options));
        const searched = { pinned, table: tables[name], name, where };
        for (const row of await matches(searched, { limit: wanted, allowed, mode, signal }))
          found.push({ name, row });
      }
      return found.sort((left, right) => compareMatches(left.row, right.row)).slice(0, wanted);
    };

    /** Tables that may have more. */
    const more = new Set<TableName>();
    const found = await search(async (searched, wanted) => {
      const { rows, whole } = await bestMatches(context, searched, { query: separated, words }, wanted);
      if (!whole) more.add(searched.name);
      return rows;
    }, limit);
    const known = (name: TableName): Row[] =>
      found.filter((match) => match.name === name).map((match) => match.row);
    if (found.length < limit && more.size > 0) {
      const further = await search(
        async (searched, wanted) =>
          more.has(searched.name) ? await wordMatches(searched, words, known(searched.name), wanted) : [],
        limit - found.length,
      );
      found.push(...further);
    }
    if (found.length < limit && pieces.length > 0) {
      const asked = { pieces, words: wordsOf(withoutPieces(separated)) };
      const further = await search(
        (searched, wanted) => partMatches(searched, asked, known(searched.name), wanted),
        limit - found.length,
      );
      found.push(...further);
    }
    return found.map(({ name, row }) => foundText(name, row, [...words, ...pieces]));
  });
}

async function refreshIfReadable(context: StoreContext, name: TableName): Promise<void> {
  try {
    await refreshTextIndex(context, name);
  } catch (cause) {
    if (cause instanceof Error && cause.name !== 'Error') throw cause;
    // An index that cannot be read: the search tells.
  }
}
