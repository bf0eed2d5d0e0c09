import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Reader,
  type Report,
  type SourceRecord,
  type Storyline,
  setOwn,
} from '@pchronicle/storyline-core';
import { pairsToObjects } from './artifact/load.ts';
import { type MigrateOptions, migrateArtifact } from './artifact/migrate.ts';
import { databaseRunOf } from './mapping/database-run.ts';
import { type RunOptions, runBuilder } from './mapping/run-builder.ts';

/** An artifact read into its Storyline. */
export interface ForklinePart {
  readonly storyline: Storyline;
}

/** Nothing of the root is needed besides the record itself. */
export type ForklineFrame = { readonly source: string };

/**
 * Makes the reader. A record is one artifact: its first value is the artifact; values that follow are further events (a database
 * gives the head first and then one event at a time, so that no run has to be held as JSON).
 */
export function forklineReader(options: MigrateOptions): Reader<ForklineFrame, ForklinePart> {
  return {
    frame: ({ source }) => ({ source }),
    decode: (record, report) => decode(record, report, options),
    toStorylines: (part) => [part.storyline],
    carriers: () => [''],
  };
}

function decode(
  record: SourceRecord<ForklineFrame>,
  report: Report,
  options: MigrateOptions,
): ForklinePart | undefined {
  const values = record.values()[Symbol.iterator]();
  const first = values.next();
  if (first.done === true) {
    report('error', 'forkline/not-an-artifact', '', 'there is no artifact');
    return undefined;
  }
  const source = first.value.value;
  const database = isJsonObject(source) ? databaseRunOf(source) : undefined;
  for (const issue of database?.issues ?? [])
    report(issue.severity, issue.code, issue.at.pointer, issue.message);
  if (database?.orphaned === true) {
    report(
      'warning',
      'forkline/orphan-events',
      '',
      'these events name a run that the database has no row for',
    );
  }
  const migrated = migrateArtifact(
    options.compat === true ? pairsToObjects(source) : source,
    report,
    options,
  );
  if (migrated === undefined) return undefined;
  const { artifact, sourceVersion } = migrated;
  const python = database !== undefined || options.compat === true;
  const settings = {
    python,
    lenient: options.compat === true,
    ...(database === undefined ? {} : { database }),
  };
  const more = {
    *[Symbol.iterator]() {
      for (let next = values.next(); next.done !== true; next = values.next()) yield next.value.value;
    },
  };
  const storyline = buildStoryline(artifact, sourceVersion, settings, report, more);
  return storyline === undefined ? undefined : { storyline };
}

/** Builds the Storyline of an artifact of the current version, whose further events may come one by one; `undefined` after an error. */
export function buildStoryline(
  artifact: JsonObject,
  sourceVersion: string,
  settings: Omit<RunOptions, 'hasEvents'>,
  report: Report,
  more: Iterable<Json> = [],
): Storyline | undefined {
  const events = getOwn(artifact, 'events');
  if (events !== undefined && !isJsonArray(events)) {
    report('error', 'forkline/events-not-a-list', '/events', 'events must be a list of objects');
    return undefined;
  }
  const hasEvents = events !== undefined || settings.database !== undefined;
  const builder = runBuilder(withoutEvents(artifact), sourceVersion, { ...settings, hasEvents }, report);
  for (const event of events ?? []) builder.add(event);
  for (const event of more) builder.add(event);
  return builder.finish();
}

function withoutEvents(artifact: JsonObject): JsonObject {
  const head: MutableJsonObject = {};
  for (const [key, value] of Object.entries(artifact)) if (key !== 'events') setOwn(head, key, value);
  return head;
}
