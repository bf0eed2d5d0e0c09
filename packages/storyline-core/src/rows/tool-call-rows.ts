import type { Json } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import { callFailed, resultsByCall } from './call-results.ts';
import type { ToolCallRow } from './columns.ts';
import { commonCells } from './common-cells.ts';
import { exactCells } from './exact-cells.ts';
import type { RowIdentity } from './row-identity.ts';

/** The rows of `tool_calls`, one a call, each with the results of its own turn that answer it; whether it has one, and failed, any turn may tell. */
export function* toolCallRows(storyline: Storyline, identity: RowIdentity): Generator<ToolCallRow> {
  const common = commonCells(storyline, identity);
  const cells = exactCells();
  const answers = resultsByCall(storyline.turns);
  for (const [ordinal, turn] of storyline.turns.entries()) {
    if (turn.tool_calls === undefined || turn.tool_calls.length === 0) continue;
    const byCall = resultsByCall([turn]);
    for (const [index, call] of turn.tool_calls.entries()) {
      const answered = answers.get(call.tcid) ?? [];
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
        results_json: cells.json('results_json', byCall.get(call.tcid) ?? []),
        duration_ms: cells.integer('duration_ms', call.duration_ms),
        extra_json: cells.json('extra_json', call.extra),
        kind: cells.text('kind', call.kind),
        response_json: cells.json('response_json', call.response as Json | undefined),
        has_result: call.result !== undefined || answered.length > 0,
        failed: callFailed(call, answered),
        exact_json: cells.takeExact(),
      } satisfies ToolCallRow;
    }
  }
}
