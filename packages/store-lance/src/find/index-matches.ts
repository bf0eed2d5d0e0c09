import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { readBatch } from '../columns/read-batch.ts';
import type { Lance } from '../lance/load-lance.ts';
import { batches } from '../lance/scan.ts';
import { liveRows } from './live-rows.ts';
import { compareMatches, scoreOf } from './match-order.ts';
import { SEARCH_COLUMNS } from './search-columns.ts';
import type { Searched, TableSearch } from './searched.ts';
import { holdsWords, wordsOf } from './snippet.ts';

/** Rows with the score of the last one wanted that are looked at, so that which of them are shown does not change. */
const MOST_TIES = 2_000;

/** The best live matches of one table: fetches more as long as rows that do not count take places. */
export async function indexMatches(
  { lancedb }: Lance,
  { pinned, table, name, where }: Searched,
  query: string,
  { limit, allowed, mode }: TableSearch,
): Promise<Row[]> {
  const { MatchQuery, Operator } = lancedb;
  const live = liveRows(pinned, allowed);
  for (let wanted = limit + 10; ; wanted *= 4) {
    const match = new MatchQuery(query, 'search_text', {
      operator: mode === 'all' ? Operator.And : Operator.Or,
    });
    let search = table
      .query()
      .fullTextSearch(match)
      .select([...SEARCH_COLUMNS[name]])
      .limit(wanted);
    if (where !== undefined) search = search.where(where);
    const rows: Row[] = [];
    for await (const batch of batches(search, 1_024)) rows.push(...readBatch(batch));
    // Lance forgets a word that its index does not know, instead of finding nothing.
    const wantedWords = mode === 'all' ? wordsOf(query) : [];
    const counting = (await live(rows)).filter((row) => holdsWords(textOf(row, 'search_text'), wantedWords));
    const complete = rows.length < wanted;
    const last = counting[limit - 1];
    if (!complete && last === undefined) continue;
    // Among equally good ones Lance's order is none: all of them are needed to choose.
    const open = last !== undefined && scoreOf(rows.at(-1)) === scoreOf(last);
    if (!complete && open && wanted < limit + MOST_TIES) continue;
    return counting.sort(compareMatches).slice(0, limit);
  }
}
