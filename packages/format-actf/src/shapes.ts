/** What a known key may hold; `!` marks a key that must be there and not null. */
export type Kind =
  | 'any'
  | 'boolean'
  | 'string'
  /** Text with something besides white space. */
  | 'text'
  /** RFC 3339 text. */
  | 'time'
  /** An integer above 0. */
  | 'positive'
  | 'integer'
  | 'number'
  | 'object'
  /** An array whose elements are objects. */
  | 'objects'
  /** A trajectory object, or an array of events. */
  | 'trajectory';

/** The known keys of one ACTF object. All objects are open: every other key is data. */
export interface Shape {
  readonly [key: string]: Kind | `${Kind}!`;
}

/** Root of a document (RFC-0004, data model and validation). */
export const ROOT = {
  task_id: 'text!',
  category: 'text!',
  k: 'positive!',
  correct: 'boolean!',
  attempts_tried: 'integer!',
  solved_at: 'string',
  retry_count: 'any',
  retry_counts: 'any',
} as const satisfies Shape;

/** One attempt. */
export const ATTEMPT = {
  correct: 'boolean!',
  final_answer: 'any',
  ground_truth: 'any',
  status: 'string',
  score: 'any',
  max_score: 'any',
  error: 'string',
  artifacts: 'any',
  extra: 'any',
  analysis_result: 'any',
  meta: 'any',
  trajectory: 'trajectory!',
} as const satisfies Shape;

/** A trajectory object. */
export const TRAJECTORY = {
  schema_version: 'string!',
  started_at: 'time!',
  finished_at: 'time!',
  steps: 'objects!',
} as const satisfies Shape;

/** One step. */
export const STEP = {
  step_id: 'positive!',
  assistant_content: 'object!',
  metric: 'object!',
  system_prompt: 'string',
  user_content: 'string',
  tools: 'objects',
  observation: 'objects',
  started_at: 'time!',
  finished_at: 'time!',
} as const satisfies Shape;

/** What the model said. */
export const CONTENT = {
  content: 'string',
  reasoning_content: 'string',
  tool_calls: 'objects',
} as const satisfies Shape;

/** The counters of a step. */
export const METRIC = {
  prompt_tokens_len: 'number',
  completion_tokens_len: 'number',
  llm_infer_ms: 'number',
  env_action_ms: 'number',
  stop_reason: 'any',
} as const satisfies Shape;

/** A tool call: the ten keys that are consumed wherever they appear. */
export const TOOL = {
  type: 'string',
  id: 'string',
  name: 'string',
  input: 'any',
  arguments: 'any',
  command: 'any',
  function: 'object',
  aggregated_output: 'any',
  status: 'any',
  exit_code: 'any',
} as const satisfies Shape;

/** The OpenAI shape inside a call. */
export const FUNCTION = { name: 'string', arguments: 'any' } as const satisfies Shape;

/** One observation. */
export const OBSERVATION = {
  type: 'string',
  id: 'string',
  tool_use_id: 'string',
} as const satisfies Shape;
