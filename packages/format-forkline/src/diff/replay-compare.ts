import type { DivergencePoint, ReplayComparison, StepResult } from './replay-comparison.ts';
import { compareFields } from './replay-fields.ts';
import type { Step, TracedRun } from './steps.ts';

/** Options of {@link compareReplay}. */
export interface ReplayCompareOptions {
  /** Pass over `created_at`, `ts` and `timestamp` in payloads; default true. */
  readonly ignoreTimestamps?: boolean;
}

/** Compares a replay with its original, step by step and event by event, as Forkline's replay engine does. An absent run is named by its id. */
export function compareReplay(
  original: TracedRun | string,
  replay: TracedRun | string,
  options: ReplayCompareOptions = {},
): ReplayComparison {
  const ignore = options.ignoreTimestamps ?? true;
  const ids = {
    original_run_id: typeof original === 'string' ? original : original.run_id,
    replay_run_id: typeof replay === 'string' ? replay : replay.run_id,
  };
  const nothing = { steps_compared: 0, total_events_compared: 0, divergence_point: null, step_results: [] };
  if (typeof original === 'string') return { ...ids, status: 'original_not_found', ...nothing };
  if (typeof replay === 'string') return { ...ids, status: 'replay_not_found', ...nothing };
  const a = original.steps;
  const b = replay.steps;
  if (b.length > a.length) {
    const point: DivergencePoint = {
      step_idx: a.length,
      step_name: '<beyond original>',
      event_idx: null,
      divergence_type: 'extra_steps_in_replay',
      field_diffs: [{ path: 'steps.(length)', expected: a.length, actual: b.length }],
      context: {},
    };
    return { ...ids, status: 'diverged', ...nothing, divergence_point: point };
  }
  const results: StepResult[] = [];
  let events = 0;
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (other === undefined) {
      const missing = { step_idx: index, step_name: step.name };
      const counts = { steps_compared: results.length, total_events_compared: events };
      return {
        ...ids,
        status: 'incomplete',
        ...counts,
        divergence_point: null,
        step_results: results,
        first_missing_step: missing,
      };
    }
    const { point, compared } = compareStep(step, other, index, ignore);
    results.push({
      step_idx: index,
      step_name: step.name,
      events_compared: compared,
      matched: point === undefined,
    });
    if (point !== undefined) {
      const counts = {
        steps_compared: results.length,
        total_events_compared: events + (point.event_idx ?? 0),
      };
      return { ...ids, status: 'diverged', ...counts, divergence_point: point, step_results: results };
    }
    events += step.events.length;
  }
  const counts = { steps_compared: results.length, total_events_compared: events };
  return { ...ids, status: 'match', ...counts, divergence_point: null, step_results: results };
}

function compareStep(
  step: Step,
  other: Step,
  index: number,
  ignore: boolean,
): { readonly point?: DivergencePoint; readonly compared: number } {
  const at = { step_idx: index, step_name: step.name };
  if (step.name !== other.name) {
    const field_diffs = [{ path: 'name', expected: step.name, actual: other.name }];
    const point: DivergencePoint = {
      ...at,
      event_idx: null,
      divergence_type: 'step_name_mismatch',
      field_diffs,
      context: {},
    };
    return { point, compared: Math.min(step.events.length, other.events.length) };
  }
  if (step.events.length !== other.events.length) {
    const point: DivergencePoint = {
      ...at,
      event_idx: null,
      divergence_type: 'event_count_mismatch',
      field_diffs: [{ path: 'events.(length)', expected: step.events.length, actual: other.events.length }],
      context: {
        expected_event_types: step.events.map((event) => event.type),
        actual_event_types: other.events.map((event) => event.type),
      },
    };
    return { point, compared: Math.min(step.events.length, other.events.length) };
  }
  for (const [position, event] of step.events.entries()) {
    const actual = other.events[position];
    if (actual === undefined) break;
    const field_diffs = [
      ...(event.type === actual.type ? [] : [{ path: 'type', expected: event.type, actual: actual.type }]),
      ...compareFields(event.payload, actual.payload, 'payload', ignore),
    ];
    if (field_diffs.length === 0) continue;
    const context = { expected_event_type: event.type, actual_event_type: actual.type };
    const point: DivergencePoint = {
      ...at,
      event_idx: position,
      divergence_type: 'event_payload_mismatch',
      field_diffs,
      context,
    };
    return { point, compared: position + 1 };
  }
  return { compared: step.events.length };
}
