import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectIssues, type Issue, type Report, type Storyline } from '@pchronicle/storyline-core';
import type { MigrateOptions } from '../artifact/migrate.ts';
import type { VersionOf } from '../mapping/artifact-of-storyline.ts';
import { versionToWrite } from '../writer.ts';
import { type Cell, type Database, type OpenDatabase, sqliteEngine } from './engine.ts';
import { type EventCells, type RunCells, runToRows } from './run-to-rows.ts';
import { RECORDER_SCHEMA, TRACER_SCHEMA } from './schema.ts';

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

const RUN_COLUMNS = {
  recorder: [
    'run_id',
    'schema_version',
    'forkline_version',
    'entrypoint',
    'started_at',
    'ended_at',
    'status',
    'python_version',
    'platform',
    'cwd',
  ],
  tracer: ['run_id', 'created_at', 'forkline_version', 'schema_version'],
} as const;

/** Writes runs into the tables of one layout; ids that are taken already are replaced by the next free ones. */
function tableWriter(database: Database, model: 'recorder' | 'tracer', report: Report) {
  const columns = RUN_COLUMNS[model];
  // Texts may arrive as bytes, because the engines stop at U+0000; the cast makes texts of them again.
  const texts = (count: number): string => Array.from({ length: count }, () => 'CAST(? AS TEXT)').join(', ');
  const run = database.prepare(`INSERT INTO runs (${columns.join(', ')}) VALUES (${texts(columns.length)})`);
  const event = database.prepare(
    model === 'recorder'
      ? `INSERT INTO events (event_id, run_id, ts, type, payload) VALUES (?, ${texts(4)})`
      : `INSERT INTO events (event_id, run_id, created_at, type, payload_json, step_idx) VALUES (?, ${texts(4)}, ?)`,
  );
  const step =
    model === 'tracer'
      ? database.prepare(
          `INSERT INTO steps (step_id, run_id, idx, name, started_at, ended_at) VALUES (?, CAST(? AS TEXT), ?, ${texts(3)})`,
        )
      : undefined;
  const eventIds = idGiver();
  const stepIds = idGiver();
  const runIds = new Set<string>();
  return {
    write(rows: RunCells): void {
      const runId = rows.run.run_id ?? '';
      if (!rows.orphaned && runIds.has(runId)) {
        const message = `two runs have the id ${JSON.stringify(runId)}; a database holds each id once`;
        report('error', 'forkline/repeated-run-id', '/run_id', message);
        return;
      }
      const bind = (text: string | null): Cell => bindText(text, report);
      if (!rows.orphaned) {
        runIds.add(runId);
        run.run(columns.map((column) => bind(rows.run[column] ?? null)));
      }
      const steps = rows.steps.map(({ step_id }) =>
        typeof step_id === 'number' ? BigInt(step_id) : undefined,
      );
      for (const [index, id] of stepIds(steps).ids.entries()) {
        const row = rows.steps[index];
        if (row === undefined || step === undefined) continue;
        const { idx, name, started_at, ended_at } = row;
        step.run([
          id,
          bind(runId),
          cellOf(idx),
          bind(String(name)),
          bind(String(started_at ?? '')),
          bind(ended_at === null ? null : String(ended_at)),
        ]);
      }
      const given = eventIds(rows.events.map(({ id }) => id));
      if (given.renumbered) {
        const message = `event ids of the run ${JSON.stringify(runId)} are taken, repeated or no 64-bit integers; its events are numbered anew`;
        report('info', 'forkline/renumbered-events', '/events', message);
      }
      for (const [index, id] of given.ids.entries()) {
        const cells = rows.events[index] as EventCells;
        const values = [id, bind(cells.runId), bind(cells.ts), bind(cells.type), bind(cells.payload)];
        event.run(model === 'tracer' ? [...values, cells.stepIdx] : values);
      }
    },
    release(): void {
      for (const statement of [run, event, step]) statement?.release();
    },
  };
}

/** Hands out ids that are unique in a table: the wanted ones when all of a run are free, else the next numbers. */
function idGiver() {
  const taken = new Set<bigint>();
  let highest = 0n;
  return (
    wanted: readonly (bigint | undefined)[],
  ): { readonly ids: readonly bigint[]; readonly renumbered: boolean } => {
    const distinct = new Set(wanted);
    const fits = distinct.size === wanted.length && wanted.every((id) => id !== undefined && !taken.has(id));
    const ids = wanted.map((id, index) => (fits && id !== undefined ? id : highest + BigInt(index) + 1n));
    for (const id of ids) {
      taken.add(id);
      if (id > highest) highest = id;
    }
    return { ids, renumbered: !fits };
  };
}

function cellOf(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'string' ? value : 0;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of plain ASCII without U+0000 are safe to bind as they are
const PLAIN = /^[\u0001-\u007f]*$/;

function bindText(text: string | null, report: Report): Cell {
  if (text === null || PLAIN.test(text)) return text;
  if (/\p{Surrogate}/u.test(text)) {
    const message = `a lone surrogate in ${JSON.stringify(text.slice(0, 40))} cannot be stored: SQLite texts are Unicode`;
    report('error', 'forkline/unpaired-surrogate', '', message);
  }
  return new TextEncoder().encode(text);
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
