import { appendPointer, getOwn, type JsonObject, type MutableJsonObject } from '@pchronicle/storyline-core';
import { filledText, isEmpty, without } from '../members.ts';
import type { FamilyItem } from '../provider/families.ts';
import type { Tally } from '../tally.ts';
import { type ReadArguments, readArguments } from './call-arguments.ts';
import { blankTurn, type Draft, type MutableCall } from './parts.ts';

/** A call that a result answers. */
export function readCall(
  item: JsonObject,
  { family, id, idKey, scope }: FamilyItem,
  pointer: string,
  found: Tally,
): Draft {
  const literal = id === '' ? undefined : id;
  const read = readArguments(item, family, pointer, found);
  const told = literal === undefined ? read.keys : [idKey, ...read.keys];
  const call = callOf(item, family, read, told, family === 'function_call' ? {} : { family });
  const turn = blankTurn('agent');
  turn.tool_calls = [call];
  const draft = { call, literal, pointer: appendPointer(pointer, idKey), scope, family };
  return { turn, calls: [draft], results: [] };
}

/** The call of an item: its tool, and in `extra` what its arguments and the members `told` elsewhere do not say. */
export function callOf(
  item: JsonObject,
  family: string,
  { args, extra: spelled }: ReadArguments,
  told: readonly string[],
  known: JsonObject,
): MutableCall {
  const name = filledText(item, 'name');
  const namespace = getOwn(item, 'namespace');
  const caller = getOwn(item, 'caller');
  const isNamed = name === undefined ? [] : ['name'];
  const payload = without(item, 'type', 'namespace', 'caller', ...isNamed, ...told);
  const extra: MutableJsonObject = {
    ...known,
    ...(namespace === undefined ? {} : { namespace }),
    ...(caller === undefined ? {} : { caller }),
    ...spelled,
    ...(isEmpty(payload) ? {} : { payload }),
  };
  const call: MutableCall = { tcid: '', fn: name ?? family.replace(/_call$/, ''), args };
  if (!isEmpty(extra)) call.extra = extra;
  return call;
}
