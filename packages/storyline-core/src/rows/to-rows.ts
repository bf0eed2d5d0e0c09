import { isNumeric, type Json } from '../json/value.ts';
import { effectiveKind } from '../storyline/effective-kind.ts';
import { parseTime } from '../storyline/time.ts';
import { documentIdOf, type Storyline, storylineToJson, type TimeValue } from '../storyline.ts';
import { callFailed, resultsByCall } from './call-results.ts';
import type { RunRow, StepRow, ToolCallRow } from './columns.ts';
import { contentHash } from './content-hash.ts';
import { exactCells, wellFormedText } from './exact-cells.ts';
import { countTokens } from './token-counts.ts';

/** What a store knows about a Storyline besides its content: the columns that come from outside. */
export interface RowIdentity {
  readonly documentKey: string;
  readonly ingestId: string;
  readonly revision: bigint;
  /** Nanoseconds since the epoch. */
  readonly ingestedAt: bigint;
  readonly sourceId: string;
  readonly sourcePath?: string;
  readonly sourceDocument?: string;
  /** From 1. */
  readonly sourceRecord?: number;
  readonly sourceOffset?: number;
  readonly storageOrdinal: bigint;
  /** Where it is known already; else it is computed. */
  readonly contentHash?: string;
}

/** One Storyline as rows. Steps and calls are made while they are iterated, so that a long story is never there twice. */
export interface StorylineRows {
  readonly run: RunRow;
  steps(): Iterable<StepRow>;
  toolCalls(): Iterable<ToolCallRow>;
}

/** The rows of a canonical Storyline (store.md, "Columns"). Their exact inverse is {@link fromRows}. */
export function toRows(storyline: Storyline, identity: RowIdentity): StorylineRows {
  return {
    run: runRow(storyline, identity),
    steps: () => stepRows(storyline, identity),
    toolCalls: () => toolCallRows(storyline, identity),
  };
}

function runRow(storyline: Storyline, identity: RowIdentity): RunRow {
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

function* stepRows(storyline: Storyline, identity: RowIdentity): Generator<StepRow> {
  const common = commonCells(storyline, identity);
  const cells = exactCells();
  for (const [ordinal, turn] of storyline.turns.entries()) {
    // Written out, and with exact_json last: rows are many, and spreading would make each twice.
    yield {
      document_key: common.document_key,
      ingest_id: common.ingest_id,
      document_id: common.document_id,
      run_id: common.run_id,
      session_id: common.session_id,
      step_id: cells.integer('step_id', turn.id),
      turn_ordinal: BigInt(ordinal),
      kind: cells.text('kind', turn.kind),
      effective_kind: wellFormed(effectiveKind(turn)) ?? '',
      timestamp: instant(turn.ts),
      timestamp_source_json: cells.json('timestamp_source_json', turn.ts),
      source: cells.text('source', turn.src),
      message_json: cells.json('message_json', turn.msg),
      reasoning_content: cells.text('reasoning_content', turn.reason),
      reasoning_effort_json: cells.json('reasoning_effort_json', turn.effort),
      metrics_json: cells.json('metrics_json', turn.metrics),
      model_name: cells.text('model_name', turn.model),
      llm_call_count: cells.integer('llm_call_count', turn.nllm),
      is_copied_context: turn.copied ?? null,
      latency_ms: cells.integer('latency_ms', turn.latency_ms),
      ttft_ms: cells.integer('ttft_ms', turn.ttft_ms),
      had_tool_calls: turn.tool_calls !== undefined,
      had_observation: turn.observation !== undefined,
      observation_json: cells.json('observation_json', turn.observation),
      extra_json: cells.json('extra_json', turn.extra),
      env_json: cells.json('env_json', turn.env as Json | undefined),
      finished_at_json: cells.json('finished_at_json', turn.finished_at),
      prompt_json: cells.json('prompt_json', turn.prompt as Json | undefined),
      exact_json: cells.takeExact(),
    } satisfies StepRow;
  }
}

function* toolCallRows(storyline: Storyline, identity: RowIdentity): Generator<ToolCallRow> {
  const common = commonCells(storyline, identity);
  const cells = exactCells();
  for (const [ordinal, turn] of storyline.turns.entries()) {
    if (turn.tool_calls === undefined || turn.tool_calls.length === 0) continue;
    const byCall = resultsByCall(turn);
    for (const [index, call] of turn.tool_calls.entries()) {
      const results = byCall.get(call.tcid) ?? [];
      yield {
        document_key: common.document_key,
        ingest_id: common.ingest_id,
        document_id: common.document_id,
        run_id: common.run_id,
        session_id: common.session_id,
        step_id: cells.integer('step_id', turn.id),
        turn_ordinal: BigInt(ordinal),
        call_index: BigInt(index),
        tool_call_id: cells.text('tool_call_id', call.tcid),
        function_name: cells.text('function_name', call.fn),
        arguments_json: cells.json('arguments_json', call.args),
        result_json: cells.json('result_json', call.result),
        results_json: cells.json('results_json', results),
        duration_ms: cells.integer('duration_ms', call.duration_ms),
        extra_json: cells.json('extra_json', call.extra),
        kind: cells.text('kind', call.kind),
        response_json: cells.json('response_json', call.response as Json | undefined),
        has_result: call.result !== undefined || results.length > 0,
        failed: callFailed(call, results),
        exact_json: cells.takeExact(),
      } satisfies ToolCallRow;
    }
  }
}

/** Cells that every row of a document repeats. Only the run's own are read back, so only they have an exact form. */
function commonCells(
  storyline: Storyline,
  identity: RowIdentity,
): Pick<StepRow, 'document_key' | 'ingest_id' | 'document_id' | 'run_id' | 'session_id'> {
  return {
    document_key: identity.documentKey,
    ingest_id: identity.ingestId,
    document_id: wellFormed(documentIdOf(storyline)) ?? '',
    run_id: wellFormed(storyline.run),
    session_id: wellFormed(storyline.session) ?? '',
  };
}

/** A text that only promotes: it is never read back. */
function wellFormed(text: string | undefined): string | null {
  return text === undefined ? null : wellFormedText(text);
}

function instant(time: TimeValue | undefined): bigint | null {
  if (time === undefined) return null;
  const parsed = parseTime(time);
  return 'fault' in parsed ? null : parsed.nanoseconds;
}

function countCalls(storyline: Storyline): { readonly calls: bigint; readonly failed: bigint } {
  let calls = 0;
  let failed = 0;
  for (const turn of storyline.turns) {
    if (turn.tool_calls === undefined || turn.tool_calls.length === 0) continue;
    const byCall = resultsByCall(turn);
    calls += turn.tool_calls.length;
    for (const call of turn.tool_calls)
      if (callFailed(call, byCall.get(call.tcid) ?? []) === true) failed += 1;
  }
  return { calls: BigInt(calls), failed: BigInt(failed) };
}

function timeRange(storyline: Storyline): { readonly first: bigint | null; readonly last: bigint | null } {
  let first: bigint | null = null;
  let last: bigint | null = null;
  const see = (time: TimeValue | undefined): void => {
    const at = instant(time);
    if (at === null) return;
    if (first === null || at < first) first = at;
    if (last === null || at > last) last = at;
  };
  see(storyline.started_at);
  see(storyline.finished_at);
  for (const turn of storyline.turns) {
    if (turn.copied === true) continue;
    see(turn.ts);
    see(turn.finished_at);
  }
  return { first, last };
}
