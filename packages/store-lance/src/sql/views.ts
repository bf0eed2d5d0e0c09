import type { ColumnType } from '@pchronicle/storyline-core';
import type { SqlTable } from './messages.ts';

/** Name of the table function that scans a table, rows that do not count included. */
export function scanName(table: string): string {
  return `pchronicle_${table}`;
}

/** What a session is restricted to. */
export interface ViewFilters {
  /** Condition on `document_key` in any of the tables: few keys. */
  readonly keys?: string;
  /** Condition on `runs`: many documents. */
  readonly condition?: string;
}

/** DuckDB's names of the types of columns. */
const SQL_TYPES: { readonly [type in ColumnType]: string } = {
  utf8: 'VARCHAR',
  int64: 'BIGINT',
  float64: 'DOUBLE',
  bool: 'BOOLEAN',
  timestamp_ns: 'TIMESTAMP_NS',
};

/** Runs a statement and gives its rows. */
export type RunSql = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/**
 * Makes the views `runs`, `steps` and `tool_calls`: only rows that count (docs/store.md). The newest rows are found once and kept;
 * steps and calls are compared with them by ingest id, and not at all when every row of the table counts.
 */
export async function createViews(
  run: RunSql,
  tables: readonly SqlTable[],
  filters: ViewFilters,
): Promise<void> {
  const { keys, condition } = filters;
  const scan = (table: string, filter?: string): string =>
    filter === undefined
      ? `${scanName(table)}()`
      : `${scanName(table)}(filter := '${filter.replaceAll("'", "''")}')`;
  // In a schema of its own: SHOW TABLES lists what people may ask.
  await run('CREATE SCHEMA pchronicle');
  await run(`
    CREATE TABLE pchronicle.live AS
      SELECT ingest_id, step_count, tool_call_count FROM (
        SELECT ingest_id, deleted, step_count, tool_call_count,
          row_number() OVER (PARTITION BY document_key ORDER BY revision DESC, ingest_id DESC) AS position
        FROM ${scan('runs', keys)}
      ) WHERE position = 1 AND NOT deleted`);
  if (condition !== undefined) {
    // A row that was replaced may meet the condition too: first the newest, then the condition.
    await run(
      `DELETE FROM pchronicle.live WHERE ingest_id NOT IN (SELECT ingest_id FROM ${scan('runs', condition)})`,
    );
  }
  const [[live, steps, calls] = []] = await run(
    'SELECT count(*), coalesce(sum(step_count), 0), coalesce(sum(tool_call_count), 0) FROM pchronicle.live',
  );
  const counted: { readonly [name: string]: unknown } = { runs: live, steps, tool_calls: calls };
  for (const { name, rows, absent } of tables) {
    const filter = name === 'runs' ? (keys ?? condition) : keys;
    const all = Number(counted[name]) === rows;
    const where = all ? '' : ' WHERE ingest_id IN (SELECT ingest_id FROM pchronicle.live)';
    // The same statements may be asked of every store.
    const columns = [
      name === 'runs' ? '* EXCLUDE (deleted)' : '*',
      ...absent.map((column) => `NULL::${SQL_TYPES[column.type]} AS ${column.name}`),
    ];
    await run(`CREATE VIEW ${name} AS SELECT ${columns.join(', ')} FROM ${scan(name, filter)}${where}`);
  }
}
