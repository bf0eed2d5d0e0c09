import { appendPointer, getOwn, type JsonObject, type MutableJsonObject } from '@pchronicle/storyline-core';
import { filledText } from '../members.ts';
import type { Tally } from '../tally.ts';
import { readArguments } from './call-arguments.ts';
import { blankTurn, type Draft } from './parts.ts';
import { callOf } from './responses-call.ts';

/** Hosted calls, which have their outcome in themselves, and the member that it stands in; their tool is named without `_call`. */
export const HOSTED: ReadonlyMap<string, string> = new Map([
  ['web_search_call', 'results'],
  ['file_search_call', 'results'],
  ['code_interpreter_call', 'outputs'],
  ['image_generation_call', 'result'],
  ['mcp_call', 'output'],
]);

/** A hosted call, with its result where it has one: its outcome, else its error. */
export function readHosted(
  family: string,
  outcomeKey: string,
  item: JsonObject,
  pointer: string,
  found: Tally,
): Draft {
  const literal = filledText(item, 'id');
  const outcome = getOwn(item, outcomeKey) ?? null;
  const error = getOwn(item, 'error') ?? null;
  const told = [...(outcome === null ? [] : [outcomeKey]), ...(error === null ? [] : ['error'])];
  const read = readArguments(item, family, pointer, found, [outcomeKey, 'error']);
  const isNamed = literal === undefined ? [] : ['id'];
  const known = { family, execution_mechanism: 'provider_hosted' };
  const call = callOf(item, family, read, [...isNamed, ...read.keys, ...told], known);
  const turn = blankTurn('agent');
  turn.tool_calls = [call];
  const draft = { call, literal, pointer: appendPointer(pointer, 'id'), scope: 'hosted', family };
  if (told.length === 0) return { turn, calls: [draft], results: [] };
  const result: MutableJsonObject = { type: family, content: outcome ?? error };
  if (outcome === null) result.success = false;
  else if (error !== null) result.error = error;
  turn.observation = { results: [result] };
  return { turn, calls: [{ ...draft, own: result }], results: [] };
}
