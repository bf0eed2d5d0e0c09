import {
  appendPointer,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { readCallArguments } from '../arguments.ts';
import { filledText, isEmpty, only, textOf, without } from '../members.ts';
import type { FamilyItem } from '../provider/families.ts';
import type { Tally } from '../tally.ts';
import { openIn } from './open-in.ts';
import { blankTurn, type Draft, type MutableCall } from './parts.ts';

/** Hosted calls, which have their outcome in themselves; their tool is named without `_call`. */
export const HOSTED: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
]);

/** A hosted call. */
export function readHosted(type: string, item: JsonObject, pointer: string): Draft {
  const literal = filledText(item, 'id');
  const call: MutableCall = {
    tcid: '',
    fn: filledText(item, 'name') ?? type.replace(/_call$/, ''),
    args: without(item, 'type', 'id', 'status', 'name'),
    extra: {
      family: type,
      execution_mechanism: 'provider_hosted',
      payload: only(item, ['status', 'name', ...(literal === undefined ? ['id'] : [])]),
    },
  };
  const turn = blankTurn('agent');
  turn.tool_calls = [call];
  const draft = { call, literal, pointer: appendPointer(pointer, 'id'), scope: 'hosted', family: type };
  return { turn, calls: [draft], results: [] };
}

/** A call that a result answers. */
export function readCall(
  item: JsonObject,
  { family, id, idKey, scope }: FamilyItem,
  pointer: string,
  found: Tally,
): Draft {
  const literal = id === '' ? undefined : id;
  const name = filledText(item, 'name');
  const argsKey =
    family === 'function_call' ? 'arguments' : family === 'custom_tool_call' ? 'input' : undefined;
  const given = argsKey === undefined ? undefined : textOf(item, argsKey);
  const placed = ['type', ...(literal === undefined ? [] : [idKey]), ...(name === undefined ? [] : ['name'])];
  const own = ['id', 'call_id', 'status', 'caller', 'namespace', 'name'];
  let args: Json;
  let opaque: JsonObject = {};
  let isString = false;
  if (argsKey !== undefined && given !== undefined) {
    const read = family === 'function_call' ? readCallArguments(given) : { args: given, isString: false };
    ({ args } = read);
    ({ isString } = read);
    ({ args, opaque } = openIn(args, pointer, argsKey, found));
    placed.push(argsKey);
  } else {
    args = without(item, 'type', ...own);
    for (const key of Object.keys(args)) placed.push(key);
  }
  const namespace = getOwn(item, 'namespace');
  const caller = getOwn(item, 'caller');
  if (namespace !== undefined) placed.push('namespace');
  if (caller !== undefined) placed.push('caller');
  const payload = without(item, ...placed);
  const extra: MutableJsonObject = {
    ...(family === 'function_call' ? {} : { family }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(caller === undefined ? {} : { caller }),
    ...(isString ? { args_form: 'json' } : {}),
    ...(isEmpty(opaque) ? {} : { opaque }),
    ...(isEmpty(payload) ? {} : { payload }),
  };
  const call: MutableCall = { tcid: '', fn: name ?? family.replace(/_call$/, ''), args };
  if (!isEmpty(extra)) call.extra = extra;
  const turn = blankTurn('agent');
  turn.tool_calls = [call];
  const draft = { call, literal, pointer: appendPointer(pointer, idKey), scope, family };
  return { turn, calls: [draft], results: [] };
}
