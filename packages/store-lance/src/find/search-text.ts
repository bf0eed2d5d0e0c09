import {
  getOwn,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type Storyline,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';

/** Characters of one row that search looks at; longer text is still stored and read in full. */
export const SEARCHED_CHARACTERS = 256 * 1024;

/** What a search finds a turn by: its message and reasoning, and the results that answer none of its calls. */
export function turnText(turn: Turn): string | null {
  const ids = new Set((turn.tool_calls ?? []).map((call) => call.tcid));
  const results = isJsonObject(turn.observation) ? getOwn(turn.observation, 'results') : turn.observation;
  const unanswered = isJsonArray(results)
    ? results.filter((result) => !ids.has(callOf(result) ?? ''))
    : results;
  return plainText([turn.msg, turn.reason ?? null, unanswered ?? null]);
}

/** What a search finds a Storyline by besides: system and user prompts, its own and those of turns; notes; the answer, what was expected, the error. */
export function storyText(storyline: Storyline): string | null {
  const { prompt, notes, task } = storyline;
  const prompts: Json[] = [];
  for (const turn of storyline.turns) if (turn.prompt !== undefined) prompts.push({ ...turn.prompt });
  const { final_answer: answer, ground_truth: expected, error } = task?.result ?? {};
  const head = prompt === undefined ? null : { ...prompt };
  return plainText([head, notes ?? null, answer ?? null, expected ?? null, error ?? null, ...prompts]);
}

/** What a search finds a call by: its arguments and results. `results` are those of the turn's observation that answer it. */
export function callText(call: ToolCall, results: readonly Json[]): string | null {
  // A source often gives one result twice, at the call and in the observation.
  return plainText([call.args, call.result ?? null, results]);
}

function callOf(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const id = getOwn(result, 'source_call_id') ?? getOwn(result, 'tool_call_id');
  return typeof id === 'string' ? id : undefined;
}

/**
 * Sets zero width spaces where Unicode's rules see one word and people see two: `zoo.ts`, `call_id`, `it's`, `12:30`.
 * {@link joinWords} takes them out again.
 */
export function separateWords(text: string): string {
  // Beginning with a letter, not with a look behind at every character: half the time.
  return text.replaceAll(/([\p{L}\p{N}])([._:'’]+)(?=[\p{L}\p{N}])/gu, '$1\u200b$2\u200b');
}

/** The text as it was. */
export function joinWords(text: string): string {
  return text.replaceAll('\u200b', '');
}

/** The results of a turn's observation by the call they answer. */
export function answersOf(turn: Turn): ReadonlyMap<string, readonly Json[]> {
  const answers = new Map<string, Json[]>();
  const results = isJsonObject(turn.observation) ? getOwn(turn.observation, 'results') : undefined;
  for (const result of isJsonArray(results) ? results : []) {
    const id = callOf(result);
    if (id === undefined) continue;
    const known = answers.get(id);
    if (known === undefined) answers.set(id, [result]);
    else known.push(result);
  }
  return answers;
}

/** All strings and numbers of some values, in order, each once, one a line; null when there are none. */
function plainText(values: readonly Json[]): string | null {
  const seen = new Set<string>();
  let text = '';
  const stack: Json[] = [...values].reverse();
  while (stack.length > 0 && text.length < SEARCHED_CHARACTERS) {
    const value = stack.pop() ?? null;
    if (typeof value === 'string' || typeof value === 'number' || isJsonNumber(value)) {
      const part = String(value);
      if (part === '' || seen.has(part)) continue;
      seen.add(part);
      text += text === '' ? part : `\n${part}`;
    } else if (isJsonArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) stack.push(value[index] ?? null);
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value).reverse()) stack.push(getOwn(value, key) ?? null);
    }
  }
  if (text === '') return null;
  return separateWords(text.slice(0, SEARCHED_CHARACTERS).replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}
