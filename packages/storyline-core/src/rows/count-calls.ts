import type { Storyline } from '../storyline.ts';
import { callFailed, resultsByCall } from './call-results.ts';

/** How many calls a Storyline has, and how many of them are known to have failed. */
export function countCalls(storyline: Storyline): { readonly calls: bigint; readonly failed: bigint } {
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
