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
      cells.reduce(
        (most, line) => Math.max(most, displayWidth(line[index] ?? '')),
        displayWidth(column.title),
      ),
    ),
    columns.map((column) => column.min),
    width - GAP * (columns.length - 1),
  );
  const lines: string[] = [];
  // The layout of cli-table3 takes time that grows with the square of the rows: a few hundred at once are cheap.
  for (let start = 0; start === 0 || start < cells.length; start += CHUNK) {
    const table = new Table({
      ...(start === 0 ? { head: columns.map((column) => style.strong(column.title)) } : {}),
      colWidths: widths.map((value) => value + GAP),
      colAligns: columns.map((column) => column.align ?? 'left'),
      chars: Object.fromEntries(BORDERS.map((name) => [name, ''])),
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
      truncate: '…',
    });
    for (const line of cells.slice(start, start + CHUNK)) {
      table.push(line.map((text, index) => cutToWidth(text, widths[index] ?? text.length)));
    }
    for (const line of table.toString().split('\n')) lines.push(line.trimEnd());
  }
  return lines.join('\n');
}

const CHUNK = 200;
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
