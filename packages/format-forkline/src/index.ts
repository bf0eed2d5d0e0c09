export type { MigrateOptions } from './artifact/migrate.ts';
export { createMigrations, type Migration, type MigrationRegistry } from './artifact/migrations.ts';
export { exportForkline, type ForklineExportOptions } from './export.ts';
export { createForkline, forkline, forklineCompat } from './format.ts';
export { type ForklineImportOptions, importForkline } from './import.ts';
export { normaliseForkline } from './normalise.ts';
