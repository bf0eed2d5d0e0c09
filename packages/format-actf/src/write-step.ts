import {
  effectivePrompt,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  type Storyline,
  stringify,
  type Turn,
} from '@pchronicle/storyline-core';
import { METRIC } from './shapes.ts';
import { NO_TIME } from './times.ts';
import type { Way } from './way.ts';
import { writeTime } from './write-time.ts';
import { writeTools } from './write-tool.ts';

/** Writes one turn as a step, whatever its `src`. `pointer` is that of the turn in its Storyline. */
export function writeStep(
  story: Storyline,
  turn: Turn,
  index: number,
  observation: readonly Json[],
  way: Way,
  report: Report,
): MutableJsonObject {
  const pointer = `/turns/${index}`;
  const { system, user } = effectivePrompt(story, turn);
  const started = writeTime(turn.ts);
  const finished = writeTime(turn.finished_at);
  if (started === undefined || finished === undefined) {
    const missing = started === undefined ? 'ts' : 'finished_at';
    const instead = started ?? NO_TIME;
    report(
      'info',
      'actf/default-value',
      `${pointer}/${missing}`,
      `the turn has no ${missing}; ${instead} is written`,
    );
  }
  const { tools, calls } = writeTools(turn, index, way, report);
  return {
    step_id: turn.id,
    started_at: started ?? NO_TIME,
    finished_at: finished ?? started ?? NO_TIME,
    assistant_content: {
      content: typeof turn.msg === 'string' || turn.msg === null ? turn.msg : stringify(turn.msg),
      reasoning_content: turn.reason ?? '',
      tool_calls: calls,
    },
    metric: writeMetric(turn, pointer, way.own, report),
    system_prompt: system,
    user_content: user,
    tools,
    observation,
  };
}

/** The counters: as they are for ACTF's own; else filled from their other names, with null where there is no source (decision A15). */
function writeMetric(turn: Turn, pointer: string, own: boolean, report: Report): JsonObject {
  const metrics: JsonObject = isJsonObject(turn.metrics) ? turn.metrics : {};
  const counters = Object.keys(METRIC).filter((key) => METRIC[key as keyof typeof METRIC] === 'number');
  const wrong = counters.filter((key) => !isNumeric(metrics[key] ?? 0));
  const base =
    wrong.length === 0 ? metrics : { ...metrics, ...Object.fromEntries(wrong.map((key) => [key, null])) };
  if (own && isJsonObject(turn.metrics)) return base;
  const number = (value: Json | undefined): Json => (isNumeric(value) ? value : null);
  const filled = {
    ...base,
    prompt_tokens_len: base.prompt_tokens_len ?? number(base.prompt_tokens),
    completion_tokens_len: base.completion_tokens_len ?? number(base.completion_tokens),
    llm_infer_ms: base.llm_infer_ms ?? number(base.total_latency_ms ?? turn.latency_ms),
    env_action_ms: base.env_action_ms ?? null,
    stop_reason: base.stop_reason ?? base.finish_reason ?? null,
  };
  const gaps = Object.keys(METRIC).filter(
    (key) => filled[key as keyof typeof METRIC] === null && base[key] === undefined,
  );
  if (gaps.length > 0) {
    report(
      'info',
      'actf/default-value',
      `${pointer}/metrics`,
      `the turn has no ${gaps.join(', ')}; null is written`,
    );
  }
  return filled;
}
