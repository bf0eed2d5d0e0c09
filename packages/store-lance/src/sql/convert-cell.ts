import { type DuckDBType, DuckDBTypeId, type DuckDBValue, JsonDuckDBValueConverter } from '@duckdb/node-api';
import type { SqlCell } from './messages.ts';
import { timeText } from './time-text.ts';

/** Turns a value of DuckDB into one that can be posted and printed: nothing is rounded. */
export function convertCell(value: DuckDBValue, type: DuckDBType): SqlCell {
  if (value === null) return null;
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  if (type.typeId === DuckDBTypeId.DECIMAL) {
    const text = String(value);
    // A decimal that a double holds exactly prints as the number it is.
    return String(Number(text)) === text.replace(/\.?0+$/, '') ? Number(text) : text;
  }
  return (
    timeText(value) ??
    (
      JsonDuckDBValueConverter as unknown as (
        value: DuckDBValue,
        type: DuckDBType,
        converter: unknown,
      ) => SqlCell
    )(value, type, convertNested)
  );
}

function convertNested(value: DuckDBValue, type: DuckDBType): SqlCell {
  return convertCell(value, type);
}
