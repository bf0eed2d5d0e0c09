import type { Json, Prompt, Report, Turn } from '@pchronicle/storyline-core';
import type { ActfStep } from './document.ts';
import type { Leftovers } from './leftovers.ts';
import { readObservations } from './read-observation.ts';
import { readTools } from './read-tool.ts';
import { CONTENT, STEP } from './shapes.ts';
import { readTimes } from './times.ts';
import { effectiveTools } from './tools.ts';
import { wholeMilliseconds } from './whole-milliseconds.ts';

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
  return {
    id: step.step_id,
    src: 'agent',
    msg: content.content ?? '',
    ...(calls.length > 0 ? { kind: 'autonomous' } : {}),
    ...(started === undefined ? {} : { ts: started }),
    ...(finished === undefined ? {} : { finished_at: finished }),
    ...(content.reasoning_content ? { reason: content.reasoning_content } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(results.length > 0 ? { observation: { results } } : {}),
    metrics: metric as Json,
    nllm: 1,
    ...(latency === undefined ? {} : { latency_ms: latency }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** The calls of a step with the ids they have in it. */
export function callsOf(step: ActfStep): ReturnType<typeof effectiveTools>['tools'] {
  return effectiveTools(step).tools;
}
