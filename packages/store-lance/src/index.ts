export type { FindOptions, FoundText } from './find/options.ts';
export type { Snippet } from './find/snippet.ts';
export { documentKeyOf, rejectShareOf, shareOf, sourceIdOf } from './identity.ts';
export type { RefreshOptions } from './indexes/refresh-indexes.ts';
export {
  type BatchLimits,
  DEFAULT_BATCH,
  type IngestOptions,
  type IngestProgress,
  type IngestSummary,
} from './ingest/options.ts';
export { LAYOUT_KEY, LAYOUT_VERSION } from './layout.ts';
export type { MaintainOptions, MaintainReport, MaintainStep } from './maintain/report.ts';
export type { Moment, StoreVersion } from './maintain/versions.ts';
export { type OpenOptions, openStore } from './open/open-store.ts';
export type { StoredCollection } from './read/collection.ts';
export type { StoreInfo, TableInfo } from './read/info.ts';
export type { ListedRun } from './read/list-runs.ts';
export type { RunFilter } from './read/run-filter.ts';
export type { LeftOut } from './repair/without-damage.ts';
export type { Store, StoredHead, StoredStoryline, StoreReads } from './store.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './store-error.ts';
export type { StoreDamage, VerifyFault, VerifyOptions, VerifyReport } from './verify/report.ts';
