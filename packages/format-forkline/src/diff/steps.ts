import type { Json } from '@pchronicle/storyline-core';

/** One event of a step, as the engines look at it. */
export interface StepEvent {
  readonly type: string;
  readonly payload: Json;
}

/** One step of a traced run; comparison goes by position in the list, `idx` is a label. */
export interface Step {
  readonly idx: number;
  readonly name: string;
  readonly events: readonly StepEvent[];
}

/** A traced run, as first divergence and replay comparison take it. */
export interface TracedRun {
  readonly run_id: string;
  readonly steps: readonly Step[];
}
