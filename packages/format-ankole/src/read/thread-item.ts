import {
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { parseArguments } from '../arguments.ts';
import { closeArguments } from '../encoded/opaque.ts';
import { projectItem } from '../items/project-item.ts';
import { assignOwn, isEmpty, listOf, objectOf, textOf, without } from '../members.ts';
import type { Tally } from '../tally.ts';
import { readMessages } from './chatml-messages.ts';
import { kept } from './kept-item.ts';
import { openIn } from './open-in.ts';
import type { Draft, MutableTurn } from './parts.ts';

/** What becomes of a stored item of a job turn, and whether its projection was cut. */
export interface ItemDraft extends Draft {
  readonly truncated: boolean;
  /** How many messages its projection has. */
  readonly projected: number;
}

/** Members of an item that a turn may hold, by where it would. */
const PLACES: readonly (readonly [key: string, place: string])[] = [
  ['text', 'msg'],
  ['review', 'msg'],
  ['content', 'msg'],
  ['content', 'msg-part'],
  ['command', 'args/command'],
  ['cwd', 'args/cwd'],
  ['changes', 'args/changes'],
  ['query', 'args/query'],
  ['action', 'args/action'],
  ['arguments', 'args'],
  ['aggregatedOutput', 'result'],
  ['contentItems', 'result'],
  ['contentItems', 'result-json'],
  ['result', 'result'],
  ['result', 'result-json'],
];

/**
 * What a stored item becomes: the turn of its messages, which are those that Ankole's readers make of it. `extra.item` keeps what the
 * turn does not say, `extra.taken` names the members that it does.
 */
export function readThreadItem(item: Json, pointer: string, found: Tally): ItemDraft {
  const { messages, truncated } = projectItem(item);
  const [draft, ...others] = readMessages(messages, `${pointer}/id`);
  if (draft === undefined || others.length > 0 || !isJsonObject(item))
    return { ...kept(item), truncated, projected: messages.length };
  const taken: MutableJsonObject = {};
  for (const [key, place] of PLACES) {
    const value = getOwn(item, key);
    if (value === undefined || Object.hasOwn(taken, key)) continue;
    const held = valueAt(draft.turn, place);
    if (held !== undefined && equalJson(held, value)) taken[key] = place;
  }
  const extra = objectOf(draft.turn.extra);
  draft.turn.extra = { ...extra, item: without(item, ...Object.keys(taken)), taken };
  for (const { call } of draft.calls) {
    const { args, opaque } = openIn(call.args, pointer, 'arguments', found);
    if (isEmpty(opaque)) continue;
    call.args = args;
    call.extra = { ...objectOf(call.extra), opaque };
  }
  // The id of call and result is the item's own, wherever the messages repeat it.
  const own = { scope: '', family: '', pointer: `${pointer}/id` };
  return {
    turn: draft.turn,
    calls: draft.calls.map((call) => ({ ...call, ...own })),
    results: draft.results.map((result) => ({ ...result, ...own })),
    truncated,
    projected: messages.length,
  };
}

/** The item that a turn holds; `undefined` where it holds none. */
export function writeThreadItem(
  turn: Pick<MutableTurn, 'msg' | 'tool_calls' | 'observation' | 'extra'>,
): Json | undefined {
  const extra = objectOf(turn.extra);
  const held = getOwn(extra, 'item');
  const taken = getOwn(extra, 'taken');
  if (!isJsonObject(held) || !isJsonObject(taken)) return held;
  const item = assignOwn({}, held);
  for (const key of Object.keys(taken)) {
    const value = valueAt(turn, textOf(taken, key) ?? '');
    if (value !== undefined) assignOwn(item, { [key]: value });
  }
  return item;
}

function valueAt(
  { msg, tool_calls: calls, observation }: Pick<MutableTurn, 'msg' | 'tool_calls' | 'observation'>,
  place: string,
): Json | undefined {
  const [call] = calls ?? [];
  const args =
    call === undefined ? undefined : closeArguments(call.args, getOwn(objectOf(call.extra), 'opaque'));
  const results = getOwn(objectOf(observation), 'results');
  const [result] = listOf(results);
  const content = textOf(objectOf(result), 'content');
  if (place === 'msg') return typeof msg === 'string' || isJsonArray(msg) ? msg : undefined;
  if (place === 'msg-part') return typeof msg === 'string' ? [{ type: 'text', text: msg }] : undefined;
  if (place === 'args') return args;
  if (place.startsWith('args/')) return isJsonObject(args) ? getOwn(args, place.slice(5)) : undefined;
  if (place === 'result') return content;
  return place === 'result-json' && content !== undefined ? parseArguments(content) : undefined;
}
