import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  type Storyline,
} from '@pchronicle/storyline-core';
import { referenceKey } from './check-steps.ts';
import { type ActfObservation, COMMAND_EXECUTION } from './document.ts';
import { isFilled } from './emptiness.ts';
import type { Way } from './way.ts';
import { writtenId } from './write-tool.ts';

/** A call that results may refer to: the turn it is in, and its id in the document. */
interface Target {
  readonly turn: number;
  readonly id: string;
}

/** Writes the results of all turns: each to the step whose call it answers, else to its own step without a reference (decision A17). */
export function writeObservations(story: Storyline, way: Way, report: Report): readonly (readonly Json[])[] {
  const steps: Json[][] = story.turns.map(() => []);
  const targets = new Map<string, Target>();
  story.turns.forEach((turn, index) => {
    turn.tool_calls?.forEach((call, position) => {
      targets.set(call.tcid, { turn: index, id: writtenId(call, turn, index, position, way) });
    });
  });
  story.turns.forEach((turn, index) => {
    resultsOf(turn.observation).forEach((result, position) => {
      const target = targets.get(referenceOf(result) ?? '');
      const noted = way.noteOfObservation(index, position, 'content') === true;
      const written = writeResult(result, target?.id, way.own, noted);
      if (isJsonObject(result) && !result.type && written.type === 'tool_result') {
        const pointer = `/turns/${index}/observation/results/${position}/type`;
        report('info', 'actf/default-value', pointer, 'the result has no type; "tool_result" is written');
      }
      steps[target?.turn ?? index]?.push(written);
    });
  });
  return steps;
}

/** The results of an observation; one of another shape is a single result that has it as content. */
function resultsOf(observation: Json | undefined): readonly Json[] {
  if (observation === undefined) return [];
  const results = isJsonObject(observation) ? observation.results : undefined;
  return isJsonArray(results) ? results : [{ content: observation }];
}

function referenceOf(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined;
  return [result.source_call_id, result.tool_use_id, result.id].find((reference): reference is string =>
    isFilled(reference),
  );
}

function writeResult(result: Json, reference: string | undefined, own: boolean, noted: boolean): JsonObject {
  const { source_call_id: _, ...copy }: MutableJsonObject = isJsonObject(result)
    ? { ...result }
    : { content: result };
  for (const key of ['type', 'id', 'tool_use_id']) {
    if (copy[key] !== undefined && copy[key] !== null && typeof copy[key] !== 'string') delete copy[key];
  }
  const key = referenceKey(copy as ActfObservation);
  if (reference === undefined) {
    // A reference to no call of the document would make it invalid.
    if (key !== undefined) delete copy.id;
    if (key === 'tool_use_id') delete copy.tool_use_id;
  } else if (key === undefined || copy[key] !== reference) {
    copy.tool_use_id = reference;
  }
  const { content } = copy;
  if (!own && copy.type === COMMAND_EXECUTION && content !== undefined) copy.aggregated_output ??= content;
  const promoted = copy.aggregated_output ?? undefined;
  if (promoted !== undefined && content !== undefined && !noted && equalJson(content, promoted))
    delete copy.content;
  if (!own && reference !== undefined && !copy.type) copy.type = 'tool_result';
  return copy;
}
