import {
  collectIssues,
  type Issue,
  IssueError,
  type Json,
  type JsonObject,
  type Source,
} from '@pchronicle/storyline-core';
import type { Tails } from '../artifact/artifact-tails.ts';
import type { EventDiff } from '../diff/event-diff.ts';
import type { TracedRun } from '../diff/steps.ts';
import type { StepRow } from '../mapping/database-run.ts';
import { guarded } from './damage.ts';
import { countEvents, diffEvents, type Side } from './diff-events.ts';
import { type Database, type OpenDatabase, sqliteEngine } from './engine.ts';
import { eventJson } from './event-json.ts';
import { prepareEvents } from './prepare-events.ts';
import { privateCopy } from './private-copy.ts';
import { type EventRow, eventRows } from './read-events.ts';
import { type RunRow, runRows, stepRows } from './read-runs.ts';
import { inspectTables, type Tables } from './tables.ts';
import { tailOf } from './tail.ts';
import { tracedRun } from './traced-run.ts';

/** A Forkline database, open for reading on a private copy. Damage met while reading throws an IssueError with its place. */
export interface ForklineDatabase {
  /** `runs.db` of the recorder or `forkline.db` of the tracer. */
  readonly model: 'recorder' | 'tracer';
  /** What was notable about the file as a whole. */
  readonly issues: readonly Issue[];
  /** The runs in the order in which they were written; then, one for each id, events whose run has no row. */
  readonly runs: readonly RunRow[];
  /** The run with this id; `undefined` when there is none. */
  run(runId: string): RunRow | undefined;
  /** The events of a run one by one, in the order in which Forkline flattens them (decision F3). */
  events(run: RunRow): Iterable<EventRow>;
  /** The step table of a run in the order of its idx; empty for the recorder. */
  steps(run: RunRow): readonly StepRow[];
  /** The run as an artifact of its own version, events included. */
  artifact(run: RunRow): JsonObject;
  /** The run with its steps, for first divergence and replay comparison; of a recorder's run every event is a step, named after its type and tool (forkline-gaps B8). */
  traced(run: RunRow): TracedRun;
  /** Compares a run with one of this or another database, event by event as `forkline diff` does; equal stretches are not even parsed. */
  diffEvents(run: RunRow, other: RunRow, otherDatabase?: ForklineDatabase): EventDiff;
  /**
   * Two runs from a few events before their first difference on, as Storylines for a comparison that aligns them: the equal beginning, however
   * long, is passed over. Equal means the same type and the same payload text; of equal runs the last events are given.
   */
  tails(run: RunRow, other: RunRow, options?: TailOptions): Tails;
  /** Releases the copy. */
  close(): Promise<void>;
}

/** Options of {@link ForklineDatabase.tails}. */
export interface TailOptions {
  /** The database of the other run; default the same. */
  readonly otherDatabase?: ForklineDatabase;
  /** Equal events to keep before the first difference; default 5. */
  readonly context?: number;
}

/**
 * Opens a Forkline database of either model and any version for reading (decision F6): the user's file and folder stay as they are.
 * Throws an IssueError when it is no database, none of Forkline's, or damaged.
 */
export async function openForklineDatabase(
  source: Source,
  open: OpenDatabase = sqliteEngine(),
): Promise<ForklineDatabase> {
  const copy = await privateCopy(source);
  let database: Database | undefined;
  const close = async (): Promise<void> => {
    database?.close();
    database = undefined;
    await copy.remove();
  };
  try {
    if (copy.issues.some(({ severity }) => severity === 'error')) throw new IssueError(copy.issues);
    const at = { source: source.name, pointer: '' };
    const opened = guarded(at, 'the file', () => {
      database = open(copy.path);
      return { database, tables: inspectTables(database, source.name) };
    });
    const { report, issues } = collectIssues({ source: source.name });
    const { tables } = opened;
    if (tables.otherTables.length > 0) {
      const message = `tables that Forkline does not have are left out: ${tables.otherTables.join(', ')}`;
      report('loss', 'forkline/unknown-table', '', message);
    }
    const runs = guarded(at, 'the table of runs', () => {
      prepareEvents(opened.database, tables);
      return [...runRows(opened.database, tables, source.name)];
    });
    return readerOf(opened.database, tables, runs, [...copy.issues, ...issues], source.name, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** How to get at the runs of a database that is open: what two of them need of each other. */
const sides = new WeakMap<ForklineDatabase, (run: RunRow) => Side>();

function readerOf(
  database: Database,
  tables: Tables,
  runs: readonly RunRow[],
  issues: readonly Issue[],
  source: string,
  close: () => Promise<void>,
): ForklineDatabase {
  const placeOf = (run: RunRow) => ({ source, record: run.ordinal + 1, pointer: '' });
  const events = (run: RunRow): Iterable<EventRow> => eventRows(database, tables, run, placeOf(run));
  const sideOf = (run: RunRow): Side => ({ database, tables, run, at: placeOf(run) });
  const reader: ForklineDatabase = {
    model: tables.model,
    issues,
    runs,
    run: (runId) => runs.find((run) => run.head.run_id === runId),
    events,
    steps: (run) => stepRows(database, tables, run),
    artifact(run) {
      const all: Json[] = [];
      for (const event of events(run)) all.push(eventJson(event, placeOf(run)));
      return { ...run.head, events: all.map(withoutStep) };
    },
    traced: (run) => tracedRun(database, tables, run, placeOf(run)),
    diffEvents(run, other, otherDatabase) {
      const side = sides.get(otherDatabase ?? reader) ?? sideOf;
      return diffEvents(sideOf(run), side(other));
    },
    tails(run, other, options = {}) {
      const left = sideOf(run);
      const right = (sides.get(options.otherDatabase ?? reader) ?? sideOf)(other);
      // Any profile of equality may follow, so only what is the same text is passed over.
      const diff = diffEvents(left, right, 'text');
      const equal = diff.identical ? countEvents(left) : diff.index;
      const skipped = Math.max(0, equal - (options.context ?? 5));
      return { skipped, left: tailOf(left, skipped), right: tailOf(right, skipped) };
    },
    close,
  };
  sides.set(reader, sideOf);
  return reader;
}

function withoutStep(event: Json): Json {
  const { step_idx: _, ...rest } = event as JsonObject;
  return rest;
}
