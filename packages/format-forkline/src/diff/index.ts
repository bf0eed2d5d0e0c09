export { type CiDiff, ciDiff, ciDiffJson, ciDiffText } from './ci-diff.ts';
export { type CiNormaliseOptions, ciNormalise, ciNormalisedText } from './ci-normalise.ts';
export { type EventDiff, eventDiff, eventDiffJson, eventDiffText } from './event-diff.ts';
export type { DivergenceStatus } from './explain-divergence.ts';
export {
  type FirstDivergence,
  type FirstDivergenceOptions,
  firstDivergence,
  hashesAreComparable,
} from './first-divergence.ts';
export { firstDivergenceJson, firstDivergenceText } from './first-divergence-text.ts';
export { type JsonDifference, type JsonDiffOptions, jsonDiff } from './json-diff.ts';
export { compareReplay, type ReplayCompareOptions } from './replay-compare.ts';
export type { DivergencePoint, ReplayComparison, StepResult } from './replay-comparison.ts';
export type { FieldDifference } from './replay-fields.ts';
export { replayComparisonToJson, replaySummary } from './replay-text.ts';
export type { StepSummary } from './step-signature.ts';
export type { Step, StepEvent, TracedRun } from './steps.ts';
