import {
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';

/** A moment as RFC 3339 text in UTC; `undefined` for what is none. Infinities, and years that RFC 3339 cannot write, as DuckDB writes them. */
export function timeText(value: DuckDBValue): string | undefined {
  if (!isTime(value)) return undefined;
  // DuckDB's text of one with a zone is in that of the machine.
  const text = String(
    value instanceof DuckDBTimestampTZValue ? new DuckDBTimestampValue(value.micros) : value,
  );
  return /^\d{4}-\d\d-\d\d \d/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
}

function isTime(value: DuckDBValue): boolean {
  return (
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampNanosecondsValue ||
    value instanceof DuckDBTimestampTZValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue
  );
}
