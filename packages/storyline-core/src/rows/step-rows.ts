import type { Json } from '../json/value.ts';
import { effectiveKind } from '../storyline/effective-kind.ts';
import type { Storyline } from '../storyline.ts';
import type { StepRow } from './columns.ts';
import { commonCells, wellFormed } from './common-cells.ts';
import { exactCells } from './exact-cells.ts';
import type { RowIdentity } from './row-identity.ts';
import { instant } from './time-range.ts';

/** The rows of `steps`, one a turn. */
export function* stepRows(storyline: Storyline, identity: RowIdentity): Generator<StepRow> {
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
