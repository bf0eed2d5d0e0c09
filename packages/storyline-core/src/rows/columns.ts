import type { Column, ColumnType, NamedColumn, RowOf, TableName } from './column.ts';

function column<const Name extends string, const Type extends ColumnType>(
  name: Name,
  type: Type,
  doc: string,
): NamedColumn<Name, Type, false> {
  return { name, type, nullable: false, doc };
}

function nullable<const Name extends string, const Type extends ColumnType>(
  name: Name,
  type: Type,
  doc: string,
): NamedColumn<Name, Type, true> {
  return { name, type, nullable: true, doc };
}

const documentKey = column('document_key', 'utf8', 'Identity of the document in the store; joins use it.');
const ingestId = column('ingest_id', 'utf8', 'Which ingest of the document wrote this row.');
const documentId = column('document_id', 'utf8', 'The trajectory, else the session.');
const runId = nullable('run_id', 'utf8', 'Identity of the run.');
const sessionId = column('session_id', 'utf8', 'The session.');
const exactJson = nullable(
  'exact_json',
  'utf8',
  'Column name to exact JSON text, for each column of this row that cannot hold its value exactly (lone surrogates, integers past 64 bits, NaN).',
);

/** Columns of `runs`: one row a Storyline. */
export const RUN_COLUMNS = [
  documentKey,
  ingestId,
  column('revision', 'int64', 'Counts the ingests of the document; the greatest is the newest.'),
  column('deleted', 'bool', 'True: from this revision on the document is gone.'),
  nullable(
    'content_hash',
    'utf8',
    'SHA-256 of the canonical JSON without the places that name the source file.',
  ),
  column('ingested_at', 'timestamp_ns', 'When it was ingested.'),
  column('source_id', 'utf8', 'Identity of the input.'),
  nullable('source_path', 'utf8', 'Path or URI of the input as the user gave it.'),
  nullable(
    'source_document',
    'utf8',
    'Identity of the source document in its input: an ACTF task, a group of rows.',
  ),
  nullable('source_record', 'int64', 'Number of the record in the input, from 1.'),
  nullable('source_offset', 'int64', 'Byte offset of the record in the input.'),
  nullable('source_format', 'utf8', 'Format of the input: origin.format.'),
  column('schema_version', 'utf8', 'Schema of the Storyline: storyline/v1.'),
  nullable('origin_json', 'utf8', 'origin.'),
  documentId,
  column('storage_ordinal', 'int64', 'Position among the Storylines of its input.'),
  column('trajectory_id_explicit', 'bool', 'Whether document_id is the trajectory (else the session).'),
  runId,
  nullable('attempt_id', 'utf8', 'Identity of the attempt.'),
  sessionId,
  column('agent_id', 'utf8', 'agent.id.'),
  nullable('agent_name', 'utf8', 'agent.name.'),
  nullable('agent_version', 'utf8', 'agent.ver.'),
  nullable('agent_model_name', 'utf8', 'agent.model.'),
  nullable('agent_tool_definitions_json', 'utf8', 'agent.tools.'),
  nullable('agent_extra_json', 'utf8', 'agent.extra.'),
  nullable('parent_json', 'utf8', 'parent.'),
  nullable('child_session_ids_json', 'utf8', 'children.'),
  nullable('notes', 'utf8', 'notes.'),
  nullable('final_metrics_json', 'utf8', 'final_metrics.'),
  nullable('continued_trajectory_ref', 'utf8', 'continued_trajectory_ref.'),
  nullable('extra_json', 'utf8', 'extra.'),
  nullable('meta_json', 'utf8', 'meta.'),
  nullable('unknown_fields_json', 'utf8', 'unknown_fields.'),
  nullable('unknown_key_counts_json', 'utf8', 'unknown_key_counts.'),
  nullable('task_json', 'utf8', 'task.'),
  nullable('started_at_json', 'utf8', 'started_at as the source wrote it.'),
  nullable('finished_at_json', 'utf8', 'finished_at as the source wrote it.'),
  nullable('prompt_json', 'utf8', 'prompt.'),
  nullable(
    'outcome',
    'utf8',
    'correct or incorrect where task.result.correct says so, else task.result.status.',
  ),
  nullable('correct', 'bool', 'task.result.correct.'),
  nullable('score', 'float64', 'task.result.score, where it is a number.'),
  nullable('status', 'utf8', 'task.result.status.'),
  column('step_count', 'int64', 'Number of turns.'),
  column('tool_call_count', 'int64', 'Number of tool calls.'),
  column('failed_tool_call_count', 'int64', 'Number of tool calls known to have failed.'),
  nullable('prompt_tokens', 'int64', 'Prompt tokens of all turns that are not copied context.'),
  nullable('completion_tokens', 'int64', 'Completion tokens of all turns that are not copied context.'),
  nullable(
    'first_time',
    'timestamp_ns',
    'Earliest time of the document and of turns that are not copied context.',
  ),
  nullable(
    'last_time',
    'timestamp_ns',
    'Latest time of the document and of turns that are not copied context.',
  ),
  exactJson,
] as const satisfies readonly Column[];

