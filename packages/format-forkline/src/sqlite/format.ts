import {
  type Container,
  type Detection,
  type ExternalDocument,
  type Format,
  type Head,
  IssueError,
  type RecordValue,
  type Source,
} from '@pchronicle/storyline-core';
import type { MigrateOptions } from '../artifact/migrate.ts';
import { detect, isSqlite, SQLITE_MAGIC } from '../detect.ts';
import { createForkline } from '../format.ts';
import { rememberDatabaseRun } from '../mapping/database-run.ts';
import { eventJson } from './event-json.ts';
import { type ForklineDatabase, openForklineDatabase } from './forkline-database.ts';
import type { RunRow } from './read-runs.ts';

/** How Forkline databases lie in bytes: SQLite files, opened by this package. */
export const SQLITE_CONTAINER: Container = { kind: 'external', magic: SQLITE_MAGIC, open };

/** Makes the format that reads artifacts in JSON and databases, with migrations or a compatibility mode of its own. */
export function createForklineWithSqlite(options: MigrateOptions = {}): Format {
  const json = createForkline(options);
  return {
    ...json,
    title: 'Forkline run artifact or database',
    extensions: [...json.extensions, '.db'],
    containers: [...json.containers, SQLITE_CONTAINER],
    detect: detectAny,
  };
}

/** Forkline artifacts in JSON, and `runs.db` and `forkline.db` of every version (decisions F3, F6). */
export const forklineWithSqlite: Format = createForklineWithSqlite();

function detectAny(head: Head): Detection {
  if (!isSqlite(head)) return detect(head);
  // Which tables there are is seen when it is opened; no other format here is a database.
  return { confidence: 'yes', why: 'a SQLite database' };
}

/** Opens a database and hands out its runs, each with its events one by one; whatever ends the iteration, the copy is removed. */
async function* open(source: Source): AsyncGenerator<ExternalDocument> {
  const database = await openForklineDatabase(source);
  try {
    for (const run of database.runs) yield documentOf(database, run, source.name);
  } finally {
    await database.close();
  }
}

function documentOf(database: ForklineDatabase, run: RunRow, source: string): ExternalDocument {
  const at = { source, record: run.ordinal + 1, pointer: '' };
  const aboutFile = run.ordinal === 0 ? database.issues : [];
  return {
    root: run.head,
    at,
    *values(): Generator<RecordValue> {
      if (run.issues.some(({ severity }) => severity === 'error')) throw new IssueError(run.issues);
      rememberDatabaseRun(run.head, {
        model: database.model,
        steps: database.steps(run),
        defaulted: run.defaulted,
        orphaned: run.orphaned,
        issues: [...aboutFile, ...run.issues],
      });
      yield { value: run.head, index: 0, at };
      for (const event of database.events(run)) {
        const value = eventJson(event, at);
        yield { value, index: event.position, at: { ...at, pointer: `/events/${event.position}` } };
      }
    },
  };
}
