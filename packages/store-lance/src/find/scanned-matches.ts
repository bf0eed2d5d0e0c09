import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { allOf, anyOf } from '../lance/filter.ts';
import { liveRows } from './live-rows.ts';
import { compareMatches } from './match-order.ts';
import { mightHold } from './might-hold.ts';
import { scanText } from './scan-text.ts';
import { scannedColumns } from './search-columns.ts';
import type { Searched, TableSearch } from './searched.ts';
import { holdsWords } from './snippet.ts';
import { holdsPiece } from './unspaced.ts';

/** Live rows of one table that hold pieces of text as parts of words, which its index does not know; in order of document, turn and call. */
export async function partMatches(
  { pinned, table, name, where }: Searched,
  { pieces, words }: { readonly pieces: readonly string[]; readonly words: readonly string[] },
  /** Rows that were found already. */
  found: readonly Row[],
  { limit, allowed, mode, signal }: TableSearch,
): Promise<Row[]> {
  const held = pieces.map(holdsPiece);
  const live = liveRows(pinned, allowed);
  return await scanText(table, {
    columns: scannedColumns(name),
    where: allOf(where, mode === 'all' ? allOf(...held) : anyOf(...held)),
    meant: mode === 'all' && words.length > 0 ? (text) => holdsWords(text, words) : undefined,
    unseen: without(found, live),
    compare: compareMatches,
    limit,
    signal,
  });
}

/** What an index that knows every row and every word would find besides, from all texts of a table: in order of document, turn and call, not of rank. */
export async function wordMatches(
  { pinned, table, name, where }: Searched,
  words: readonly string[],
  found: readonly Row[],
  { limit, allowed, mode, signal }: TableSearch,
): Promise<Row[]> {
  return await scanText(table, {
    columns: scannedColumns(name),
    where: allOf(where, mightHold(words, mode)),
    meant: (text) =>
      mode === 'all' ? holdsWords(text, words) : words.some((word) => holdsWords(text, [word])),
    unseen: without(found, liveRows(pinned, allowed)),
    compare: compareMatches,
    limit,
    signal,
  });
}

/** The rows that count and were not found already. */
function without(
  found: readonly Row[],
  live: (rows: readonly Row[]) => Promise<Row[]>,
): (rows: readonly Row[]) => Promise<Row[]> {
  const known = new Set(found.map(placeOf));
  return async (rows) => (await live(rows)).filter((row) => !known.has(placeOf(row)));
}

/** What tells a row from the others of its table. */
function placeOf(row: Row): string {
  return [textOf(row, 'ingest_id'), row.turn_ordinal ?? '', row.call_index ?? ''].join(' ');
}
