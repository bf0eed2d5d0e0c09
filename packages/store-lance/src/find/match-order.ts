import { integerOf, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { compareStrings } from '../compare-strings.ts';

/** How well the index says that a row matches; 0 for one that it did not give. */
export function scoreOf(row: Row | undefined): number {
  return typeof row?._score === 'number' ? row._score : 0;
}

/** Best first; equally good ones by document, and in it by place: the Storyline itself, its turns, their calls. */
export function compareMatches(left: Row, right: Row): number {
  const place = (row: Row, column: string): number =>
    row[column] === undefined ? -1 : Number(integerOf(row, column));
  return (
    scoreOf(right) - scoreOf(left) ||
    compareStrings(textOf(left, 'document_key'), textOf(right, 'document_key')) ||
    place(left, 'turn_ordinal') - place(right, 'turn_ordinal') ||
    place(left, 'call_index') - place(right, 'call_index')
  );
}
