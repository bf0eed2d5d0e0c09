import {
  type ImportedDocument,
  type ImportOptions,
  importDocument,
  type Json,
} from '@pchronicle/storyline-core';
import type { MigrateOptions } from './artifact/migrate.ts';
import { createForkline, forkline } from './format.ts';

/** Options of {@link importForkline}: those of every import, and how versions are treated. */
export interface ForklineImportOptions extends ImportOptions, MigrateOptions {
  /** Display name of the source in issues. */
  readonly source?: string;
}

/**
 * Imports Forkline artifacts that are in memory: one artifact, an array of them, or one a line; as text, bytes or a parsed value.
 * Gives the Storylines of all accepted artifacts, and every issue; never throws for data.
 */
export function importForkline(
  input: string | Uint8Array | Json,
  options: ForklineImportOptions = {},
): ImportedDocument {
  return importDocument(usesDefaults(options) ? forkline : createForkline(options), input, options);
}

/** Whether the options leave the format as it is. */
export function usesDefaults(options: MigrateOptions): boolean {
  const { migrations, currentVersion, compat, assumeVersion } = options;
  return [migrations, currentVersion, assumeVersion].every((one) => one === undefined) && compat !== true;
}
