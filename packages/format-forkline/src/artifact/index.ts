export { type ArtifactTailsOptions, artifactTails, type Tails } from './artifact-tails.ts';
export { type CiReplay, ciReplay, forklineExportPieces, forklineExportText } from './export-text.ts';
export {
  type ForklineView,
  forklineFaults,
  forklineView,
  forklineViewToJson,
} from './forkline-view.ts';
export { type LoadedArtifact, loadArtifact } from './load.ts';
export { type Migrated, type MigrateOptions, migrateArtifact } from './migrate.ts';
export { createMigrations, type Migration, type MigrationRegistry } from './migrations.ts';
export { CURRENT_VERSION, compareVersionsAsForkline } from './version.ts';