/** Columns of `steps`: one row a turn. */
export const STEP_COLUMNS = [
  documentKey,
  ingestId,
  documentId,
  runId,
  sessionId,
  column('step_id', 'int64', 'id of the turn.'),
  column('turn_ordinal', 'int64', 'Position of the turn, from 0.'),
  nullable('kind', 'utf8', 'kind, where the turn has one.'),
  column('effective_kind', 'utf8', 'kind, else what src and tool calls imply.'),
  nullable('timestamp', 'timestamp_ns', 'The instant of ts.'),
  nullable('timestamp_source_json', 'utf8', 'ts as the source wrote it.'),
  column('source', 'utf8', 'src.'),
  column('message_json', 'utf8', 'msg.'),
  nullable('reasoning_content', 'utf8', 'reason.'),
  nullable('reasoning_effort_json', 'utf8', 'effort.'),
  nullable('metrics_json', 'utf8', 'metrics.'),
  nullable('model_name', 'utf8', 'model.'),
  nullable('llm_call_count', 'int64', 'nllm.'),
  nullable('is_copied_context', 'bool', 'copied.'),
  nullable('latency_ms', 'int64', 'latency_ms.'),
  nullable('ttft_ms', 'int64', 'ttft_ms.'),
  column('had_tool_calls', 'bool', 'Whether the turn has tool_calls, an empty array included.'),
  column('had_observation', 'bool', 'Whether the turn has an observation.'),
  nullable('observation_json', 'utf8', 'observation.'),
  nullable('extra_json', 'utf8', 'extra.'),
  nullable('env_json', 'utf8', 'env.'),
  nullable('finished_at_json', 'utf8', 'finished_at as the source wrote it.'),
  nullable('prompt_json', 'utf8', 'prompt.'),
  exactJson,
] as const satisfies readonly Column[];

/** Columns of `tool_calls`: one row a call. */
export const TOOL_CALL_COLUMNS = [
  documentKey,
  ingestId,
  documentId,
  runId,
  sessionId,
  column('step_id', 'int64', 'id of the turn that calls.'),
  column('turn_ordinal', 'int64', 'Position of that turn, from 0.'),
  column('call_index', 'int64', 'Position of the call in its turn, from 0.'),
  column('tool_call_id', 'utf8', 'tcid.'),
  column('function_name', 'utf8', 'fn.'),
  column('arguments_json', 'utf8', 'args.'),
  nullable('result_json', 'utf8', 'result.'),
  column('results_json', 'utf8', 'The results of the turn’s observation that answer this call.'),
  nullable('duration_ms', 'int64', 'duration_ms.'),
  nullable('extra_json', 'utf8', 'extra.'),
  nullable('kind', 'utf8', 'kind.'),
  nullable('response_json', 'utf8', 'response.'),
  column('has_result', 'bool', 'Whether the call has a result of its own or one in the observation.'),
  nullable('failed', 'bool', 'Whether the call failed; null when nothing says so or otherwise.'),
  exactJson,
] as const satisfies readonly Column[];

/** The columns of each table: the one place where they are defined. */
export const COLUMNS: {
  readonly runs: typeof RUN_COLUMNS;
  readonly steps: typeof STEP_COLUMNS;
  readonly tool_calls: typeof TOOL_CALL_COLUMNS;
} = {
  runs: RUN_COLUMNS,
  steps: STEP_COLUMNS,
  tool_calls: TOOL_CALL_COLUMNS,
} satisfies { readonly [table in TableName]: readonly Column[] };

/** A row of `runs`. */
export type RunRow = RowOf<typeof RUN_COLUMNS>;
/** A row of `steps`. */
export type StepRow = RowOf<typeof STEP_COLUMNS>;
/** A row of `tool_calls`. */
export type ToolCallRow = RowOf<typeof TOOL_CALL_COLUMNS>;
