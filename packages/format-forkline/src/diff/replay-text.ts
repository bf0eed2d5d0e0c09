import type { Json, JsonObject } from '@pchronicle/storyline-core';
import { pythonRepr } from '../python/repr.ts';
import type { ReplayComparison } from './replay-comparison.ts';

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
