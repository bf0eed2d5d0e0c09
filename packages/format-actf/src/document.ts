import type { Json, JsonInteger, JsonObject } from '@pchronicle/storyline-core';

/** The only trajectory version of ACTF v1.0. */
export const ACTF_VERSION = 'ACTF_v1.0';

/** The value of `type` on calls and observations that ran a shell command. */
export const COMMAND_EXECUTION = 'command_execution';

/** Root of an ACTF document without its attempts: one benchmark task (RFC-0004, data model). Unknown keys are kept. */
export type ActfRoot = JsonObject & {
  readonly task_id: string;
  readonly category: string;
  /** How many attempts the task allows; above 0. */
  readonly k: JsonInteger;
  readonly correct: boolean;
  /** The number of attempts in the document. */
  readonly attempts_tried: JsonInteger;
  readonly solved_at?: string | null;
  readonly retry_count?: Json;
  readonly retry_counts?: Json;
};

/** An ACTF document: one task and its attempts by id. */
export type ActfDocument = ActfRoot & {
  readonly attempts: { readonly [id: string]: ActfAttempt };
};

/** One attempt at the task. Its trajectory is an object, or the event array of a failed OpenClaw run. */
export type ActfAttempt = JsonObject & {
  readonly correct: boolean;
  readonly final_answer?: Json;
  readonly ground_truth?: Json;
  readonly status?: string | null;
  readonly score?: Json;
  readonly max_score?: Json;
  readonly error?: string | null;
  readonly artifacts?: Json;
  readonly extra?: Json;
  readonly analysis_result?: Json;
  readonly meta?: Json;
  readonly trajectory: ActfTrajectory | readonly Json[];
};

/** A trajectory in ACTF's own shape. Times are RFC 3339 text. */
export type ActfTrajectory = JsonObject & {
  readonly schema_version: typeof ACTF_VERSION;
  readonly started_at: string;
  readonly finished_at: string;
  readonly steps: readonly ActfStep[];
};

/** One step of the agent. `step_id` is positive and strictly increasing within a trajectory. */
export type ActfStep = JsonObject & {
  readonly step_id: JsonInteger;
  readonly assistant_content: ActfAssistantContent;
  readonly metric: ActfMetric;
  readonly system_prompt?: string | null;
  readonly user_content?: string | null;
  readonly tools?: readonly ActfTool[] | null;
  readonly observation?: readonly ActfObservation[] | null;
  readonly started_at: string;
  readonly finished_at: string;
};

/** What the model said in a step. */
export type ActfAssistantContent = JsonObject & {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly ActfTool[] | null;
};

/** Counters of a step, kept as they are: numbers or null. Durations are milliseconds. */
export type ActfMetric = JsonObject & {
  readonly prompt_tokens_len?: Json;
  readonly completion_tokens_len?: Json;
  readonly llm_infer_ms?: Json;
  readonly env_action_ms?: Json;
  readonly stop_reason?: Json;
};

/** A tool call: `tool_use` with name and input, `command_execution` with command and output, or the OpenAI shape. */
export type ActfTool = JsonObject & {
  readonly type?: string | null;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly input?: Json;
  readonly arguments?: Json;
  readonly command?: Json;
  readonly function?: ActfFunction | null;
  readonly aggregated_output?: Json;
  readonly status?: Json;
  readonly exit_code?: Json;
};

/** The OpenAI shape of a call's name and arguments. */
export type ActfFunction = JsonObject & {
  readonly name?: string | null;
  readonly arguments?: Json;
};

/** What the environment answered; a reference (`tool_use_id`, else `id`) names a call of the same step. */
export type ActfObservation = JsonObject & {
  readonly type?: string | null;
  readonly id?: string | null;
  readonly tool_use_id?: string | null;
  readonly content?: Json;
  readonly aggregated_output?: Json;
};

/** What the attempts of one document share: its root members, and how many attempts there are. */
export interface ActfFrame {
  readonly root: ActfRoot;
  readonly attempts: number;
  /** Root members that the writer filled with a default, because no Storyline had a value for them. */
  readonly defaults?: ReadonlySet<string>;
}

/** One well-formed attempt. */
export interface ActfPart {
  readonly frame: ActfFrame;
  readonly id: string;
  /** RFC 6901 pointer of the attempt in its document. */
  readonly pointer: string;
  readonly attempt: ActfAttempt;
}
