import { isNumeric } from '../json/value.ts';
import { documentIdOf, type Storyline, storylineToJson } from '../storyline.ts';
import type { RunRow } from './columns.ts';
import { wellFormed } from './common-cells.ts';
import { contentHash } from './content-hash.ts';
import { countCalls } from './count-calls.ts';
import { exactCells } from './exact-cells.ts';
import type { RowIdentity } from './row-identity.ts';
import { timeRange } from './time-range.ts';
import { countTokens } from './token-counts.ts';

/** The row of `runs`. The columns of the outcome, the counts and the times are promotions; the JSON beside them is what is read back. */
export function runRow(storyline: Storyline, identity: RowIdentity): RunRow {
  const cells = exactCells();
  const json = storylineToJson(storyline);
  const { agent } = storyline;
  const result = storyline.task?.result;
  const score = result?.score;
  const totals = countCalls(storyline);
  const tokens = countTokens(storyline);
  const times = timeRange(storyline);
  return {
    document_key: identity.documentKey,
    ingest_id: identity.ingestId,
    revision: identity.revision,
    deleted: false,
    content_hash: identity.contentHash ?? contentHash(storyline),
    ingested_at: identity.ingestedAt,
    source_id: identity.sourceId,
    source_path: identity.sourcePath ?? null,
    source_document: identity.sourceDocument ?? null,
    source_record: identity.sourceRecord === undefined ? null : BigInt(identity.sourceRecord),
    source_offset: identity.sourceOffset === undefined ? null : BigInt(identity.sourceOffset),
    source_format: wellFormed(storyline.origin?.format),
    schema_version: storyline.schema_version,
    origin_json: cells.json('origin_json', json.origin),
    document_id: cells.text('document_id', documentIdOf(storyline)),
    storage_ordinal: identity.storageOrdinal,
    trajectory_id_explicit: storyline.trajectory !== undefined,
    run_id: cells.text('run_id', storyline.run),
    attempt_id: cells.text('attempt_id', storyline.attempt_id),
    session_id: cells.text('session_id', storyline.session),
    agent_id: cells.text('agent_id', agent.id),
    agent_name: cells.text('agent_name', agent.name),
    agent_version: cells.text('agent_version', agent.ver),
    agent_model_name: cells.text('agent_model_name', agent.model),
    agent_tool_definitions_json: cells.json('agent_tool_definitions_json', agent.tools),
    agent_extra_json: cells.json('agent_extra_json', agent.extra),
    parent_json: cells.json('parent_json', json.parent),
    child_session_ids_json: cells.json('child_session_ids_json', storyline.children),
    notes: cells.text('notes', storyline.notes),
    final_metrics_json: cells.json('final_metrics_json', storyline.final_metrics),
    continued_trajectory_ref: cells.text('continued_trajectory_ref', storyline.continued_trajectory_ref),
    extra_json: cells.json('extra_json', storyline.extra),
    meta_json: cells.json('meta_json', storyline.meta),
    unknown_fields_json: cells.json('unknown_fields_json', json.unknown_fields),
    unknown_key_counts_json: cells.json('unknown_key_counts_json', json.unknown_key_counts),
    task_json: cells.json('task_json', json.task),
    started_at_json: cells.json('started_at_json', storyline.started_at),
    finished_at_json: cells.json('finished_at_json', storyline.finished_at),
    prompt_json: cells.json('prompt_json', json.prompt),
    outcome: wellFormed(
      result?.correct === undefined ? result?.status : result.correct ? 'correct' : 'incorrect',
    ),
    correct: result?.correct ?? null,
    score: isNumeric(score) && Number.isFinite(Number(score)) ? Number(score) : null,
    status: wellFormed(result?.status),
    step_count: BigInt(storyline.turns.length),
    tool_call_count: totals.calls,
    failed_tool_call_count: totals.failed,
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    first_time: times.first,
    last_time: times.last,
    exact_json: cells.takeExact(),
  };
}
