import {
  appendPointer,
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { readCallArguments } from '../arguments.ts';
import { unwrapOutput } from '../encoded/envelope.ts';
import { filledText, isEmpty, textOf, without } from '../members.ts';
import { CLIENT_OUTPUTS, type FamilyItem, familyItemOf, outcomeKeyOf } from '../provider/families.ts';
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

/** `src` of a turn for the role of a message item. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['user', 'user'],
  ['assistant', 'agent'],
  ['system', 'system'],
  ['developer', 'developer'],
]);

/** What a Responses item of a conversation becomes; one without a meaning of its own is kept whole in an internal turn. */
export function readResponsesItem(item: Json, pointer: string, found: Tally): Draft {
  if (!isJsonObject(item)) return kept(item);
  const type = textOf(item, 'type');
  const role = textOf(item, 'role');
  if ((type === 'message' || type === undefined) && role !== undefined && Object.hasOwn(item, 'content')) {
    const src = SOURCES.get(role);
    if (src !== undefined) return readMessage(item, src);
  }
  if (type === 'reasoning') return readReasoning(item);
  if (type !== undefined && HOSTED.has(type)) return readHosted(type, item, pointer);
  const family = familyItemOf(item);
  if (family?.kind === 'call') return readCall(item, family, pointer, found);
  if (family?.kind === 'result' && (Object.hasOwn(item, 'output') || !CLIENT_OUTPUTS.has(type ?? '')))
    return readResult(item, family, pointer, found);
  return kept(item);
}

/** The part that a message of one text usually has. */
export function usualPart(src: string, text: string): JsonObject {
  return src === 'agent' ? { type: 'output_text', text, annotations: [] } : { type: 'input_text', text };
}

function readMessage(item: JsonObject, src: string): Draft {
  const turn = blankTurn(src);
  const content = getOwn(item, 'content') ?? null;
  const payload = without(item, 'type', 'role', 'content');
  const extra: MutableJsonObject = {};
  const [part, ...others] = isJsonArray(content) ? content : [];
  const text = isJsonObject(part) && others.length === 0 ? textOf(part, 'text') : undefined;
  if (typeof content === 'string') {
    turn.msg = content;
    extra.content_form = 'text';
  } else if (text !== undefined && equalJson(part ?? null, usualPart(src, text))) turn.msg = text;
  else turn.msg = content;
  if (!Object.hasOwn(item, 'type')) extra.item_type = null;
  if (!isEmpty(payload)) extra.payload = payload;
  if (!isEmpty(extra)) turn.extra = extra;
  return { turn, calls: [], results: [] };
}

function readReasoning(item: JsonObject): Draft {
  const summary = getOwn(item, 'summary');
  const texts = isJsonArray(summary)
    ? summary.map((part) => (isJsonObject(part) ? textOf(part, 'text') : undefined))
    : [];
  const filled = texts.filter((text) => text !== undefined && text !== '');
  if (filled.length === 0) return kept(item);
  const turn = blankTurn('agent');
  turn.reason = filled.join('\n');
  const isUsual = equalJson(summary ?? null, [{ type: 'summary_text', text: turn.reason }]);
  turn.extra = { item_type: 'reasoning', payload: without(item, 'type', ...(isUsual ? ['summary'] : [])) };
  return { turn, calls: [], results: [] };
}

function readHosted(type: string, item: JsonObject, pointer: string): Draft {
  const literal = filledText(item, 'id');
  const call: MutableCall = {
    tcid: '',
    fn: filledText(item, 'name') ?? type.replace(/_call$/, ''),
    args: without(item, 'type', 'id', 'status', 'name'),
    extra: {
      family: type,
      execution_mechanism: 'provider_hosted',
      payload: leftovers(item, ['id', 'status', 'name'], literal === undefined ? [] : ['id']),
    },
  };
  const turn = blankTurn('agent');
  turn.tool_calls = [call];
  const draft = { call, literal, pointer: appendPointer(pointer, 'id'), scope: 'hosted', family: type };
  return { turn, calls: [draft], results: [] };
}

/** Some members of an item, but those that have a place elsewhere. */
function leftovers(item: JsonObject, keys: readonly string[], placed: readonly string[]): JsonObject {
  const payload: MutableJsonObject = {};
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value !== undefined && !placed.includes(key)) payload[key] = value;
  }
  return payload;
}

function readCall(
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

function readResult(
  item: JsonObject,
  { family, id, idKey, scope }: FamilyItem,
  pointer: string,
  found: Tally,
): Draft {
  const literal = id === '' ? undefined : id;
  const type = textOf(item, 'type');
  // A few have their outcome in their status alone.
  const outcome = [outcomeKeyOf(type ?? ''), 'output'].find((key) => Object.hasOwn(item, key));
  const output = outcome === undefined ? null : (getOwn(item, outcome) ?? null);
  const unwrapped =
    typeof output === 'string' && !Object.hasOwn(item, 'envelope') ? unwrapOutput(output) : undefined;
  if (unwrapped !== undefined)
    found.add(
      'info',
      'ankole/unwrapped-output',
      appendPointer(pointer, 'output'),
      'the output stands in the pseudo tag that rows of before August 2026 have; it was taken off, and comes back',
    );
  const result = {
    ...(type === 'function_call_output' ? {} : { type: type ?? null }),
    content: unwrapped?.text ?? output,
    ...(unwrapped === undefined ? {} : { envelope: unwrapped.envelope }),
    ...without(
      item,
      'type',
      ...(outcome === undefined ? [] : [outcome]),
      ...(literal === undefined ? [] : [idKey]),
    ),
  };
  // `content` is the result's own name for its output: a member of that name would hide it.
  if (Object.hasOwn(item, 'content') || Object.hasOwn(item, 'source_call_id')) return kept(item);
  const turn = blankTurn('tool');
  turn.observation = { results: [result] };
  const draft = { result, literal, pointer: appendPointer(pointer, idKey), scope, family };
  return { turn, calls: [], results: [draft] };
}

/** An item that projects to nothing: an internal turn that holds it (decision K4). */
export function kept(item: Json): Draft {
  const turn = blankTurn('system');
  turn.kind = 'internal';
  turn.extra = { item };
  return { turn, calls: [], results: [] };
}
