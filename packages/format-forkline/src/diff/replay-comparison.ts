import type { JsonObject } from '@pchronicle/storyline-core';
import type { FieldDifference } from './replay-fields.ts';

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
