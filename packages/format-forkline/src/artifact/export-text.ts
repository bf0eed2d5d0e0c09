import type { Json, JsonObject, Report } from '@pchronicle/storyline-core';
import { pythonJson, pythonJsonPieces } from '../python/dump.ts';
import { forklineFaults, forklineView, forklineViewToJson, isTruthy } from './forkline-view.ts';
import { type MigrateOptions, migrateArtifact } from './migrate.ts';

/** Text layout of Forkline's exports. */
const EXPORT = { indent: 2, sortKeys: true } as const;

/** The text that Forkline's own export writes for an artifact, byte for byte, in pieces (`--compat`): migrated, unknown fields dropped, NaN bare. */
export function forklineExportPieces(
  artifact: Json,
  report: Report,
  options: MigrateOptions = {},
): Iterable<string> | undefined {
  const migrated = migrateArtifact(artifact, report, options);
  const view = migrated === undefined ? undefined : forklineView(migrated.artifact, report);
  return view === undefined ? undefined : pythonJsonPieces(forklineViewToJson(view), EXPORT);
}

/** The same as one text. */
export function forklineExportText(
  artifact: Json,
  report: Report,
  options: MigrateOptions = {},
): string | undefined {
  const pieces = forklineExportPieces(artifact, report, options);
  return pieces === undefined ? undefined : [...pieces].join('');
}

/** What `forkline ci replay` finds when it checks an artifact. */
export interface CiReplay {
  /** The exit code of Forkline: 0, or 5 for an artifact that is not valid. */
  readonly exit: 0 | 5;
  /** The JSON summary that it prints; empty for exit 5. */
  readonly stdout: string;
  /** The faults that it names. */
  readonly faults: readonly string[];
}

/** Checks an artifact as `forkline ci replay` does (forkline-notes §11): nothing is replayed; `strict` also refuses empty payloads of outputs and tool calls. */
export function ciReplay(artifact: Json, options: { readonly strict?: boolean } = {}): CiReplay {
  const faults: string[] = [];
  const view = forklineView(artifact, (_, __, ___, message) => faults.push(message));
  if (view === undefined) return { exit: 5, stdout: '', faults };
  faults.push(...forklineFaults(view));
  if (options.strict === true) {
    for (const [index, event] of view.events.entries()) {
      const { type, payload = null } = event;
      if ((type === 'tool_call' || type === 'output') && !isTruthy(payload))
        faults.push(`events[${index}] is an ${type} without a payload`);
    }
  }
  if (faults.length > 0) return { exit: 5, stdout: '', faults };
  const types = new Map<string, number>();
  for (const { type = null } of view.events) {
    const name = typeof type === 'string' ? type : pythonJson(type);
    types.set(name, (types.get(name) ?? 0) + 1);
  }
  const summary: JsonObject = {
    entrypoint: view.entrypoint,
    event_count: view.events.length,
    event_types: Object.fromEntries(types),
    run_id: view.run_id,
    schema_version: view.schema_version,
    status: 'ok',
  };
  return { exit: 0, stdout: `${pythonJson(summary, EXPORT)}\n`, faults };
}
