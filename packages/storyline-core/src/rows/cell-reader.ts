import { integerFromBigInt } from '../json/number.ts';
import { getOwn, isJsonObject, type Json, type JsonObject } from '../json/value.ts';
import type { Cell, TableName } from './column.ts';
import type { RunRow, StepRow, ToolCallRow } from './columns.ts';
import { parseCell } from './parse-cell.ts';

/** Reads the cells of one row; each gives `undefined` for null. */
export interface CellReader {
  text(column: string): string | undefined;
  integer(column: string): Json | undefined;
  boolean(column: string): boolean | undefined;
  json(column: string): Json | undefined;
}

/** The reader of a row; a cell that holds no JSON text where it should is told to `fail`. */
export function cellReader(
  table: TableName,
  row: RunRow | StepRow | ToolCallRow,
  pointer: string,
  fail: (pointer: string, message: string) => void,
): CellReader {
  const parse = (column: string, text: string): Json | undefined => {
    const value = parseCell(text);
    if (value === undefined) fail(pointer, `the column ${column} of ${table} holds no JSON text`);
    return value;
  };
  let exact: JsonObject = {};
  if (row.exact_json !== null) {
    const parsed = parse('exact_json', row.exact_json);
    if (isJsonObject(parsed)) exact = parsed;
  }
  const cellOf = (column: string): Cell | undefined =>
    (row as { readonly [column: string]: Cell | undefined })[column];
  const exactOf = (column: string): Json | undefined => {
    const text = getOwn(exact, column);
    return typeof text === 'string' ? parse('exact_json', text) : undefined;
  };
  return {
    text(column) {
      const cell = cellOf(column);
      if (typeof cell !== 'string') return undefined;
      const value = exactOf(column);
      return typeof value === 'string' ? value : cell;
    },
    integer(column) {
      const cell = cellOf(column);
      return typeof cell === 'bigint' ? (exactOf(column) ?? integerFromBigInt(cell)) : undefined;
    },
    boolean(column) {
      const cell = cellOf(column);
      return typeof cell === 'boolean' ? cell : undefined;
    },
    json(column) {
      const cell = cellOf(column);
      return typeof cell === 'string' ? (exactOf(column) ?? parse(column, cell)) : undefined;
    },
  };
}
