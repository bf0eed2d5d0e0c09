import type { Json } from '@pchronicle/storyline-core';
import { canonicalForm } from '../canon/canonical.ts';
import { type DivergenceStatus, explain, extraText, missingText } from './explain-divergence.ts';
import { type JsonDifference, jsonDiff } from './json-diff.ts';
import { resynchronise } from './resynchronise.ts';
import { type StepSignature, type StepSummary, stepSignatures } from './step-signature.ts';
import type { Step } from './steps.ts';

/** The first divergence of two traced runs, with Forkline's member names and order (forkline-notes §9). */
export interface FirstDivergence {
  readonly status: DivergenceStatus;
  readonly idx_a: number | null;
  readonly idx_b: number | null;
  readonly explanation: string;
  readonly last_equal_idx: number;
  readonly old_step: StepSummary | null;
  readonly new_step: StepSummary | null;
  readonly input_diff: readonly JsonDifference[] | null;
  readonly output_diff: readonly JsonDifference[] | null;
  readonly context_a: readonly StepSummary[];
  readonly context_b: readonly StepSummary[];
}

/** Options of {@link firstDivergence}, with Forkline's defaults. */
export interface FirstDivergenceOptions {
  /** How far a resynchronisation is looked for; gaps up to `window - 1` are found. Default 10. */
  readonly window?: number;
  /** Steps of context on each side. Default 2. */
  readonly contextSize?: number;
  /** Which payload difference to give. Default both. */
  readonly show?: 'input' | 'output' | 'both';
  /**
   * Keeps Forkline's quirk (default true): where the step at the divergence has the name and input of its successor,
   * a mere output change counts as an extra step (forkline-gaps B1). False tests the same position first.
   */
  readonly quirk?: boolean;
}

/** Finds where two traced runs part, exactly as Forkline's engine does. */
export function firstDivergence(
  stepsA: readonly Step[],
  stepsB: readonly Step[],
  options: FirstDivergenceOptions = {},
): FirstDivergence {
  const { window = 10, contextSize = 2, show = 'both', quirk = true } = options;
  const a = stepSignatures(stepsA);
  const b = stepSignatures(stepsB);
  let i = 0;
  let found: Exclude<DivergenceStatus, 'exact_match' | 'missing_steps' | 'extra_steps'> | undefined;
  while (i < stepsA.length && i < stepsB.length) {
    found = classify(a, b, i);
    if (found !== undefined) break;
    i += 1;
  }
  const context = (of: StepSignature, length: number): readonly StepSummary[] => {
    const centre = Math.min(i, length - 1);
    const summaries: StepSummary[] = [];
    for (let at = Math.max(0, centre - contextSize); at <= centre + contextSize && at < length; at += 1) {
      summaries.push(of.summary(at));
    }
    return summaries;
  };
  const base = { last_equal_idx: i - 1 };
  if (found === undefined && i === stepsA.length && i === stepsB.length) {
    return {
      status: 'exact_match',
      idx_a: null,
      idx_b: null,
      explanation: `Runs are identical (${i} steps compared)`,
      ...base,
      old_step: null,
      new_step: null,
      input_diff: null,
      output_diff: null,
      context_a: [],
      context_b: [],
    };
  }
  const around = { context_a: context(a, stepsA.length), context_b: context(b, stepsB.length) };
  const noDiff = { input_diff: null, output_diff: null };
  if (found === undefined) {
    const missing = i < stepsA.length;
    const left = (missing ? stepsA.length : stepsB.length) - i;
    return {
      status: missing ? 'missing_steps' : 'extra_steps',
      idx_a: missing ? i : null,
      idx_b: missing ? null : i,
      explanation: missing ? missingText(i, left) : extraText(i, left),
      ...base,
      old_step: missing ? a.summary(i) : null,
      new_step: missing ? null : b.summary(i),
      ...noDiff,
      ...around,
    };
  }
  const both = { ...base, old_step: a.summary(i), new_step: b.summary(i) };
  const inStep = !quirk && a.key(i) === b.key(i);
  const gap = inStep ? undefined : resynchronise(a, b, i, stepsA.length, stepsB.length, window);
  if (gap !== undefined && (gap.a === 0) !== (gap.b === 0)) {
    const missing = gap.a > 0;
    return {
      status: missing ? 'missing_steps' : 'extra_steps',
      idx_a: i,
      idx_b: i,
      explanation: missing ? missingText(i, gap.a) : extraText(i, gap.b),
      ...both,
      ...noDiff,
      ...around,
    };
  }
  return {
    status: found,
    idx_a: i,
    idx_b: i,
    explanation: explain(found, i, stepsA[i]?.name ?? '', stepsB[i]?.name ?? ''),
    ...both,
    input_diff:
      found === 'input_divergence' && show !== 'output' ? diffOf(stepsA[i], stepsB[i], 'input') : null,
    output_diff:
      found === 'output_divergence' && show !== 'input' ? diffOf(stepsA[i], stepsB[i], 'output') : null,
    ...around,
  };
}

function classify(
  a: StepSignature,
  b: StepSignature,
  i: number,
): Exclude<DivergenceStatus, 'exact_match' | 'missing_steps' | 'extra_steps'> | undefined {
  if (a.name(i) !== b.name(i)) return 'op_divergence';
  if (a.input(i) !== b.input(i)) return 'input_divergence';
  if (a.errors(i) !== b.errors(i)) return 'error_divergence';
  if (a.output(i) !== b.output(i)) return 'output_divergence';
  return a.events(i) === b.events(i) ? undefined : 'output_divergence';
}

function diffOf(a: Step | undefined, b: Step | undefined, type: string): readonly JsonDifference[] {
  return jsonDiff(payloadsOf(a, type), payloadsOf(b, type));
}

function payloadsOf(step: Step | undefined, type: string): Json {
  return (step?.events ?? []).filter((event) => event.type === type).map((event) => event.payload);
}

/** Whether every payload of the steps has a hash that Forkline would compute too (no lone surrogates). */
export function hashesAreComparable(steps: readonly Step[]): boolean {
  return steps.every((step) => step.events.every((event) => canonicalForm(event.payload).comparable));
}
