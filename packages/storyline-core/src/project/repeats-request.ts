import { equalJson } from '../json/equal.ts';
import type { Json } from '../json/value.ts';
import type { Turn } from '../storyline.ts';
import { messageContent } from './message-text.ts';
import { referenceOf, resultsOf } from './read-observation.ts';

/**
 * Whether a user turn only says a request again that an agent is at work on: it stands between calls and the turn that has their results,
 * as in sources that repeat the request in each row.
 */
export function repeatsRequest(turns: readonly Turn[], at: number, asked: Json | undefined): boolean {
  const turn = turns[at] as Turn;
  const before = turns[at - 1];
  if (turn.src !== 'user' || turn.observation !== undefined || turn.tool_calls !== undefined) return false;
  if (asked === undefined || before === undefined || !equalJson(messageContent(turn.msg), asked))
    return false;
  const answered = new Set(resultsOf(before.observation).map(referenceOf));
  const open = (before.tool_calls ?? []).filter(
    (call) => call.result === undefined && !answered.has(call.tcid),
  );
  const given = new Set(resultsOf(turns[at + 1]?.observation).map(referenceOf));
  return open.some((call) => given.has(call.tcid));
}
