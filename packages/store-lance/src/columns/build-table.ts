import type * as Arrow from 'apache-arrow';
import type { Lance } from '../lance/load-lance.ts';
import type { Cell, Column, Row } from './column.ts';
import { arrowSchema, arrowType } from './schema.ts';

/**
 * Builds an Arrow table of rows, column by column into typed arrays (twice as fast as Arrow's builders).
 * Boolean columns without any value are left out, which Lance reads as null: Arrow writes no bits for them, and Lance refuses that.
 */
export function buildTable(lance: Lance, columns: readonly Column[], rows: readonly Row[]): Arrow.Table {
  const { arrow } = lance;
  const used = columns.filter(
    (column) => column.type !== 'bool' || rows.some((row) => (row[column.name] ?? null) !== null),
  );
  const schema = arrowSchema(lance, used, new Map());
  const children = used.map((column) => buildColumn(lance, column, rows));
  const struct = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children,
  });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

function buildColumn(lance: Lance, column: Column, rows: readonly Row[]): Arrow.Data {
  switch (column.type) {
    case 'utf8':
      return buildText(lance, column, rows);
    case 'bool':
      return buildBooleans(lance, column, rows);
    default:
      return buildNumbers(lance, column, rows);
  }
}

/** Which rows have a value: one bit a row, least significant first. */
interface Presence {
  readonly bits: Uint8Array;
  absent: number;
}

function presence(rows: readonly Row[]): Presence {
  return { bits: new Uint8Array((rows.length + 7) >> 3), absent: 0 };
}

function mark(present: Presence, index: number, column: Column, cell: Cell | undefined): boolean {
  if (cell === null || cell === undefined) {
    if (!column.nullable)
      throw new TypeError(`row ${index} has no value for column "${column.name}", which needs one`);
    present.absent += 1;
    return false;
  }
  present.bits[index >> 3] = (present.bits[index >> 3] ?? 0) | (1 << (index & 7));
  return true;
}

function validity(present: Presence): { nullCount: number; nullBitmap: Uint8Array | null } {
  return { nullCount: present.absent, nullBitmap: present.absent === 0 ? null : present.bits };
}

function buildText({ arrow }: Lance, column: Column, rows: readonly Row[]): Arrow.Data {
  const present = presence(rows);
  const offsets = new Int32Array(rows.length + 1);
  // As long as the text is ASCII this is exact; what goes beyond grows it.
  let expected = 0;
  for (const row of rows) {
    const cell = row[column.name];
    if (typeof cell === 'string') expected += cell.length;
  }
  let bytes = Buffer.allocUnsafe(Math.max(1024, expected));
  let end = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const cell = rows[index]?.[column.name];
    if (mark(present, index, column, cell)) {
      if (typeof cell !== 'string')
        throw new TypeError(`column "${column.name}" takes text, row ${index} has a ${typeof cell}`);
      // A UTF-16 unit takes at most three bytes: only when that might not fit is the exact length worth computing.
      if (cell.length * 3 > bytes.length - end) {
        const needed = end + Buffer.byteLength(cell);
        if (needed > bytes.length) {
          const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(bytes.length * 1.5)));
          bytes.copy(larger, 0, 0, end);
          bytes = larger;
        }
      }
      end += bytes.write(cell, end);
    }
    offsets[index + 1] = end;
  }
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: rows.length,
    ...validity(present),
    valueOffsets: offsets,
    data: bytes.subarray(0, end),
  });
}

function buildBooleans({ arrow }: Lance, column: Column, rows: readonly Row[]): Arrow.Data {
  const present = presence(rows);
  const data = new Uint8Array((rows.length + 7) >> 3);
  for (let index = 0; index < rows.length; index += 1) {
    const cell = rows[index]?.[column.name];
    if (!mark(present, index, column, cell)) continue;
    if (typeof cell !== 'boolean')
      throw new TypeError(`column "${column.name}" takes booleans, row ${index} has a ${typeof cell}`);
    if (cell) data[index >> 3] = (data[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return arrow.makeData({ type: new arrow.Bool(), length: rows.length, ...validity(present), data });
}

function buildNumbers(lance: Lance, column: Column, rows: readonly Row[]): Arrow.Data {
  const present = presence(rows);
  const integers = column.type !== 'float64';
  const data = integers ? new BigInt64Array(rows.length) : new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    const cell = rows[index]?.[column.name];
    if (!mark(present, index, column, cell)) continue;
    if (data instanceof BigInt64Array) data[index] = integer(column, index, cell);
    else if (typeof cell === 'number') data[index] = cell;
    else throw new TypeError(`column "${column.name}" takes numbers, row ${index} has a ${typeof cell}`);
  }
  const type = arrowType(lance, column) as Arrow.Int64 | Arrow.Float64;
  return lance.arrow.makeData({ type, length: rows.length, ...validity(present), data } as Parameters<
    typeof lance.arrow.makeData
  >[0]);
}

function integer(column: Column, index: number, cell: Cell | undefined): bigint {
  if (typeof cell === 'number' && Number.isSafeInteger(cell)) return BigInt(cell);
  // A typed array would wrap a number past 64 bits around in silence.
  if (typeof cell === 'bigint' && BigInt.asIntN(64, cell) === cell) return cell;
  throw new TypeError(
    `column "${column.name}" takes 64-bit integers, row ${index} has ${typeof cell} ${String(cell)}`,
  );
}
