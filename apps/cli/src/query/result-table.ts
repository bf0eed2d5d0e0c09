import type { SqlCell, SqlColumn } from '@pchronicle/store-lance/sql';
import { clip, safeText } from '../terminal/safe.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { cellText, isNumeric } from './cell.ts';

/** Characters of a cell that a table shows; the other formats show all. */
const CELL = 500;

/** Rows as a table: numbers to the right, null as NULL, long text cut. A plan (EXPLAIN) is shown as DuckDB draws it. */
export function resultTable(
  columns: readonly SqlColumn[],
  rows: readonly (readonly SqlCell[])[],
  width: number,
  style: Style,
): string {
  if (columns[0]?.name === 'explain_key')
    return rows.map((row) => safeText(cellText(row[1] ?? null) ?? '').trimEnd()).join('\n');
  const shown = columns.map(
    ({ name, type }, index): Column<readonly SqlCell[]> => ({
      title: name,
      ...(isNumeric(type) ? { align: 'right' as const } : { min: 8 }),
      text: (row) => clip(cellText(row[index] ?? null) ?? 'NULL', CELL),
    }),
  );
  return formatTable(rows, shown, width, style);
}
