import { appendPointer } from '../json/pointer.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import type { Change, DivergenceClass } from './diff-result.ts';
import { listChanges } from './list-changes.ts';
import type { EqualityProfile } from './profile.ts';

/** The parts of a comparable turn that a divergence is about; together they hold all of it. */
export interface TurnFacets {
  /** Who acts and what is called: src, kind, event type, function names. */
  readonly operation: Json;
  /** What it was given: prompt, the message of a non-agent, arguments. */
  readonly input: Json;
  /** Whether and how it failed. */
  readonly error: Json;
  /** All the rest. */
  readonly output: Json;
}

const OPERATION = new Set(['src', 'kind']);
const INPUT = new Set(['prompt']);

/** Splits a comparable turn into its facets. */
export function facetsOf(turn: JsonObject): TurnFacets {
  const operation: MutableJsonObject = {};
  const input: MutableJsonObject = {};
  const error: MutableJsonObject = {};
  const output: MutableJsonObject = {};
  const agent = getOwn(turn, 'src') === 'agent';
  for (const key of Object.keys(turn)) {
    const value = turn[key] as Json;
    if (OPERATION.has(key)) setOwn(operation, key, value);
    else if (INPUT.has(key) || (key === 'msg' && !agent)) setOwn(input, key, value);
    else if (key === 'tool_calls' && isJsonArray(value)) splitCalls(value, operation, input, error, output);
    else if (key === 'env' && isJsonObject(value)) splitEnv(value, operation, output);
    else if (key === 'observation') splitObservation(value, error, output);
    else setOwn(output, key, value);
  }
  return { operation, input, error, output };
}

function splitCalls(
  calls: readonly Json[],
  operation: MutableJsonObject,
  input: MutableJsonObject,
  error: MutableJsonObject,
  output: MutableJsonObject,
): void {
  operation.calls = calls.map((call) =>
    isJsonObject(call) ? { fn: getOwn(call, 'fn') ?? null, kind: getOwn(call, 'kind') ?? null } : call,
  );
  input.calls = calls.map((call) => (isJsonObject(call) ? (getOwn(call, 'args') ?? null) : null));
  error.calls = calls.map((call) => (isJsonObject(call) ? (getOwn(call, 'response') ?? null) : null));
  output.calls = calls.map((call) =>
    isJsonObject(call) ? without(call, ['fn', 'kind', 'args', 'response']) : null,
  );
}

function splitEnv(env: JsonObject, operation: MutableJsonObject, output: MutableJsonObject): void {
  const type = getOwn(env, 'event_type');
  if (type !== undefined) operation.event_type = type;
  output.env = without(env, ['event_type']);
}

/** A result's error, status and exit code tell that it failed; everything else in it is output. */
function splitObservation(observation: Json, error: MutableJsonObject, output: MutableJsonObject): void {
  const results = isJsonObject(observation) ? getOwn(observation, 'results') : undefined;
  if (!isJsonObject(observation) || !isJsonArray(results)) {
    output.observation = observation;
    return;
  }
  const failure = ['error', 'is_error', 'isError', 'status', 'exit_code'];
  error.results = results.map((result) => (isJsonObject(result) ? only(result, failure) : {}));
  output.observation = without(observation, ['results']);
  output.results = results.map((result) => (isJsonObject(result) ? without(result, failure) : result));
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) if (!keys.includes(key)) setOwn(copy, key, object[key] as Json);
  return copy;
}

function only(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key of keys) if (Object.hasOwn(object, key)) setOwn(copy, key, object[key] as Json);
  return copy;
}

/** The class of a pair of turns that differ, and where they differ. */
export function classifyPair(
  left: JsonObject,
  right: JsonObject,
  leftPosition: number,
  profile: EqualityProfile,
): { readonly class: DivergenceClass; readonly changes: readonly Change[] } {
  const a = facetsOf(left);
  const b = facetsOf(right);
  const differ = (facet: keyof TurnFacets) => listChanges(a[facet], b[facet], '', profile).length > 0;
  const kind = (['operation', 'input', 'error'] as const).find(differ) ?? 'output';
  return { class: kind, changes: listChanges(left, right, appendPointer('/turns', leftPosition), profile) };
}
