import Table from 'cli-table3';
import { safeLine } from './safe.ts';
import type { Style } from './style.ts';
import { cutToWidth, displayWidth, fitWidths } from './width.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Least width it is cut to when the terminal is narrow; a column without it is never cut. */
  readonly min?: number;
  text(row: Row): string;
}

/** A table without rules, as wide as it needs or as the terminal is: cells that can give way are cut with an ellipsis. Cells are made safe. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
  style: Style,
): string {
  const cells = rows.map((row) => columns.map((column) => safeLine(column.text(row))));
  const widths = fitWidths(
    columns.map((column, index) =>
      Math.max(displayWidth(column.title), ...cells.map((line) => displayWidth(line[index] ?? ''))),
    ),
    columns.map((column) => column.min),
    width - GAP * (columns.length - 1),
  );
  const table = new Table({
    head: columns.map((column) => style.strong(column.title)),
    colWidths: widths.map((value) => value + GAP),
    colAligns: columns.map((column) => column.align ?? 'left'),
    chars: Object.fromEntries(BORDERS.map((name) => [name, ''])),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
    truncate: '…',
  });
  for (const line of cells) {
    table.push(line.map((text, index) => cutToWidth(text, widths[index] ?? text.length)));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const GAP = 2;
const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
] as const;
