import type * as Arrow from 'apache-arrow';
import type { Cell, ColumnType, Row } from './column.ts';

/** Gives the cell of a row. */
export type Getter = (index: number) => Cell;

/** Reads the rows of a batch. Integers and times come as bigint; columns of a type that the store does not know are left out. */
export function* readBatch(batch: Arrow.RecordBatch): Generator<Row> {
  const getters = [...columnsOf(batch)];
  // Copied for each row: an object that is made at once is smaller and faster than one that grows by thirty columns.
  const empty: { [column: string]: Cell } = {};
  for (const [name] of getters) empty[name] = null;
  for (let index = 0; index < batch.numRows; index += 1) {
    const row = { ...empty };
    for (const [name, get] of getters) row[name] = get(index);
    yield row;
  }
}

/** Reads cells of a batch by column and number of the row: what is read of many rows and few columns needs no row objects. */
export function columnsOf(batch: Arrow.RecordBatch): ReadonlyMap<string, Getter> {
  const getters = new Map<string, Getter>();
  for (const [position, field] of batch.schema.fields.entries()) {
    const data = batch.data.children[position];
    const getter = data === undefined ? undefined : getterOf(data);
    if (getter !== undefined) getters.set(field.name, getter);
  }
  return getters;
}

/** The store's name for an Arrow type, or `undefined` for one it does not use. */
export function columnTypeOf(type: Arrow.DataType): ColumnType | undefined {
  switch (type.toString()) {
    case 'Utf8':
    case 'LargeUtf8':
      return 'utf8';
    case 'Int64':
    case 'Uint64':
      return 'int64';
    case 'Float64':
    case 'Float32':
      return 'float64';
    case 'Bool':
      return 'bool';
    default:
      return type.toString().startsWith('Timestamp<NANOSECOND') ? 'timestamp_ns' : undefined;
  }
}

function getterOf(data: Arrow.Data): Getter | undefined {
  const value = valueGetter(data);
  if (value === undefined) return undefined;
  const bits = data.nullCount > 0 ? data.nullBitmap : undefined;
  if (bits === undefined || bits.length === 0) return value;
  const offset = data.offset;
  return (index) =>
    ((bits[(index + offset) >> 3] ?? 0) >> ((index + offset) & 7)) & 1 ? value(index) : null;
}

function valueGetter(data: Arrow.Data): Getter | undefined {
  const values: unknown = data.values;
  switch (columnTypeOf(data.type)) {
    case 'utf8': {
      const bytes = values as Uint8Array;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const offsets: { readonly [index: number]: number | bigint | undefined } = data.valueOffsets;
      return (index) => text.toString('utf8', Number(offsets[index]), Number(offsets[index + 1]));
    }
    case 'int64':
    case 'timestamp_ns': {
      const numbers = values as BigInt64Array;
      return (index) => numbers[index] ?? 0n;
    }
    case 'float64': {
      const numbers = values as Float64Array;
      return (index) => numbers[index] ?? 0;
    }
    case 'bool': {
      const bits = values as Uint8Array;
      const offset = data.offset;
      return (index) => (((bits[(index + offset) >> 3] ?? 0) >> ((index + offset) & 7)) & 1) === 1;
    }
    default:
      return undefined;
  }
}
