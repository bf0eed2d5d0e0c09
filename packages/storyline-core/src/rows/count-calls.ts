import type { Storyline } from '../storyline.ts';
import { callFailed, resultsByCall } from './call-results.ts';

/** How many calls a Storyline has, and how many of them are known to have failed. */
export function countCalls(storyline: Storyline): { readonly calls: bigint; readonly failed: bigint } {
  let calls = 0;
  let failed = 0;
  const byCall = resultsByCall(storyline.turns);
  for (const { tool_calls: made = [] } of storyline.turns) {
    calls += made.length;
    for (const call of made) if (callFailed(call, byCall.get(call.tcid) ?? []) === true) failed += 1;
  }
  return { calls: BigInt(calls), failed: BigInt(failed) };
}
