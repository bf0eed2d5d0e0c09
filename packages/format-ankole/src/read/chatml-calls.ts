import {
  appendPointer,
  getOwn,
  isJsonArray,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { readCallArguments } from '../arguments.ts';
import { isCanonicalCall } from '../canonical/is-canonical-message.ts';
import { filledText, isEmpty, objectIn, textOf, without } from '../members.ts';
import type { DraftCall, MutableCall } from './parts.ts';

/** The calls of a message; `undefined` where it has none that all have the canonical form and a name. */
export function readCalls(message: JsonObject, pointer: string): readonly DraftCall[] | undefined {
  const given = getOwn(message, 'tool_calls');
  if (!isJsonArray(given)) return undefined;
  const isPending = textOf(objectIn(message, 'metadata'), 'status') === 'pending_user_input';
  const drafts: DraftCall[] = [];
  for (const [index, call] of given.entries()) {
    if (!isCanonicalCall(call)) return undefined;
    const called = objectIn(call, 'function');
    const name = filledText(called, 'name');
    if (name === undefined) return undefined;
    const namespace = getOwn(called, 'namespace');
    const payload: MutableJsonObject = without(call, 'id', 'type', 'function');
    const inside = without(called, 'name', 'arguments', 'namespace');
    const { args, isString } = readCallArguments(textOf(called, 'arguments') ?? '');
    const extra: MutableJsonObject = {
      ...(isString ? { args_form: 'json' } : {}),
      ...(namespace === undefined ? {} : { namespace }),
      ...(isEmpty(payload) ? {} : { payload }),
      ...(isEmpty(inside) ? {} : { function_payload: inside }),
    };
    const made: MutableCall = { tcid: '', fn: name, args };
    if (!isEmpty(extra)) made.extra = extra;
    if (isPending) made.response = { status: 'pending_user_input' };
    const id = textOf(call, 'id') ?? '';
    drafts.push({
      call: made,
      literal: id,
      pointer: appendPointer(pointer, 'tool_calls', index, 'id'),
      scope: '',
      family: '',
    });
  }
  return drafts;
}
