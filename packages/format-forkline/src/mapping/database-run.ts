import type { Issue, Json, JsonObject } from '@pchronicle/storyline-core';

/** One row of the step table of a traced run. */
export interface StepRow {
  readonly step_id: Json;
  readonly idx: Json;
  readonly name: Json;
  readonly started_at: Json;
  readonly ended_at: Json;
}

/** What a run was in its database, besides what an artifact tells. */
export interface DatabaseRun {
  readonly model: 'recorder' | 'tracer';
  /** Steps in the order of their idx; empty for the recorder. */
  readonly steps: readonly StepRow[];
  /** Columns whose value is a default, because the row (or the whole table) has none. */
  readonly defaulted: readonly string[];
  /** True for events whose run has no row of its own. */
  readonly orphaned: boolean;
  /** What was notable about the database or the row; told with the run. */
  readonly issues: readonly Issue[];
}

/** The key under which the reader of databases hands the step of an event over; it is taken away before the event is looked at. */
export const STEP_KEY = 'step_idx';

/** Heads of runs that came out of a database. A side table, so that no artifact can pretend to be one. */
const runs = new WeakMap<JsonObject, DatabaseRun>();

/** Notes what a run was in its database. */
export function rememberDatabaseRun(head: JsonObject, run: DatabaseRun): void {
  runs.set(head, run);
}

/** What a run was in its database; `undefined` for an artifact from JSON. */
export function databaseRunOf(head: JsonObject): DatabaseRun | undefined {
  return runs.get(head);
}
