import {
  equalJson,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { referenceKey } from './check-steps.ts';
import type { ActfStep } from './document.ts';
import type { Leftovers } from './leftovers.ts';
import { effectiveId, effectiveTools } from './tools.ts';

/**
 * Reads the observations of a step: each as it is, plus the promotions `source_call_id` (the tcid of the call it refers to) and
 * `content` from `aggregated_output` (RFC-0004, promotions; decisions A6, G11).
 */
export function readObservations(
  step: ActfStep,
  pointer: string,
  tcids: readonly string[],
  leftovers: Leftovers,
): readonly JsonObject[] {
  const observations = step.observation ?? [];
  if (observations.length === 0) return [];
  const { tools } = effectiveTools(step);
  const calls = new Map(tools.map((tool, index) => [effectiveId(tool, step.step_id, index), tcids[index]]));
  return observations.map((observation, index) => {
    const place = `${pointer}/observation/${index}`;
    const key = referenceKey(observation);
    const tcid = key === undefined ? undefined : calls.get(observation[key] ?? '');
    const { aggregated_output: output } = observation;
    const own = getOwn(observation, 'source_call_id');
    if (own !== undefined) leftovers.keep(`${place}/source_call_id`, own);
    const promoted = output !== undefined && output !== null;
    if (promoted) keepContent(getOwn(observation, 'content'), output, `${place}/content`, leftovers);
    if (!promoted && tcid === undefined) return observation;
    const result: MutableJsonObject = { ...observation };
    if (promoted) result.content = output;
    if (tcid !== undefined) result.source_call_id = tcid;
    return result;
  });
}

/** The source's own content gives way to the promoted one: a different one is a residual, an equal one is noted. */
function keepContent(content: Json | undefined, output: Json, place: string, leftovers: Leftovers): void {
  if (content === undefined) return;
  if (equalJson(content, output)) leftovers.note(place, true);
  else leftovers.keep(place, content);
}
