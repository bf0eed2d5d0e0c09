import {
  effectiveKind,
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Storyline,
  stringify,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import { clip, safeLine } from '../terminal/safe.ts';
import type { RenderOptions } from './render.ts';
import { readable, textLines } from './text.ts';

/** One turn: a rule with who, when and what it cost, then its texts, calls and results. */
export function* turnLines(
  turn: Turn,
  number: number,
  storyline: Storyline,
  options: RenderOptions,
): Generator<string> {
  const { style } = options;
  yield '';
  yield rule(turn, number, options);
  for (const side of ['system', 'user'] as const) {
    const text = turn.prompt?.[side];
    if (text === undefined || text === '') continue;
    yield style.faint(`${side} prompt of this turn`);
    yield* textLines(text, '  ', options);
  }
  if (turn.reason !== undefined && turn.reason !== '') {
    yield style.faint('reasoning');
    for (const line of textLines(turn.reason, '  ', options)) yield style.faint(line);
  }
  if (turn.msg !== null && turn.msg !== '') yield* textLines(readable(turn.msg), '', options);
  const results = resultsOf(turn.observation);
  const used = new Set<Json>();
  for (const call of turn.tool_calls ?? []) {
    const own = results.filter((result) => getOwn(result, 'source_call_id') === call.tcid);
    for (const result of own) used.add(result);
    yield* callLines(call, own, options);
  }
  for (const result of results.filter((candidate) => !used.has(candidate))) {
    const answers = getOwn(result, 'source_call_id');
    const about = typeof answers === 'string' ? `result of ${clip(answers, 80)}` : 'result';
    yield style.info(`← ${safeLine(about)}`);
    yield* resultLines(result, options);
  }
  if (turn.observation !== undefined && results.length === 0 && !isEmptyResults(turn.observation)) {
    yield style.info('← observation');
    yield* textLines(readable(turn.observation), '  ', options);
  }
  if (storyline.turns.length > 0 && turn.metrics !== undefined && turn.metrics !== null) {
    yield style.faint(`metrics ${safeLine(clip(stringify(turn.metrics), 300))}`);
  }
}

function rule(turn: Turn, number: number, { style, width }: RenderOptions): string {
  const facts = [
    `turn ${number}`,
    String(turn.id) === String(number) ? undefined : `id ${String(turn.id)}`,
    turn.src,
    effectiveKind(turn) === 'dialogue' ? undefined : effectiveKind(turn),
    turn.model,
    turn.ts === undefined ? undefined : String(turn.ts),
    turn.latency_ms === undefined ? undefined : `${String(turn.latency_ms)} ms`,
    turn.copied === true ? 'copied context' : undefined,
  ];
  const text = safeLine(facts.filter((fact) => fact !== undefined && fact !== '').join(' · '));
  return style.strong(`── ${text} ${'─'.repeat(Math.max(2, Math.min(width, 100) - text.length - 4))}`);
}

function* callLines(
  call: ToolCall,
  results: readonly JsonObject[],
  options: RenderOptions,
): Generator<string> {
  const { style } = options;
  const facts = [call.kind, call.tcid].filter((fact) => fact !== undefined && fact !== '');
  yield `${style.info(`→ ${safeLine(call.fn)}`)} ${style.faint(safeLine(facts.join(' · ')))}`;
  if (call.args !== null) yield* textLines(argumentsText(call.args), '    ', options);
  const outcome = outcomeOf(call);
  if (outcome !== '' || results.length > 0 || call.result !== undefined) {
    const failed = call.response?.status === 'error' || Number(call.response?.exit_code ?? 0) !== 0;
    yield `${failed ? style.error('← failed') : style.info('← result')} ${style.faint(safeLine(outcome))}`.trimEnd();
  }
  if (call.result !== undefined) yield* textLines(readable(call.result), '    ', options);
  for (const result of results) yield* resultLines(result, options, call.result);
}

// One argument that is one text (a command, a patch) reads best as that text; several go one a line.
function argumentsText(args: Json): string {
  if (!isJsonObject(args)) return readable(args);
  const lines = Object.entries(args).map(([key, value]) => {
    const text = readable(value);
    return text.includes('\n') ? `${key}:\n${text.replace(/^/gm, '  ')}` : `${key}: ${text}`;
  });
  return lines.length === 0 ? '{}' : lines.join('\n');
}

function outcomeOf(call: ToolCall): string {
  const facts = [
    call.response?.status,
    call.response?.exit_code === undefined ? undefined : `exit ${String(call.response.exit_code)}`,
    call.duration_ms === undefined ? undefined : `${String(call.duration_ms)} ms`,
  ];
  return facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
}

function resultsOf(observation: Json | undefined): readonly JsonObject[] {
  if (!isJsonObject(observation)) return [];
  const results = getOwn(observation, 'results');
  return isJsonArray(results) && results.every((result) => isJsonObject(result))
    ? (results as readonly JsonObject[])
    : [];
}

function isEmptyResults(observation: Json): boolean {
  return (
    isJsonObject(observation) && Object.keys(observation).length === 1 && isJsonArray(observation.results)
  );
}

// Members of a result that are shown otherwise, or only repeat which call it answers.
const TOLD: ReadonlySet<string> = new Set([
  'content',
  'source_call_id',
  'type',
  'id',
  'tool_use_id',
  'tool_call_id',
]);

function* resultLines(result: JsonObject, options: RenderOptions, known?: Json): Generator<string> {
  const content = getOwn(result, 'content');
  const isShown = content !== undefined && known !== undefined && equalJson(content, known);
  if (content !== undefined && content !== null && !isShown)
    yield* textLines(readable(content), '    ', options);
  const rest = Object.entries(result).filter(
    ([key, value]) => !TOLD.has(key) && !(known !== undefined && equalJson(value, known)),
  );
  if (rest.length === 0) return;
  const shown = clip(stringify(Object.fromEntries(rest)), 300);
  yield options.style.faint(`    ${safeLine(shown)}`);
}
