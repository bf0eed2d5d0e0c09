import type { Report } from '../issue.ts';
import type { ToolCall, Turn } from '../storyline.ts';
import type { Add } from './chatml-document.ts';
import { messageContent } from './message-text.ts';
import { contentOf, referenceOf, resultsOf } from './read-observation.ts';
import { resultOf } from './result-message.ts';

/** A call, and the position of its turn. */
export interface Called {
  readonly call: ToolCall;
  readonly at: number;
}

/** Results of a turn that answer calls of earlier turns: the turn was said with them in view, so they stand before it. */
export function showEarlierResults(
  turn: Turn,
  at: number,
  called: ReadonlyMap<string, Called>,
  add: Add,
  isExact: boolean,
): void {
  for (const result of resultsOf(turn.observation)) {
    const reference = referenceOf(result);
    const earlier = reference === undefined ? undefined : called.get(reference);
    if (earlier !== undefined && earlier.at !== at)
      add(resultOf(reference, earlier.call, result, contentOf(result), isExact), result);
  }
}

/** The other results of a turn in their order; a call whose result lies only in the call itself comes last. */
export function showResults(
  turn: Turn,
  at: number,
  called: ReadonlyMap<string, Called>,
  add: Add,
  report: Report,
  isExact: boolean,
): void {
  const calls = turn.tool_calls ?? [];
  const answered = new Set<string>();
  const results = resultsOf(turn.observation);
  const references = results.map(referenceOf);
  const named = new Set(references);
  const open = calls.filter((call) => !named.has(call.tcid));
  results.forEach((result, index) => {
    const reference =
      references[index] ?? (open.length === 1 && results.length === 1 ? open[0]?.tcid : undefined);
    const content = contentOf(result);
    if (reference === undefined) {
      const isResult = turn.src === 'tool';
      report(
        'info',
        'core/unreferenced-result',
        `/turns/${at}/observation/results/${index}`,
        `this observation names no call; it is shown as a ${isResult ? 'result of none' : 'user message'}`,
      );
      if (isResult) add(resultOf(undefined, undefined, result, content, isExact), result);
      else add({ role: 'user', content: messageContent(content ?? null) });
      return;
    }
    const answers = called.get(reference);
    if (answers !== undefined && answers.at !== at) return;
    answered.add(reference);
    add(resultOf(reference, answers?.call, result, content, isExact), result);
  });
  for (const call of calls) {
    if (call.result !== undefined && !answered.has(call.tcid))
      add(resultOf(call.tcid, call, {}, call.result, false), {});
  }
}
