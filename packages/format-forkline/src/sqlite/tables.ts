import { type Issue, IssueError } from '@pchronicle/storyline-core';
import type { Database } from './engine.ts';
import { quoteName } from './exact-row.ts';

/** What kind of Forkline database a file is, judged by the columns of `runs` (forkline-notes §1.2). */
export interface Tables {
  readonly model: 'recorder' | 'tracer';
  readonly runColumns: readonly string[];
  readonly eventColumns: readonly string[];
  readonly stepColumns: readonly string[];
  /** Label for TextDecoder. */
  readonly encoding: string;
  /** Whether this SQLite has `octet_length` (3.43 on). */
  readonly hasOctetLength: boolean;
  /** Tables that Forkline does not have. */
  readonly otherTables: readonly string[];
}

const ENCODINGS: { readonly [pragma: string]: string } = {
  'UTF-8': 'utf-8',
  'UTF-16le': 'utf-16le',
  'UTF-16be': 'utf-16be',
};

/** Looks at the tables of a database; throws an IssueError when it is none of Forkline's. */
export function inspectTables(database: Database, source: string): Tables {
  const names = [...database.iterate(`SELECT name FROM sqlite_master WHERE type = 'table'`)].map(({ name }) =>
    String(name),
  );
  const columnsOf = (table: string): readonly string[] =>
    names.includes(table)
      ? [...database.iterate(`SELECT name FROM pragma_table_info('${table}')`)].map(({ name }) =>
          String(name),
        )
      : [];
  const runColumns = columnsOf('runs');
  const eventColumns = columnsOf('events');
  const model = runColumns.includes('created_at')
    ? 'tracer'
    : runColumns.includes('entrypoint')
      ? 'recorder'
      : undefined;
  const needed =
    model === 'tracer'
      ? ['run_id', 'step_idx', 'type', 'payload_json', 'created_at']
      : ['run_id', 'ts', 'type', 'payload'];
  const missing = needed.filter((column) => !eventColumns.includes(column));
  if (model === undefined || !runColumns.includes('run_id') || missing.length > 0) {
    const what =
      model === undefined
        ? `a table runs with entrypoint or created_at was expected; there are the tables ${names.map(quoteName).join(', ') || '(none)'}`
        : `its table events lacks ${missing.join(', ') || 'nothing'}`;
    const issue: Issue = {
      code: 'forkline/not-a-forkline-database',
      severity: 'error',
      message: `this SQLite database is not one of Forkline's: ${what}`,
      at: { source, pointer: '' },
    };
    throw new IssueError([issue]);
  }
  const [encoding] = [...database.iterate('PRAGMA encoding')];
  return {
    model,
    runColumns,
    eventColumns,
    stepColumns: columnsOf('steps'),
    hasOctetLength: hasFunction(database, 'octet_length'),
    encoding: ENCODINGS[String(encoding?.encoding)] ?? 'utf-8',
    otherTables: names.filter(
      (name) => !['runs', 'events', 'steps'].includes(name) && !name.startsWith('sqlite_'),
    ),
  };
}

function hasFunction(database: Database, name: string): boolean {
  const sql = 'SELECT 1 AS found FROM pragma_function_list WHERE name = ? LIMIT 1';
  return [...database.iterate(sql, [name])].length > 0;
}
