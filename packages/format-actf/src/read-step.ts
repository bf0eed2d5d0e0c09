import {
  type Json,
  type Prompt,
  type Report,
  type Turn,
  wholeMilliseconds,
} from '@pchronicle/storyline-core';
import type { ActfStep } from './document.ts';
import type { Leftovers } from './leftovers.ts';
import type { Mutable } from './mutable.ts';
import { readObservations } from './read-observation.ts';
import { readTools } from './read-tool.ts';
import { CONTENT, STEP } from './shapes.ts';
import { readTimes } from './times.ts';

/** Reads one step into its turn (RFC-0004: one step, one turn). `tcids` are those of its calls, in order. */
export function readStep(
  step: ActfStep,
  pointer: string,
  tcids: readonly string[],
  prompt: Prompt | undefined,
  leftovers: Leftovers,
  report: Report,
): Turn {
  const { assistant_content: content, metric } = step;
  leftovers.keepOthers(step, STEP, pointer);
  leftovers.keepOthers(content, CONTENT, `${pointer}/assistant_content`);
  const calls = readTools(step, pointer, tcids, leftovers, report);
  const results = readObservations(step, pointer, tcids, leftovers);
  const { started, finished } = readTimes(step);
  const latency = wholeMilliseconds(metric.llm_infer_ms);
  const turn: Mutable<Turn> = {
    id: step.step_id,
    src: 'agent',
    msg: content.content ?? '',
    metrics: metric as Json,
    nllm: 1,
  };
  if (started !== undefined) turn.ts = started;
  if (finished !== undefined) turn.finished_at = finished;
  if (content.reasoning_content) turn.reason = content.reasoning_content;
  if (calls.length > 0) {
    turn.kind = 'autonomous';
    turn.tool_calls = calls;
  }
  if (results.length > 0) turn.observation = { results };
  if (latency !== undefined) turn.latency_ms = latency;
  if (prompt !== undefined) turn.prompt = prompt;
  return turn;
}
