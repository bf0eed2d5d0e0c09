import { collectIssues, IssueError, type Json, type Storyline } from '@pchronicle/storyline-core';
import { migrateArtifact } from '../artifact/migrate.ts';
import type { DatabaseRun } from '../mapping/database-run.ts';
import { buildStoryline } from '../reader.ts';
import type { Side } from './diff-events.ts';
import { eventJson } from './event-json.ts';
import { eventRows, ownerOf } from './read-events.ts';
import { stepRows } from './read-runs.ts';

/**
 * The Storyline of a run without its first `skip` events, which are not even parsed: what a comparison needs of two long runs that begin
 * alike. Throws an IssueError with every error of the run.
 */
export function tailOf(side: Side, skip: number): Storyline {
  const { database, tables, run, at } = side;
  const { report, issues } = collectIssues({ source: at.source ?? '', record: run.ordinal + 1 });
  const fromDatabase: DatabaseRun = {
    model: tables.model,
    steps: stepRows(database, tables, run),
    defaulted: run.defaulted,
    orphaned: run.orphaned,
    issues: run.issues,
  };
  const migrated = migrateArtifact(run.head, report);
  const storyline =
    migrated === undefined
      ? undefined
      : buildStoryline(
          migrated.artifact,
          migrated.sourceVersion,
          { python: true, lenient: false, database: fromDatabase },
          report,
          eventsAfter(side, skip),
        );
  if (storyline === undefined) throw new IssueError(issues.filter(({ severity }) => severity === 'error'));
  return storyline;
}

function* eventsAfter({ database, tables, run, at }: Side, skip: number): Generator<Json> {
  const from =
    tables.model === 'recorder' && skip > 0 ? rowAt({ database, tables, run, at }, skip) : undefined;
  if (from === null) return;
  const start = from === undefined ? undefined : { rowid: from, position: skip };
  for (const row of eventRows(database, tables, run, at, start)) {
    if (row.position >= skip) yield eventJson(row, at);
  }
}

/** The row id of the event at a position; null behind the last. */
function rowAt({ database, run }: Side, position: number): bigint | null {
  const sql = `SELECT rowid AS id FROM events WHERE run_id = ${ownerOf(run)} ORDER BY rowid LIMIT 1 OFFSET ?2`;
  const [row] = [...database.iterate(sql, [run.rowid, position])];
  return typeof row?.id === 'number' || typeof row?.id === 'bigint' ? BigInt(row.id) : null;
}
