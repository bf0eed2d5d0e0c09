import { isInteger, toBigInt } from '../json/number.ts';
import { getOwn, isJsonObject, type Json } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';

// The names that sources give to the same counter, in order of preference.
const PROMPT = ['prompt_tokens_len', 'prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens', 'input'];
const COMPLETION = [
  'completion_tokens_len',
  'completion_tokens',
  'output_tokens',
  'completionTokens',
  'outputTokens',
  'output',
];
const MAX_INT64 = 9_223_372_036_854_775_807n;

/** Token sums of a Storyline; null where nothing counts them. */
export interface TokenCounts {
  readonly prompt: bigint | null;
  readonly completion: bigint | null;
}

/** Adds the token counters of all turns that are not copied context; where no turn has one, the totals of `final_metrics`. */
export function countTokens(storyline: Storyline): TokenCounts {
  return {
    prompt: sum(storyline, PROMPT, 'total_prompt_tokens'),
    completion: sum(storyline, COMPLETION, 'total_completion_tokens'),
  };
}

function sum(storyline: Storyline, names: readonly string[], total: string): bigint | null {
  let result: bigint | null = null;
  for (const turn of storyline.turns) {
    if (turn.copied === true) continue;
    const count = counter(turn.metrics, names);
    if (count !== null) result = (result ?? 0n) + count;
  }
  result ??= counter(storyline.final_metrics, [total, ...names]);
  return result !== null && result > MAX_INT64 ? null : result;
}

function counter(metrics: Json | undefined, names: readonly string[]): bigint | null {
  if (!isJsonObject(metrics)) return null;
  for (const name of names) {
    const value = getOwn(metrics, name);
    if (isInteger(value) && Number(value) >= 0) return toBigInt(value);
  }
  const usage = getOwn(metrics, 'usage');
  return isJsonObject(usage) ? counter({ ...usage, usage: null }, names) : null;
}
