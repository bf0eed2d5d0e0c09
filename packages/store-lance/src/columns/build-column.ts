import type * as Arrow from 'apache-arrow';
import type { Lance } from '../lance/load-lance.ts';
import type { Cell, Column } from './column.ts';
import { arrowType } from './schema.ts';

/** Takes the cells of one column into buffers as Arrow has them. */
export interface ColumnBuilder {
  readonly column: Column;
  /** Adds the cell of row `index`, the next one; gives the bytes of text it took. */
  append(cell: Cell | undefined, index: number): number;
  /** Whether any row has a value. */
  filled(): boolean;
  /** The column of the first `length` rows; valid until it is cleared. */
  build(length: number): Arrow.Data;
  clear(): void;
}

/** Makes a builder of a column. */
export function columnBuilder(lance: Lance, column: Column): ColumnBuilder {
  switch (column.type) {
    case 'utf8':
      return textBuilder(lance, column);
    case 'bool':
      return booleanBuilder(lance, column);
    default:
      return numberBuilder(lance, column);
  }
}

/** Rows, and bytes of text, that the first buffers hold. */
const FIRST_ROWS = 1024;
const FIRST_BYTES = 16 * 1024;
/** Buffers for text that are larger are let go of when a builder is cleared. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Which rows have a value: one bit a row, least significant first. */
interface Presence {
  /** Notes whether a row has a value; throws where it needs one. */
  mark(cell: Cell | undefined, index: number): boolean;
  absent(): number;
  bitmap(): { readonly nullCount: number; readonly nullBitmap: Uint8Array | null };
  clear(): void;
}

function presence(column: Column): Presence {
  let bits = new Uint8Array(FIRST_ROWS >> 3);
  let absent = 0;
  return {
    mark(cell, index) {
      if (index >> 3 >= bits.length) bits = grown(bits, new Uint8Array(bits.length * 2));
      if (cell === null || cell === undefined) {
        if (!column.nullable)
          throw new TypeError(`row ${index} has no value for column "${column.name}", which needs one`);
        absent += 1;
        return false;
      }
      bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
      return true;
    },
    absent: () => absent,
    bitmap: () => ({ nullCount: absent, nullBitmap: absent === 0 ? null : bits }),
    clear() {
      bits.fill(0);
      absent = 0;
    },
  };
}

function grown<Buffer extends { set(from: Buffer): void }>(from: Buffer, larger: Buffer): Buffer {
  larger.set(from);
  return larger;
}

function textBuilder({ arrow }: Lance, column: Column): ColumnBuilder {
  const present = presence(column);
  let offsets = new Int32Array(FIRST_ROWS + 1);
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let end = 0;
  let rows = 0;
  return {
    column,
    append(cell, index) {
      if (index + 2 > offsets.length) offsets = grown(offsets, new Int32Array(offsets.length * 2));
      const start = end;
      if (present.mark(cell, index)) {
        if (typeof cell !== 'string')
          throw new TypeError(`column "${column.name}" takes text, row ${index} has a ${typeof cell}`);
        // A UTF-16 unit takes at most three bytes: only when that might not fit is the exact length worth computing.
        if (cell.length * 3 > bytes.length - end) {
          const needed = end + Buffer.byteLength(cell);
          if (needed > bytes.length)
            bytes = grown(bytes, Buffer.allocUnsafeSlow(Math.max(needed, Math.ceil(bytes.length * 2))));
        }
        end += bytes.write(cell, end);
      }
      rows = index + 1;
      offsets[rows] = end;
      return end - start;
    },
    filled: () => present.absent() < rows,
    build: (length) =>
      arrow.makeData({
        type: new arrow.Utf8(),
        length,
        ...present.bitmap(),
        valueOffsets: offsets.subarray(0, length + 1),
        data: bytes.subarray(0, end),
      }),
    clear() {
      present.clear();
      if (bytes.length > KEPT_BYTES) bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
      end = 0;
      rows = 0;
    },
  };
}

function booleanBuilder({ arrow }: Lance, column: Column): ColumnBuilder {
  const present = presence(column);
  let bits = new Uint8Array(FIRST_ROWS >> 3);
  let rows = 0;
  return {
    column,
    append(cell, index) {
      rows = index + 1;
      if (index >> 3 >= bits.length) bits = grown(bits, new Uint8Array(bits.length * 2));
      if (!present.mark(cell, index)) return 0;
      if (typeof cell !== 'boolean')
        throw new TypeError(`column "${column.name}" takes booleans, row ${index} has a ${typeof cell}`);
      if (cell) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
      return 0;
    },
    filled: () => present.absent() < rows,
    build: (length) =>
      arrow.makeData({
        type: new arrow.Bool(),
        length,
        ...present.bitmap(),
        data: bits.subarray(0, (length + 7) >> 3),
      }),
    clear() {
      present.clear();
      bits.fill(0);
      rows = 0;
    },
  };
}

function numberBuilder(lance: Lance, column: Column): ColumnBuilder {
  const present = presence(column);
  const type = arrowType(lance, column) as Arrow.Int64 | Arrow.Float64;
  const made = (size: number) =>
    column.type === 'float64' ? new Float64Array(size) : new BigInt64Array(size);
  let data = made(FIRST_ROWS);
  let rows = 0;
  return {
    column,
    append(cell, index) {
      rows = index + 1;
      if (index >= data.length) {
        const larger = made(data.length * 2);
        if (larger instanceof BigInt64Array) larger.set(data as BigInt64Array);
        else larger.set(data as Float64Array);
        data = larger;
      }
      const there = present.mark(cell, index);
      if (data instanceof BigInt64Array) data[index] = there ? integer(column, index, cell) : 0n;
      else if (!there) data[index] = 0;
      else if (typeof cell === 'number') data[index] = cell;
      else throw new TypeError(`column "${column.name}" takes numbers, row ${index} has a ${typeof cell}`);
      return 0;
    },
    filled: () => present.absent() < rows,
    build: (length) =>
      lance.arrow.makeData({
        type,
        length,
        ...present.bitmap(),
        data: data.subarray(0, length),
      } as Parameters<typeof lance.arrow.makeData>[0]),
    clear() {
      present.clear();
      rows = 0;
    },
  };
}

function integer(column: Column, index: number, cell: Cell | undefined): bigint {
  if (typeof cell === 'number' && Number.isSafeInteger(cell)) return BigInt(cell);
  // A typed array would wrap a number past 64 bits around in silence.
  if (typeof cell === 'bigint' && BigInt.asIntN(64, cell) === cell) return cell;
  throw new TypeError(
    `column "${column.name}" takes 64-bit integers, row ${index} has ${typeof cell} ${String(cell)}`,
  );
}
