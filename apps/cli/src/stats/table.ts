import type { SqlCell, StatsName, StatsResult } from '@pchronicle/store-lance/sql';
import { cellText, isNumeric } from '../query/cell.ts';
import { bar } from '../terminal/bar.ts';
import { formatCount } from '../terminal/numbers.ts';
import { clip } from '../terminal/safe.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { percent } from './overview.ts';

/** What is drawn beside each summary, and what a whole bar means: the greatest value, or 1. */
const DRAWN: {
  readonly [name in Exclude<StatsName, 'overview'>]: { readonly column: string; readonly whole?: 1 };
} = {
  tools: { column: 'calls' },
  models: { column: 'turns' },
  outcomes: { column: 'pass_rate', whole: 1 },
  'pass-at-k': { column: 'pass_at_k', whole: 1 },
};

/** Columns that say what a row is of: one that is not known is said to be. */
const GROUPED = new Set(['model', 'agent', 'source']);

/** How a table is shown. */
export interface TableOptions {
  readonly width: number;
  readonly style: Style;
  readonly limit: number;
}

/** A summary as a table with a bar for its main column; columns that no row fills are left out. */
export function statsTable(
  name: Exclude<StatsName, 'overview'>,
  { columns, rows }: StatsResult,
  { width, style, limit }: TableOptions,
): string {
  const drawn = DRAWN[name];
  // On a narrow terminal the figures come first.
  const cells = Math.max(4, Math.min(20, Math.floor(width / 4)));
  const at = columns.findIndex((column) => column.name === drawn.column);
  const value = (row: readonly SqlCell[]): number => Number(row[at] ?? 0);
  const greatest: number = drawn.whole ?? rows.reduce<number>((most, row) => Math.max(most, value(row)), 0);
  const filled = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ index }) => rows.length === 0 || rows.some((row) => (row[index] ?? null) !== null));
  const shown: Column<readonly SqlCell[]>[] = filled.map(({ name: title, type, index }) => ({
    title: title.replaceAll('_', ' ').toUpperCase(),
    ...(isNumeric(type) ? { align: 'right' as const } : { min: 8 }),
    text: (row) => shownCell(title, row[index] ?? null) || (index === 0 || GROUPED.has(title) ? '-' : ''),
  }));
  shown.push({ title: '', text: (row) => bar(greatest === 0 ? 0 : value(row) / greatest, cells) });
  return formatTable(rows.slice(0, limit), shown, width, style);
}

function shownCell(column: string, cell: SqlCell): string {
  if (cell === null) return '';
  if (/rate$|^pass_at_k$/.test(column)) return percent(Number(cell));
  if (typeof cell === 'number' && Number.isInteger(cell)) return formatCount(cell);
  return clip(cellText(cell) ?? '', 200);
}
