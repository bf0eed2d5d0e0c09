import {
  appendPointer,
  getOwn,
  isInteger,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type ToolResponse,
} from '@pchronicle/storyline-core';
import { readCallArguments } from '../arguments.ts';
import { isCanonicalCall } from '../canonical/is-canonical-message.ts';
import { filledText, isEmpty, objectIn, only, textOf, without } from '../members.ts';
import { blankTurn, type Draft, type DraftCall, type DraftResult, type MutableCall } from './parts.ts';

/** `src` of a turn for the role of a message. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['user', 'user'],
  ['assistant', 'agent'],
  ['developer', 'developer'],
  ['system', 'system'],
  ['tool', 'tool'],
]);

/** A draft, and how many messages it took. */
export interface MessageDraft extends Draft {
  readonly messages: number;
}

/**
 * What ChatML messages become: a turn each, but a result that directly follows the message with its call belongs to that turn, as both
 * came of one item (decision K1). Messages of other shapes are kept whole in internal turns.
 */
export function readMessages(messages: readonly Json[], base: string, first = 0): readonly MessageDraft[] {
  const drafts: MessageDraft[] = [];
  for (let at = 0; at < messages.length; ) {
    const draft = readMessage(messages[at] ?? null, appendPointer(base, first + at));
    let next = at + 1;
    const results: DraftResult[] = [...draft.results];
    const ids = new Set(draft.calls.map(({ literal }) => literal));
    while (next < messages.length && ids.size > 0) {
      const message = messages[next] ?? null;
      const result = readResult(message, appendPointer(base, first + next));
      if (result?.literal === undefined || !ids.has(result.literal)) break;
      results.push(result);
      promote(draft, result);
      next += 1;
    }
    if (draft.calls.length > 0 && results.length > 0)
      draft.turn.observation = { results: results.map(({ result }) => result) };
    drafts.push({ ...draft, results, messages: next - at });
    at = next;
  }
  return drafts;
}

function readMessage(message: Json, pointer: string): Draft {
  const role = isJsonObject(message) ? textOf(message, 'role') : undefined;
  const src = role === undefined ? undefined : SOURCES.get(role);
  if (!isJsonObject(message) || src === undefined) return keptMessage(message);
  if (src === 'tool') {
    const result = readResult(message, pointer);
    if (result === undefined) return keptMessage(message);
    const turn = blankTurn('tool');
    turn.observation = { results: [result.result] };
    return { turn, calls: [], results: [result] };
  }
  if (!Object.hasOwn(message, 'content')) return keptMessage(message);
  const turn = blankTurn(src);
  turn.msg = getOwn(message, 'content') ?? null;
  const calls = src === 'agent' ? readCalls(message, pointer) : undefined;
  const reason = src === 'agent' ? filledText(message, 'reasoning_content') : undefined;
  if (reason !== undefined) turn.reason = reason;
  const payload = without(
    message,
    'role',
    'content',
    ...(calls === undefined ? [] : ['tool_calls']),
    ...(reason === undefined ? [] : ['reasoning_content']),
  );
  const known = only(payload, ['id', 'metadata']);
  const others = without(payload, 'id', 'metadata');
  if (!isEmpty(payload))
    turn.extra = {
      ...(isEmpty(known) ? {} : { payload: known }),
      ...(isEmpty(others) ? {} : { chatml: others }),
    };
  if (calls !== undefined) turn.tool_calls = calls.map(({ call }) => call);
  return { turn, calls: calls ?? [], results: [] };
}

/** A message that has no meaning of its own. */
function keptMessage(message: Json): Draft {
  const turn = blankTurn('system');
  turn.kind = 'internal';
  turn.extra = { message };
  return { turn, calls: [], results: [] };
}

/** The calls of a message; `undefined` where it has none that all have the canonical form and a name. */
function readCalls(message: JsonObject, pointer: string): readonly DraftCall[] | undefined {
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

/** A tool message as a result; `undefined` for any other message, and where a member would hide one of the Storyline's. */
function readResult(message: Json, pointer: string): DraftResult | undefined {
  if (!isJsonObject(message) || textOf(message, 'role') !== 'tool') return undefined;
  if (!Object.hasOwn(message, 'content') || Object.hasOwn(message, 'source_call_id')) return undefined;
  const literal = textOf(message, 'tool_call_id');
  const result = without(message, 'role', ...(literal === undefined ? [] : ['tool_call_id']));
  return { result, literal, pointer: appendPointer(pointer, 'tool_call_id'), scope: '', family: '' };
}

/** Copies what the metadata of a result says of its call into the call's own slots. */
function promote({ calls }: Draft, { result, literal }: DraftResult): void {
  const call = calls.find((draft) => draft.literal === literal)?.call;
  if (call === undefined) return;
  const metadata = objectIn(result, 'metadata');
  promoteOutcome(call, metadata);
}

/** Fills a call's slots from `status`, `exit_code`, `duration_ms` and `execution_mechanism`, where they have the slots' types. */
export function promoteOutcome(call: MutableCall, metadata: JsonObject): void {
  const status = textOf(metadata, 'status');
  const exitCode = getOwn(metadata, 'exit_code') ?? null;
  const duration = getOwn(metadata, 'duration_ms') ?? null;
  const response: ToolResponse = {
    ...(status === undefined ? {} : { status }),
    ...(isInteger(exitCode) ? { exit_code: exitCode } : {}),
  };
  if (Object.keys(response).length > 0) call.response = response;
  if (isInteger(duration)) call.duration_ms = duration;
  const mechanism = textOf(metadata, 'execution_mechanism');
  if (mechanism === undefined) return;
  const extra = isJsonObject(call.extra) ? call.extra : {};
  call.extra = { ...extra, execution_mechanism: mechanism };
}
