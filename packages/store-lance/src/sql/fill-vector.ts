import duckdb from '@duckdb/node-bindings';
import type { ColumnType } from '@pchronicle/storyline-core';
import type { ScanColumn } from './messages.ts';

/** Rows of one vector of DuckDB. */
export const VECTOR_ROWS = 2_048;

/** DuckDB's string: 16 bytes, of which 4 are the length; up to 12 bytes of text lie inside, longer text elsewhere. */
const STRING_BYTES = 16;
const INLINE_BYTES = 12;
const strings = Buffer.from(new ArrayBuffer(VECTOR_ROWS * STRING_BYTES));

/** Copies rows `first` to `first + rows` of a column into a vector of DuckDB. */
export function fillVector(
  vector: duckdb.Vector,
  column: ScanColumn,
  type: ColumnType,
  first: number,
  rows: number,
): void {
  if (column.validity !== undefined) fillValidity(vector, column.validity, column.offset + first, rows);
  if (type === 'utf8') fillText(vector, column, first, rows);
  else if (type === 'bool') fillBooleans(vector, column, first, rows);
  else {
    const { data } = column;
    duckdb.copy_data_to_vector(vector, 0, data.buffer as ArrayBuffer, data.byteOffset + first * 8, rows * 8);
  }
}

function fillValidity(vector: duckdb.Vector, bits: Uint8Array, first: number, rows: number): void {
  const mask = new Uint8Array(VECTOR_ROWS / 8);
  for (let index = 0; index < rows; index += 1) {
    const at = first + index;
    if (((bits[at >> 3] ?? 0) >> (at & 7)) & 1)
      mask[index >> 3] = (mask[index >> 3] ?? 0) | (1 << (index & 7));
  }
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, mask.buffer, 0, mask.byteLength);
}

function fillText(vector: duckdb.Vector, column: ScanColumn, first: number, rows: number): void {
  const { offsets } = column;
  const data = column.data as Uint8Array;
  if (offsets === undefined) return;
  strings.fill(0, 0, rows * STRING_BYTES);
  let long = false;
  for (let index = 0; index < rows; index += 1) {
    const start = Number(offsets[first + index]);
    const length = Number(offsets[first + index + 1]) - start;
    if (length > INLINE_BYTES) {
      long = true;
      continue;
    }
    const at = index * STRING_BYTES;
    strings[at] = length;
    for (let byte = 0; byte < length; byte += 1) strings[at + 4 + byte] = data[start + byte] ?? 0;
  }
  duckdb.copy_data_to_vector(
    vector,
    0,
    strings.buffer as ArrayBuffer,
    strings.byteOffset,
    rows * STRING_BYTES,
  );
  if (!long) return;
  for (let index = 0; index < rows; index += 1) {
    const start = Number(offsets[first + index]);
    const end = Number(offsets[first + index + 1]);
    if (end - start > INLINE_BYTES)
      duckdb.vector_assign_string_element_len(vector, index, data.subarray(start, end));
  }
}

function fillBooleans(vector: duckdb.Vector, column: ScanColumn, first: number, rows: number): void {
  const bits = column.data as Uint8Array;
  const bytes = new Uint8Array(rows);
  for (let index = 0; index < rows; index += 1) {
    const at = column.offset + first + index;
    bytes[index] = ((bits[at >> 3] ?? 0) >> (at & 7)) & 1;
  }
  duckdb.copy_data_to_vector(vector, 0, bytes.buffer, 0, rows);
}
