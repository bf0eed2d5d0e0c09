import { parseJson } from '../json/parse.ts';
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import type { Storyline, Turn } from '../storyline.ts';
import { compileVolatile, descend, type VolatileTree, withoutVolatile } from './volatile.ts';

/** Turns Storylines into what is compared: without the volatile places, and tool arguments given as JSON text read as JSON. */
export interface Comparator {
  head(storyline: Storyline): JsonObject;
  turn(turn: Turn): JsonObject;
  /** Patterns that are no RFC 6901 pointers. */
  readonly faults: readonly string[];
}

/** Makes a comparator that leaves out these patterns. */
export function comparator(patterns: readonly string[]): Comparator {
  const { tree, faults } = compileVolatile(patterns);
  // A turn's position never matters to a pattern: positions shift between the two sides.
  const turnTrees: readonly VolatileTree[] = descend(tree, 'turns').flatMap((turns) => descend(turns, '*'));
  return {
    faults,
    head(storyline) {
      const { turns: _, ...head } = storyline;
      return withoutVolatile(head as unknown as JsonObject, [tree]) as JsonObject;
    },
    turn(turn) {
      const kept = turnTrees.some((node) => node.whole)
        ? {}
        : (withoutVolatile(turn as unknown as JsonObject, turnTrees) as JsonObject);
      return withParsedArguments(kept);
    },
  };
}

function withParsedArguments(turn: JsonObject): JsonObject {
  const calls = Object.hasOwn(turn, 'tool_calls') ? turn.tool_calls : undefined;
  if (!isJsonArray(calls) || !calls.some((call) => isJsonObject(call) && typeof call.args === 'string'))
    return turn;
  return { ...turn, tool_calls: calls.map(withParsedArgs) };
}

function withParsedArgs(call: Json): Json {
  if (!isJsonObject(call) || typeof call.args !== 'string' || !/^\s*[[{]/.test(call.args)) return call;
  const { value } = parseJson(call.args);
  if (value === undefined) return call;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(call)) setOwn(copy, key, key === 'args' ? value : (call[key] as Json));
  return copy;
}
