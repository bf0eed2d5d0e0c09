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

/** Finds the call that a result answers. */
type FindTarget = (result: JsonObject, turn: number, position: number) => Target | undefined;

/**
 * Writes the results of all turns. A result of ACTF's own stays in its step; any other goes to the step whose call it answers,
 * else to its own step without a reference (decision A17).
 */
export function writeObservations(story: Storyline, way: Way, report: Report): readonly (readonly Json[])[] {
  const steps: Json[][] = story.turns.map(() => []);
  const find = way.own ? findInTurn(story, way) : findAnywhere(story, way);
  story.turns.forEach((turn, index) => {
    resultsOf(turn.observation).forEach((result, position) => {
      const plain = withoutOddKeys(result);
      const target = find(plain, index, position);
      const noted = way.noteOfObservation(index, position, 'content') === true;
      const written = writeResult(plain, target?.id, way.own, noted);
      if (!plain.type && written.type === 'tool_result') {
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

/** A copy of a result whose known keys are of the types that ACTF has for them; one that is no object is content. */
function withoutOddKeys(result: Json): MutableJsonObject {
  if (!isJsonObject(result)) return { content: result };
  const copy: MutableJsonObject = { ...result };
  for (const key of ['type', 'id', 'tool_use_id']) {
    if (copy[key] !== undefined && copy[key] !== null && typeof copy[key] !== 'string') delete copy[key];
  }
  return copy;
}

function findAnywhere(story: Storyline, way: Way): FindTarget {
  const targets = new Map<string, Target>();
  forEachCall(story, way, (turn, tcid, id) => targets.set(tcid, { turn, id }));
  return (result) => {
    const references = [result.source_call_id, result.tool_use_id, result.id];
    return targets.get(references.find((reference): reference is string => isFilled(reference)) ?? '');
  };
}

/** By tcid, where source_call_id is the reader's promotion and not a key of the source; else by the id in the document. */
function findInTurn(story: Storyline, way: Way): FindTarget {
  const byTcid = new Map<string, Target>();
  const byId = new Map<string, Target>();
  forEachCall(story, way, (turn, tcid, id) => {
    byTcid.set(`${turn} ${tcid}`, { turn, id });
    byId.set(`${turn} ${id}`, { turn, id });
  });
  return (result, turn, position) => {
    const key = referenceKey(result as ActfObservation);
    const promoted = key !== undefined || !way.isKept(turn, position, 'source_call_id');
    const tcid = promoted ? result.source_call_id : undefined;
    const found = typeof tcid === 'string' ? byTcid.get(`${turn} ${tcid}`) : undefined;
    return found ?? (key === undefined ? undefined : byId.get(`${turn} ${result[key]}`));
  };
}

function forEachCall(
  story: Storyline,
  way: Way,
  take: (turn: number, tcid: string, id: string) => void,
): void {
  story.turns.forEach((turn, index) => {
    turn.tool_calls?.forEach((call, position) => {
      take(index, call.tcid, writtenId(call, turn, index, position, way));
    });
  });
}

function writeResult(
  result: MutableJsonObject,
  reference: string | undefined,
  own: boolean,
  noted: boolean,
): JsonObject {
  const { source_call_id: _, ...copy } = result;
  const key = referenceKey(copy as ActfObservation);
  if (reference === undefined) {
    // A reference to no call of the step would make the document invalid.
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
