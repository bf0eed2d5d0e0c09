import type { Json, JsonObject } from '@pchronicle/storyline-core';
import { pythonRepr } from '../python/repr.ts';
import { compareFields, type FieldDifference } from './replay-fields.ts';
import type { Step, TracedRun } from './steps.ts';

/** Where a replay parts from its original; Forkline's legacy divergence point. */
export interface DivergencePoint {
  readonly step_idx: number;
  readonly step_name: string;
  readonly event_idx: number | null;
  readonly divergence_type:
    | 'step_name_mismatch'
    | 'event_count_mismatch'
    | 'event_payload_mismatch'
    | 'extra_steps_in_replay';
  readonly field_diffs: readonly FieldDifference[];
  readonly context: JsonObject;
}

/** How one step compared. */
export interface StepResult {
  readonly step_idx: number;
  readonly step_name: string;
  readonly events_compared: number;
  readonly matched: boolean;
}

/** The outcome of a replay comparison (forkline-notes §12). */
export interface ReplayComparison {
  readonly original_run_id: string;
  readonly replay_run_id: string;
  readonly status: 'match' | 'diverged' | 'incomplete' | 'original_not_found' | 'replay_not_found';
  readonly steps_compared: number;
  readonly total_events_compared: number;
  readonly divergence_point: DivergencePoint | null;
  readonly step_results: readonly StepResult[];
  /** For `incomplete`: the first step that the replay lacks; Forkline gives no place (forkline-gaps B11). */
  readonly first_missing_step?: { readonly step_idx: number; readonly step_name: string };
}

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

/** The object that Forkline 0.5 prints for a comparison, with its member order. */
export function replayComparisonToJson(comparison: ReplayComparison): JsonObject {
  const { divergence_point: point } = comparison;
  const base: JsonObject = {
    original_run_id: comparison.original_run_id,
    replay_run_id: comparison.replay_run_id,
    status: comparison.status,
    steps_compared: comparison.steps_compared,
    total_events_compared: comparison.total_events_compared,
  };
  if (point === null) return base;
  const first = point.field_diffs[0];
  return {
    ...base,
    divergence: {
      step_index: point.step_idx,
      step_name: point.step_name,
      event_index: point.event_idx,
      reason: point.divergence_type === 'extra_steps_in_replay' ? 'extra_steps' : point.divergence_type,
      expected: first?.expected ?? null,
      actual: first?.actual ?? null,
      diff: point.field_diffs.map((field): Json => ({ ...field })),
    },
  };
}

const MOST_FIELDS = 3;
const LONGEST_VALUE = 50;

/** Forkline's one-line summary of a comparison. */
export function replaySummary(comparison: ReplayComparison): string {
  const { status, divergence_point: point } = comparison;
  if (status === 'match') {
    return `MATCH: ${comparison.steps_compared} steps, ${comparison.total_events_compared} events compared`;
  }
  if (status === 'incomplete') return 'INCOMPLETE: replay has fewer steps than original';
  if (point === null) return status.toUpperCase();
  const event = point.event_idx === null ? '' : `/event[${point.event_idx}]`;
  const fields = point.field_diffs
    .slice(0, MOST_FIELDS)
    .map((field) => `${field.path}: expected ${cut(field.expected)}, got ${cut(field.actual)}`)
    .join('; ');
  const more =
    point.field_diffs.length > MOST_FIELDS ? ` (+${point.field_diffs.length - MOST_FIELDS} more)` : '';
  return `DIVERGED: [${point.divergence_type}] at step[${point.step_idx}]:${point.step_name}${event}: ${fields}${more}`;
}

/** Cuts by code points, as Python does. */
function cut(value: Json): string {
  const characters = [...pythonRepr(value)];
  return characters.length > LONGEST_VALUE
    ? `${characters.slice(0, LONGEST_VALUE - 3).join('')}...`
    : characters.join('');
}
