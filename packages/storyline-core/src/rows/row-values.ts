import type { Json, JsonObject, MutableJsonObject } from '../json/value.ts';
import { STORYLINE_VERSION } from '../storyline.ts';
import type { CellReader } from './cell-reader.ts';
import type { RunRow, StepRow } from './columns.ts';

/** The members of a Storyline that its row of `runs` holds: all but its turns. */
export function headOf(row: RunRow, cells: CellReader): JsonObject {
  return present({
    schema_version: row.schema_version === STORYLINE_VERSION ? STORYLINE_VERSION : row.schema_version,
    session: cells.text('session_id'),
    agent: present({
      id: cells.text('agent_id'),
      name: cells.text('agent_name'),
      ver: cells.text('agent_version'),
      model: cells.text('agent_model_name'),
      tools: cells.json('agent_tool_definitions_json'),
      extra: cells.json('agent_extra_json'),
    }),
    origin: cells.json('origin_json'),
    run: cells.text('run_id'),
    trajectory: row.trajectory_id_explicit ? cells.text('document_id') : undefined,
    attempt_id: cells.text('attempt_id'),
    parent: cells.json('parent_json'),
    children: cells.json('child_session_ids_json'),
    notes: cells.text('notes'),
    task: cells.json('task_json'),
    prompt: cells.json('prompt_json'),
    started_at: cells.json('started_at_json'),
    finished_at: cells.json('finished_at_json'),
    final_metrics: cells.json('final_metrics_json'),
    continued_trajectory_ref: cells.text('continued_trajectory_ref'),
    extra: cells.json('extra_json'),
    meta: cells.json('meta_json'),
    unknown_fields: cells.json('unknown_fields_json'),
    unknown_key_counts: cells.json('unknown_key_counts_json'),
  });
}

/** A turn without its calls. */
export function turnOf(row: StepRow, cells: CellReader): MutableJsonObject {
  return present({
    id: cells.integer('step_id'),
    src: cells.text('source'),
    msg: cells.json('message_json'),
    kind: cells.text('kind'),
    ts: cells.json('timestamp_source_json'),
    finished_at: cells.json('finished_at_json'),
    reason: cells.text('reasoning_content'),
    effort: cells.json('reasoning_effort_json'),
    observation: cells.json('observation_json'),
    metrics: cells.json('metrics_json'),
    extra: cells.json('extra_json'),
    model: cells.text('model_name'),
    nllm: cells.integer('llm_call_count'),
    latency_ms: cells.integer('latency_ms'),
    ttft_ms: cells.integer('ttft_ms'),
    copied: row.is_copied_context ?? undefined,
    env: cells.json('env_json'),
    prompt: cells.json('prompt_json'),
  });
}

/** A tool call. */
export function callOf(cells: CellReader): JsonObject {
  return present({
    tcid: cells.text('tool_call_id'),
    fn: cells.text('function_name'),
    args: cells.json('arguments_json'),
    result: cells.json('result_json'),
    duration_ms: cells.integer('duration_ms'),
    extra: cells.json('extra_json'),
    kind: cells.text('kind'),
    response: cells.json('response_json'),
  });
}

function present(object: { readonly [key: string]: Json | undefined }): MutableJsonObject {
  const result: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) result[key] = value;
  }
  return result;
}
