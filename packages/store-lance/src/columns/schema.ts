import type * as Arrow from 'apache-arrow';
import type { Lance } from '../lance/load-lance.ts';
import type { Column } from './column.ts';

/** Field metadata of text columns: half the size of the default at the same speed (measured; see docs/store.md). */
export const TEXT_ENCODING: ReadonlyMap<string, string> = new Map([
  ['lance-encoding:compression', 'zstd'],
  ['lance-encoding:structural-encoding', 'miniblock'],
  ['lance-encoding:minichunk-size', '131072'],
]);

/** The Arrow type of a column. Times are nanoseconds UTC. */
export function arrowType({ arrow }: Lance, column: Column): Arrow.DataType {
  switch (column.type) {
    case 'utf8':
      return new arrow.Utf8();
    case 'int64':
      return new arrow.Int64();
    case 'float64':
      return new arrow.Float64();
    case 'bool':
      return new arrow.Bool();
    case 'timestamp_ns':
      return new arrow.Timestamp(arrow.TimeUnit.NANOSECOND, 'UTC');
  }
}

/** The Arrow schema of a table. */
export function arrowSchema(
  lance: Lance,
  columns: readonly Column[],
  metadata: ReadonlyMap<string, string>,
): Arrow.Schema {
  const fields = columns.map(
    (column) =>
      new lance.arrow.Field(
        column.name,
        arrowType(lance, column),
        column.nullable,
        column.type === 'utf8' ? new Map(TEXT_ENCODING) : undefined,
      ),
  );
  return new lance.arrow.Schema(fields, new Map(metadata));
}
