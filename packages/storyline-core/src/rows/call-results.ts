import { getOwn, isJsonArray, isJsonObject, type Json } from '../json/value.ts';
import type { ToolCall, Turn } from '../storyline.ts';

const FAILURES = new Set(
  'aborted canceled cancelled denied error errored fail failed failure interrupted rejected timed_out timeout'.split(
    ' ',
  ),
);
const SUCCESSES = new Set('complete completed done ok passed success succeeded'.split(' '));

/** The results in the observations of turns by the call they answer (`source_call_id`, else `tool_call_id`), each list in order. */
export function resultsByCall(turns: readonly Turn[]): ReadonlyMap<string, readonly Json[]> {
  const byCall = new Map<string, Json[]>();
  for (const { observation } of turns) {
    const results = isJsonObject(observation) ? getOwn(observation, 'results') : undefined;
    if (!isJsonArray(results)) continue;
    for (const result of results) {
      if (!isJsonObject(result)) continue;
      const id = getOwn(result, 'source_call_id') ?? getOwn(result, 'tool_call_id');
      if (typeof id !== 'string') continue;
      const known = byCall.get(id);
      if (known === undefined) byCall.set(id, [result]);
      else known.push(result);
    }
  }
  return byCall;
}

/**
 * Whether a call failed, as far as its response and its results say: an exit code other than 0, a status like `failed`, an error mark
 * or an error is failure; an exit code of 0, a status like `completed` or a negative mark is success; otherwise null, nobody knows.
 */
export function callFailed(call: ToolCall, results: readonly Json[]): boolean | null {
  let verdict: boolean | null = null;
  for (const part of [call.response, ...results]) {
    const failed = partFailed(part as Json | undefined);
    if (failed === true) return true;
    verdict ??= failed;
  }
  return verdict;
}

function partFailed(part: Json | undefined): boolean | null {
  if (!isJsonObject(part)) return null;
  let verdict: boolean | null = null;
  const exitCode = getOwn(part, 'exit_code');
  if (exitCode !== undefined && exitCode !== null) verdict = Number(exitCode) !== 0;
  const status = getOwn(part, 'status');
  if (typeof status === 'string') {
    const word = status.toLowerCase();
    if (FAILURES.has(word)) return true;
    if (SUCCESSES.has(word)) verdict ??= false;
  }
  const mark = getOwn(part, 'is_error') ?? getOwn(part, 'isError');
  if (mark === true) return true;
  if (mark === false) verdict ??= false;
  const error = getOwn(part, 'error');
  if (error !== undefined && error !== null && error !== '' && error !== false) return true;
  return verdict;
}
