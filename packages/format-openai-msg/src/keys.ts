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

/** Where a value of a row stands: in the row itself, in `meta_json`, or in its `env_state`. */
export type RowPlace = 'row' | 'meta' | 'state';

/** One value of the environment: where it stands, its key, and its slot in a Storyline environment; one without goes to the open `state` there. */
export type EnvKey = readonly [
  place: RowPlace,
  key: string,
  slot?: 'name' | 'endpoint' | 'id' | 'event_type' | 'request_id',
];

/** The environment values that are stable over a session (RFC-0009, authoritative fields). */
export const STABLE_ENV: readonly EnvKey[] = [
  ['row', 'env_name', 'name'],
  ['state', 'endpoint', 'endpoint'],
  ['row', 'dataset_type'],
  ['row', 'dt'],
  ['meta', 'group_id'],
  ['state', 'redaction_policy'],
  ['state', 'upstream_base_url'],
  ['state', 'weight_version'],
];

/** The environment values of a single turn: never shared by the session. */
export const TURN_ENV: readonly EnvKey[] = [
  ['row', 'id', 'id'],
  ['state', 'event_type', 'event_type'],
  ['state', 'request_id', 'request_id'],
];

/** The format's id, and the name of its residual source. */
export const SOURCE = 'openai-msg';

/** Auxiliary source that holds what the way back needs and no Storyline field can hold (decisions O2, G19). */
export const LAYOUT_SOURCE = 'openai-msg-layout';

/** Root member that holds the rows. */
export const ROWS_MEMBER = 'session_steps';

/** `agent.id` of a session that names no agent and no model (RFC-0009, derived identity). */
export const DEFAULT_AGENT = 'openai-import';
