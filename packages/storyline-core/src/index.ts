export { type HeadOptions, readHead } from './containers/head.ts';
export type * from './diff/diff-result.ts';
export { type DiffOptions, diffStorylines } from './diff/diff-storylines.ts';
export { EQUALITY_PROFILES, type EqualityProfile } from './diff/profile.ts';
export { DEFAULT_VOLATILE } from './diff/volatile.ts';
export * from './export/choose-container.ts';
export { type ExportDocument, exportDocuments } from './export/export.ts';
export * from './export/export-document.ts';
export { type JoinOptions, joinDocuments, standsAlone } from './export/join-documents.ts';
export * from './export/leaf-story.ts';
export * from './export/missing.ts';
export * from './export/missing-members.ts';
export * from './export/missing-turns.ts';
export * from './export/options.ts';
export * from './export/report-losses.ts';
export * from './export/story-collection.ts';
export * from './export/tell-by-kind.ts';
export type * from './format.ts';
export * from './hash.ts';
export * from './import/events.ts';
export * from './import/find-groups.ts';
export * from './import/import.ts';
export * from './import/import-document.ts';
export * from './issue.ts';
export * from './json/canonical.ts';
export * from './json/compare-text.ts';
export * from './json/decode-text.ts';
export * from './json/defined.ts';
export * from './json/equal.ts';
export * from './json/fingerprint.ts';
export * from './json/member-of.ts';
export {
  canonicalNumber,
  compareNumbers,
  equalNumbers,
  integerFromBigInt,
  isInteger,
  toBigInt,
} from './json/number.ts';
export { encodeText, type ParseOptions, type ParseResult, parseJson } from './json/parse.ts';
export * from './json/parse-text.ts';
export * from './json/pointer.ts';
export { type StringifyOptions, stringify, stringifyPieces } from './json/stringify.ts';
export * from './json/value.ts';
export {
  CHECKPOINT,
  type ChainState,
  chainStateOf,
  isCheckpoint,
  RETAINED,
} from './project/chain-state.ts';
export type { ChatmlDocument, ChatmlProjection, MessageSource } from './project/chatml-document.ts';
export { type ModelVisibleOptions, modelVisibleChatml } from './project/model-visible-chatml.ts';
export * from './project/pair-calls.ts';
export type { PairingPolicy } from './project/pair-messages.ts';
export * from './project/project.ts';
export * from './project/to-chatml.ts';
export { VIEWS, type View, viewTurns } from './project/view-turns.ts';
export * from './project/walk-chain.ts';
export * from './registry.ts';
export type * from './rows/column.ts';
export * from './rows/columns.ts';
export { contentHash } from './rows/content-hash.ts';
export * from './rows/from-rows.ts';
export * from './rows/row-identity.ts';
export * from './rows/to-rows.ts';
export * from './source/blob.ts';
export * from './source/bytes.ts';
export { joinSources } from './source/join-sources.ts';
export type { ByteRange, Source, SourcePart } from './source.ts';
export * from './storyline/build-envelope.ts';
export * from './storyline/call-ids.ts';
export { callsInText, type SpelledCall } from './storyline/calls-in-text.ts';
export * from './storyline/count-unknown-keys.ts';
export * from './storyline/describe-json.ts';
export * from './storyline/effective-env.ts';
export * from './storyline/effective-kind.ts';
export * from './storyline/effective-prompt.ts';
export * from './storyline/envelope.ts';
export * from './storyline/format.ts';
export * from './storyline/merge-unknown-fields.ts';
export * from './storyline/normalise-residual-pointer.ts';
export * from './storyline/read.ts';
export * from './storyline/residual.ts';
export * from './storyline/residual-limits.ts';
export * from './storyline/restore-residuals.ts';
export * from './storyline/time.ts';
export * from './storyline/validate.ts';
export * from './storyline/whole-milliseconds.ts';
export * from './storyline/write.ts';
export * from './storyline.ts';
