import { getOwn, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { readCallArguments } from '../arguments.ts';
import { isEmpty, without } from '../members.ts';
import type { Tally } from '../tally.ts';
import { openIn } from './open-in.ts';

/** The member in which calls of a family say their arguments, and what stands there: the text of a JSON value, a plain text, or any value. */
export interface ArgumentsPlace {
  readonly key: 'arguments' | 'input';
  readonly form: 'json' | 'text' | 'value';
}

const JSON_TEXT: ArgumentsPlace = { key: 'arguments', form: 'json' };

/** By family; calls of any other say them in members of their own. */
export const ARGUMENTS: ReadonlyMap<string, ArgumentsPlace> = new Map<string, ArgumentsPlace>([
  ['function_call', JSON_TEXT],
  ['custom_tool_call', { key: 'input', form: 'text' }],
  ['mcp_call', JSON_TEXT],
  ['mcp_approval_request', JSON_TEXT],
  ['brain_call', JSON_TEXT],
  ['tool_search_call', { key: 'arguments', form: 'value' }],
]);

/** Members of a call that are no arguments, whatever else it says. */
const OTHERS = ['type', 'id', 'call_id', 'approval_request_id', 'container_id', 'status', 'caller'];

/** The arguments of a call. */
export interface ReadArguments {
  readonly args: Json;
  /** The members of the item that they came of. */
  readonly keys: readonly string[];
  /** What the call's `extra` has to say of them. */
  readonly extra: JsonObject;
}

/** The arguments of a call; `apart` are more members that are none. */
export function readArguments(
  item: JsonObject,
  family: string,
  pointer: string,
  found: Tally,
  apart: readonly string[] = [],
): ReadArguments {
  const place = ARGUMENTS.get(family);
  const given = place === undefined ? undefined : getOwn(item, place.key);
  if (place === undefined || given === undefined) {
    const args = without(item, ...OTHERS, 'namespace', 'name', ...apart);
    const isOdd = place !== undefined && !isEmpty(args);
    return { args, keys: Object.keys(args), extra: isOdd ? { args_form: 'members' } : {} };
  }
  const isSpelled = typeof given === 'string' && place.form !== 'text';
  const { args: read, isString } = isSpelled ? readCallArguments(given) : { args: given, isString: false };
  const { args, opaque } = openIn(read, pointer, place.key, found);
  return {
    args,
    keys: [place.key],
    extra: { ...(isString ? { args_form: 'json' } : {}), ...(isEmpty(opaque) ? {} : { opaque }) },
  };
}
