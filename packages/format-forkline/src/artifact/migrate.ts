import { getOwn, isJsonObject, type Json, type JsonObject, type Report } from '@pchronicle/storyline-core';
import { createMigrations, type MigrationRegistry } from './migrations.ts';
import { CURRENT_VERSION, compareVersionsAsForkline, standingOf, versionText } from './version.ts';

/** How an artifact is brought to the current version. */
export interface MigrateOptions {
  /** The migrations; default Forkline's own. */
  readonly migrations?: MigrationRegistry;
  /** The version to reach; default 1.0. */
  readonly currentVersion?: string;
  /** Judge versions exactly as Forkline 0.5 does (forkline-notes §4); default false: by their major number. */
  readonly compat?: boolean;
  /** The version to assume where none is given; default: that is an error. */
  readonly assumeVersion?: string;
}

/** An artifact of the current version (or of a newer one, taken as it is), with what it was before. */
export interface Migrated {
  readonly artifact: JsonObject;
  /** The version the source named, as text. */
  readonly sourceVersion: string;
}

/**
 * Applies the versioning rules: a missing version is an error, an old one is migrated, a newer minor is taken quietly, a newer major with
 * a warning. Unknown fields are kept. The input is never changed; parts of it are shared with the result.
 */
export function migrateArtifact(
  value: Json,
  report: Report,
  options: MigrateOptions = {},
): Migrated | undefined {
  if (!isJsonObject(value)) {
    report('error', 'forkline/not-an-artifact', '', 'an artifact must be a JSON object');
    return undefined;
  }
  const current = options.currentVersion ?? CURRENT_VERSION;
  const migrations = options.migrations ?? createMigrations();
  const given = getOwn(value, 'schema_version') ?? options.assumeVersion ?? null;
  if (given === null) {
    const message =
      'the artifact has no schema_version, without which it cannot be read reliably; name one with assumeVersion if you know it';
    report('error', 'forkline/missing-schema-version', '/schema_version', message);
    return undefined;
  }
  const version = versionText(given);
  const withText = given === getOwn(value, 'schema_version') && typeof given === 'string';
  const artifact: JsonObject = withText ? value : { ...value, schema_version: version };
  if (version === current) return { artifact, sourceVersion: version };
  const path = migrations.pathBetween(version, current);
  if (path !== undefined) {
    const migrated = migrations.migrate(artifact, version, current);
    return migrated === undefined ? undefined : { artifact: migrated, sourceVersion: version };
  }
  if (options.compat === true) {
    const order = compareVersionsAsForkline(version, current);
    if (order !== undefined && order > 0) {
      warnOfNewer(report, version, current);
      return { artifact, sourceVersion: version };
    }
    return refuse(report, version, current);
  }
  if (version === '0.1' && migrations.pathBetween('recording_v0', current) !== undefined) {
    // The first release stamped 0.1 on what is recording_v0 but for a column (forkline-gaps A1).
    report('info', 'forkline/version-0-1', '/schema_version', 'schema_version 0.1 is read as recording_v0');
    const migrated = migrations.migrate(artifact, 'recording_v0', current);
    return migrated === undefined ? undefined : { artifact: migrated, sourceVersion: version };
  }
  if (typeof given === 'boolean' || (typeof given === 'object' && !isNumberObject(given))) {
    return refuse(report, version, current);
  }
  const standing = standingOf(version, current);
  if (standing === 'compatible') {
    const message = `schema_version ${version} has the major number of ${current} and is read like it`;
    report('info', 'forkline/compatible-version', '/schema_version', message);
    return { artifact, sourceVersion: version };
  }
  if (standing === 'newer') {
    warnOfNewer(report, version, current);
    return { artifact, sourceVersion: version };
  }
  return refuse(report, version, current);
}

function isNumberObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'raw' in value && !isJsonObject(value);
}

function warnOfNewer(report: Report, version: string, current: string): void {
  const message = `schema_version ${version} is newer than ${current}; what is known of it is read, the rest is kept`;
  report('warning', 'forkline/newer-version', '/schema_version', message);
}

function refuse(report: Report, version: string, current: string): undefined {
  const message = `no migration leads from schema_version ${JSON.stringify(version)} to ${current}`;
  report('error', 'forkline/unsupported-version', '/schema_version', message);
  return undefined;
}
