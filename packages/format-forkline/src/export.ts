import {
  type ExportedDocument,
  type ExportOptions,
  exportDocument,
  type Storyline,
} from '@pchronicle/storyline-core';
import type { MigrateOptions } from './artifact/migrate.ts';
import { createForkline, forkline } from './format.ts';
import { usesDefaults } from './import.ts';

/** Options of {@link exportForkline}: those of every export, and the compatibility mode. */
export interface ForklineExportOptions extends ExportOptions, MigrateOptions {}

/**
 * Writes Storylines as Forkline artifacts: strict JSON, or with `compat` the very bytes that Forkline writes. Storylines that came
 * from artifacts come back exactly (decision G1); what an artifact cannot express is a loss issue.
 */
export function exportForkline(
  storylines: readonly Storyline[],
  options: ForklineExportOptions = {},
): ExportedDocument {
  return exportDocument(usesDefaults(options) ? forkline : createForkline(options), storylines, options);
}
