import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectIssues, type Issue, type Report, type Storyline } from '@pchronicle/storyline-core';
import type { MigrateOptions } from '../artifact/migrate.ts';
import type { VersionOf } from '../mapping/artifact-of-storyline.ts';
import { versionToWrite } from '../writer.ts';
import { type Database, type OpenDatabase, sqliteEngine } from './engine.ts';
import { runToRows } from './run-to-rows.ts';
import { RECORDER_SCHEMA, TRACER_SCHEMA } from './schema.ts';
import { tableWriter } from './write-tables.ts';

/** Options of {@link writeForklineDatabase}. */
export interface WriteDatabaseOptions extends MigrateOptions {
  /** Replace a file that is there; default false: then an existing file is an error of the file system (EEXIST). */
  readonly overwrite?: boolean;
  /** The engine; default as for reading. */
  readonly engine?: OpenDatabase;
}

/** What became of a database. */
export interface WrittenDatabase {
  /** Which layout was written; `undefined` when there was nothing to write. */
  readonly model: 'recorder' | 'tracer' | undefined;
  readonly runs: number;
  readonly issues: readonly Issue[];
}

/**
 * Writes Storylines as a database that Forkline opens (decision F5): the recorder's layout, or the tracer's where the Storylines hold step
 * tables. Built in a temporary folder and put in place when it is complete; after an error issue nothing is put in place.
 */
export async function writeForklineDatabase(
  path: string,
  storylines: Iterable<Storyline> | AsyncIterable<Storyline>,
  options: WriteDatabaseOptions = {},
): Promise<WrittenDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'pchronicle-forkline-'));
  const built = join(folder, 'database');
  try {
    const { report, issues, failed } = collectIssues();
    const database = (options.engine ?? sqliteEngine())(built);
    let written: { readonly model: WrittenDatabase['model']; readonly runs: number };
    try {
      written = await fill(database, storylines, databaseVersion(versionToWrite(options)), report);
    } finally {
      database.close();
    }
    if (!failed()) await putInPlace(built, path, options.overwrite === true);
    return { ...written, issues };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row of recording_v0 has the columns of 1.0, so it keeps its name; 0.1 has no way back to Forkline and takes that name too. */
function databaseVersion(versionOf: VersionOf): VersionOf {
  return (version) => (version === 'recording_v0' || version === '0.1' ? 'recording_v0' : versionOf(version));
}

async function fill(
  database: Database,
  storylines: Iterable<Storyline> | AsyncIterable<Storyline>,
  versionOf: VersionOf,
  report: Report,
): Promise<{ readonly model: WrittenDatabase['model']; readonly runs: number }> {
  let writer: ReturnType<typeof tableWriter> | undefined;
  let model: WrittenDatabase['model'];
  let runs = 0;
  // Forkline declares a foreign key and never turns it on; events without a run go back as they came.
  database.exec('PRAGMA foreign_keys = OFF');
  database.exec('BEGIN');
  for await (const storyline of storylines) {
    const rows = runToRows(storyline, versionOf, report);
    if (rows === undefined) continue;
    if (writer === undefined) {
      model = rows.model;
      for (const sql of model === 'tracer' ? TRACER_SCHEMA : RECORDER_SCHEMA) database.exec(sql);
      writer = tableWriter(database, model, report);
    }
    if (rows.model !== model) {
      const message = `the run ${JSON.stringify(rows.run.run_id)} belongs to the ${rows.model}, the runs before it to the ${model}; one database holds one kind`;
      report('error', 'forkline/mixed-models', '', message);
      continue;
    }
    writer.write(rows);
    runs += 1;
  }
  if (writer === undefined) {
    for (const sql of RECORDER_SCHEMA) database.exec(sql);
    model = 'recorder';
  }
  writer?.release();
  database.exec('COMMIT');
  return { model, runs };
}

/** Moves the finished file to its place in one step, across devices too. */
async function putInPlace(built: string, path: string, overwrite: boolean): Promise<void> {
  const beside = `${path}.${randomUUID()}.partial`;
  await copyFile(built, beside, constants.COPYFILE_EXCL);
  try {
    if (overwrite) await rename(beside, path);
    else await link(beside, path);
  } finally {
    await rm(beside, { force: true });
  }
}
