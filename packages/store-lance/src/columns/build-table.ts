import type * as Arrow from 'apache-arrow';
import type { Lance } from '../lance/load-lance.ts';
import { type ColumnBuilder, columnBuilder } from './build-column.ts';
import type { Column, Row } from './column.ts';
import { arrowSchema } from './schema.ts';

/** Takes rows one after another, straight into the buffers of an Arrow table: no row, and no text of one, is held. */
export interface TableBuilder {
  append(row: Row): void;
  /** Rows so far. */
  rows(): number;
  /** Bytes of text so far. */
  bytes(): number;
  /** The table of the rows so far. It lies in the builder's buffers: valid until {@link TableBuilder.clear}. */
  build(): Arrow.Table;
  /** Begins anew, in the same buffers. */
  clear(): void;
}

/** Makes a builder of tables with some columns. */
export function tableBuilder(lance: Lance, columns: readonly Column[]): TableBuilder {
  const builders: readonly ColumnBuilder[] = columns.map((column) => columnBuilder(lance, column));
  let rows = 0;
  let bytes = 0;
  return {
    append(row) {
      for (const builder of builders) bytes += builder.append(row[builder.column.name], rows);
      rows += 1;
    },
    rows: () => rows,
    bytes: () => bytes,
    build() {
      // Arrow writes no bits for a boolean column without any value, and Lance refuses that; left out, it reads as null.
      const used = builders.filter(({ column, filled }) => column.type !== 'bool' || filled());
      const { arrow } = lance;
      const schema = arrowSchema(
        lance,
        used.map((builder) => builder.column),
        new Map(),
      );
      const struct = arrow.makeData({
        type: new arrow.Struct(schema.fields),
        length: rows,
        nullCount: 0,
        children: used.map((builder) => builder.build(rows)),
      });
      return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
    },
    clear() {
      rows = 0;
      bytes = 0;
      for (const builder of builders) builder.clear();
    },
  };
}

/** Builds an Arrow table of rows, column by column into typed arrays (twice as fast as Arrow's builders). */
export function buildTable(lance: Lance, columns: readonly Column[], rows: readonly Row[]): Arrow.Table {
  const builder = tableBuilder(lance, columns);
  for (const row of rows) builder.append(row);
  return builder.build();
}
