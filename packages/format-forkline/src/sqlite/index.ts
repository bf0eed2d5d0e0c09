export type { Tails } from '../artifact/artifact-tails.ts';
export type { StepRow } from '../mapping/database-run.ts';
export { eventJson } from './event-json.ts';
export {
  type ForklineDatabase,
  openForklineDatabase,
  type TailOptions,
} from './forkline-database.ts';
export { createForklineWithSqlite, forklineWithSqlite, SQLITE_CONTAINER } from './format.ts';
export type { EventRow } from './read-events.ts';
export type { RunRow } from './read-runs.ts';
export { type WriteDatabaseOptions, type WrittenDatabase, writeForklineDatabase } from './write-database.ts';
