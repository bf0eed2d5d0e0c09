import {
  collectIssues,
  type Issue,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Report,
} from '@pchronicle/storyline-core';
import { parsePythonJson } from '../python/parse.ts';
import { type MigrateOptions, migrateArtifact } from './migrate.ts';

/** A loaded artifact: of the current version, unknown fields kept; `undefined` if and only if an error is among the issues. */
export interface LoadedArtifact {
  readonly artifact: JsonObject | undefined;
  /** The version that the source named. */
  readonly sourceVersion?: string;
  readonly issues: readonly Issue[];
}

/**
 * Loads one artifact from JSON text, bytes or a value, and brings it to the current version. NaN and the infinities are JsonNumbers
 * of that text, floats stay apart from integers. With `compat` it accepts and refuses what Forkline does.
 */
export function loadArtifact(
  input: string | Uint8Array | Json,
  options: MigrateOptions = {},
): LoadedArtifact {
  const { report, issues, failed } = collectIssues();
  const value =
    typeof input === 'string' || input instanceof Uint8Array ? parse(input, options, report, issues) : input;
  if (value === undefined) return { artifact: undefined, issues };
  const migrated = migrateArtifact(options.compat === true ? pairsToObjects(value) : value, report, options);
  if (migrated === undefined || failed()) return { artifact: undefined, issues };
  return { ...migrated, issues };
}

function parse(
  input: string | Uint8Array,
  options: MigrateOptions,
  report: Report,
  issues: Issue[],
): Json | undefined {
  if (options.compat !== true) {
    const parsed = parseJson(input, { keepFloats: true, nonFinite: 'keep' });
    issues.push(...parsed.issues);
    return parsed.value;
  }
  let text: string;
  try {
    text =
      typeof input === 'string'
        ? input
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    report('error', 'forkline/not-python-json', '', 'the bytes are not UTF-8');
    return undefined;
  }
  const parsed = parsePythonJson(text, { limitDigits: true });
  if ('value' in parsed) return parsed.value;
  const { message, line, column, position } = parsed.fault;
  const place = `line ${line}, column ${column} (character ${position})`;
  report(
    'error',
    'forkline/not-python-json',
    '',
    `Python would not read this as JSON: ${message}, at ${place}`,
  );
  return undefined;
}

/** Forkline turns an old event that is a list of pairs into an object, because Python's `dict` does. */
export function pairsToObjects(value: Json): Json {
  if (!isJsonObject(value) || value.schema_version !== 'recording_v0' || !Array.isArray(value.events))
    return value;
  const events = value.events.map((event: Json): Json => {
    const pairs = Array.isArray(event) ? (event as readonly Json[]) : undefined;
    if (pairs === undefined || pairs.length === 0 || !pairs.every(isPair)) return event;
    return Object.fromEntries(pairs as readonly (readonly [string, Json])[]) as JsonObject;
  });
  return { ...value, events };
}

function isPair(value: Json): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}
