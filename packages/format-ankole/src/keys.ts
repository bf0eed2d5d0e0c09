/** Id of the format, and the name of its residual source. */
export const SOURCE = 'ankole';

/** Auxiliary source: what the way back needs and the Storyline does not tell (decision G19); one field, at the pointer "". */
export const LAYOUT_SOURCE = 'ankole-layout';
export const LAYOUT_POINTER = '';

/** Member under which rows of JSON Lines stand in pointers. */
export const ROWS_MEMBER = 'rows';

/** The ChatML document of version 1. */
export const CHATML_FORMAT = 'ankole_chatml';
export const CHATML_VERSION = 1;

/** Members of a row of `ai_gateway_messages` as the Console gives it. */
export const MESSAGE_ROW_KEYS = [
  'id',
  'subject_uid',
  'conversation_id',
  'type',
  'role',
  'status',
  'previous_message_id',
  'content',
  'metadata',
  'inserted_at',
  'updated_at',
] as const;

/**
 * Members of a row of `background_agent_job_turn_items` besides its `item`, and of its forerunner, `background_agent_job_turn_trajectory_groups`,
 * besides its `content`.
 */
export const ITEM_ROW_KEYS = ['turn_id', 'position', 'revision', 'item_key', 'inserted_at'] as const;

/** Members of a job as the Console gives it, besides `turns` and its cursor. */
export const JOB_KEYS = [
  'id',
  'agent_uid',
  'owner_session_id',
  'source_actor_event_id',
  'source_tool_call_id',
  'runtime_thread_id',
  'title',
  'task',
  'status',
  'attempts',
  'execution_failures',
  'workspace_template_id',
  'model_profile',
  'reply_route',
  'result',
  'error',
  'metadata',
  'duration_seconds',
  'queued_at',
  'started_at',
  'completed_at',
  'inserted_at',
  'updated_at',
] as const;

/** Members of a turn of a job. */
export const JOB_TURN_KEYS = [
  'id',
  'attempt',
  'runtime_thread_id',
  'runtime_turn_id',
  'kind',
  'status',
  'revision',
  'trajectory',
  'progress',
  'usage',
  'error',
  'started_at',
  'completed_at',
  'inserted_at',
  'updated_at',
] as const;
