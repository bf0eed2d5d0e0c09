import {
  collectIssues,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
  type Storyline,
  type Writer,
} from '@pchronicle/storyline-core';
import { forklineView, forklineViewToJson } from './artifact/forkline-view.ts';
import type { MigrateOptions } from './artifact/migrate.ts';
import { createMigrations } from './artifact/migrations.ts';
import { CURRENT_VERSION } from './artifact/version.ts';
import { reportLosses } from './losses.ts';
import { artifactOf, type VersionOf } from './mapping/artifact-of-storyline.ts';
import { untagNonFinite } from './mapping/non-finite.ts';
import { layoutIn } from './mapping/read-layout.ts';
import { EVENT_KEYS, LAYOUT_SOURCE, ROOT_KEYS, SOURCE } from './mapping/vocabulary.ts';
import { pythonJsonPieces } from './python/dump.ts';
import { buildStoryline } from './reader.ts';

/** Storyline pointers that every Storyline gets back; more comes back of most (see {@link reportLosses}, which looks). */
export const EXPRESSES: readonly string[] = [
  '/task/result/status',
  '/turns/*/tool_calls/*/tcid',
  '/turns/*/tool_calls/*/fn',
  '/turns/*/tool_calls/*/args',
];

/** Which schema version to write for a source version: what a migration leads from becomes current, all else stays (a newer version keeps its name). */
export function versionToWrite(options: MigrateOptions): VersionOf {
  const current = options.currentVersion ?? CURRENT_VERSION;
  const migrations = options.migrations ?? createMigrations();
  return (version) => {
    if (version === undefined || version === '0.1') return current;
    return migrations.pathBetween(version, current) === undefined ? version : current;
  };
}

/** The writer has nothing to remember between Storylines. */
export type WriterFrame = Record<string, never>;

/** Makes the writer: one document a Storyline; with `compat` the text is Forkline's own, byte for byte. */
export function forklineWriter(options: MigrateOptions): Writer<WriterFrame> {
  const versionOf = versionToWrite(options);
  return {
    group: (_, index) => String(index),
    frame: () => ({}),
    root: () => ({}),
    write(storyline, _, report) {
      const artifact = artifactOf(storyline, versionOf, report);
      if (artifact === undefined) return undefined;
      if (Object.hasOwn(layoutIn(storyline), 'steps')) {
        const message =
          'an artifact has no steps: their table is written into a database only, names and numbers stay out of the JSON';
        report('loss', 'forkline/steps-not-written', '/unknown_fields/sources/forkline-layout', message);
      }
      reportWhatIsLost(storyline, artifact, report);
      if (options.compat === true) reportDropped(storyline, artifact, report);
      return [{ value: artifact }];
    },
    ...(options.compat === true ? { encode: encodeCompat, finalNewline: false } : {}),
  };
}

/** Rereads what was written and tells what differs. */
function reportWhatIsLost(storyline: Storyline, artifact: JsonObject, report: Report): void {
  const version = String(artifact.schema_version);
  const settings = { python: false, lenient: true };
  const reread = buildStoryline(artifact, version, settings, collectIssues().report);
  if (reread !== undefined) reportLosses(storyline, reread, storyline.origin?.format === SOURCE, report);
}

/** Forkline's text of an artifact, which is of the current version already. */
function encodeCompat(value: Json): Iterable<string> {
  const view = forklineView(untagNonFinite(value), collectIssues().report);
  return view === undefined ? [] : pythonJsonPieces(forklineViewToJson(view), { indent: 2 });
}

/** Says what Forkline's own text leaves out: fields that it does not know, and the residuals of other formats. */
function reportDropped(storyline: Storyline, artifact: JsonObject, report: Report): void {
  const unknown = Object.keys(artifact).filter((key) => !(ROOT_KEYS as readonly string[]).includes(key));
  const events = isJsonArray(artifact.events) ? artifact.events : [];
  const inEvents = events.some(
    (event) =>
      isJsonObject(event) &&
      Object.keys(event).some((key) => !(EVENT_KEYS as readonly string[]).includes(key)),
  );
  const others = Object.keys(storyline.unknown_fields?.sources ?? {}).filter(
    (name) => name !== SOURCE && name !== LAYOUT_SOURCE,
  );
  if (unknown.length === 0 && !inEvents && others.length === 0) return;
  const message =
    "Forkline's own text holds the fields that Forkline knows and no others; unknown ones are left out";
  report('loss', 'forkline/unknown-fields-dropped', '/unknown_fields', message);
}
