/** Keys of a row that become metrics of the response turn, in the order in which they are written (RFC-0009, authoritative fields). */
export const ROW_METRICS = [
  'reward',
  'step_reward',
  'is_terminal',
  'is_truncated',
  'is_session_completed',
  'is_trainable',
] as const;

/** Keys of `meta_json.env_state` that become metrics of the response turn (RFC-0009, authoritative fields). */
export const STATE_METRICS = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'request_bytes',
  'response_bytes',
  'output_bytes',
  'output_chunk_count',
  'finish_reason',
  'status_code',
  'retry_count',
  'upstream_latency_ms',
  'gateway_overhead_ms',
  'total_latency_ms',
  'ttft_ms',
  'truncate_reason',
  'error_type',
  'error_text',
  'client_cancelled',
  'upstream_cancelled',
  'synthetic_stop',
  'is_truncated',
  'is_session_completed',
  'max_steps',
  'is_stream',
  'payload_sampled',
  'created_at',
  'completed_at',
] as const;

/** Keys of a row that name its run: the first one with a text counts (RFC-0009, derived identity). */
export const RUN_KEYS = ['run_id', 'run_bucket', 'job_id'] as const;

/** Keys of a row that are dropped when they hold null, `[]` or `{}` (RFC-0009, residuals). */
export const OPTIONAL_PAYLOADS = [
  'blob_manifest',
  'chosen_response',
  'rejected_response',
  'ground_truth_answer',
  'reference_answer',
] as const;

/** Where a value of the environment stands in a row: in the row itself, in `meta_json`, or in its `env_state`. */
export type EnvPlace = 'row' | 'meta' | 'state';

/** One value of the environment that is stable over a session (RFC-0009, authoritative fields). */
export interface StableEnvKey {
  readonly place: EnvPlace;
  /** Key in the source. */
  readonly key: string;
  /** Slot of a Storyline environment; keys of its open `state` otherwise. */
  readonly slot?: 'name' | 'endpoint';
}

/** All session-stable environment values. */
export const STABLE_ENV: readonly StableEnvKey[] = [
  { place: 'row', key: 'env_name', slot: 'name' },
  { place: 'state', key: 'endpoint', slot: 'endpoint' },
  { place: 'row', key: 'dataset_type' },
  { place: 'row', key: 'dt' },
  { place: 'meta', key: 'group_id' },
  { place: 'state', key: 'redaction_policy' },
  { place: 'state', key: 'upstream_base_url' },
  { place: 'state', key: 'weight_version' },
];

/** Where the environment values of a single turn stand: never shared by the session. */
export const TURN_ENV = [
  { place: 'row', key: 'id', slot: 'id' },
  { place: 'state', key: 'event_type', slot: 'event_type' },
  { place: 'state', key: 'request_id', slot: 'request_id' },
] as const satisfies readonly { place: EnvPlace; key: string; slot: string }[];

/** The format's id, and the name of its residual source. */
export const SOURCE = 'openai-msg';

/** Auxiliary source that holds what the way back needs and no Storyline field can hold (decisions O2, G19). */
export const LAYOUT_SOURCE = 'openai-msg-layout';

/** Root member that holds the rows. */
export const ROWS_MEMBER = 'session_steps';

/** `agent.id` of a session that names no agent and no model (RFC-0009, derived identity). */
export const DEFAULT_AGENT = 'openai-import';
