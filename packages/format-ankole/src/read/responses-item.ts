import {
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { isEmpty, listOf, objectOf, textOf, without } from '../members.ts';
import { CLIENT_OUTPUTS, familyItemOf } from '../provider/families.ts';
import type { Tally } from '../tally.ts';
import { HOSTED, readHosted } from './hosted-call.ts';
import { kept } from './kept-item.ts';
import { blankTurn, type Draft } from './parts.ts';
import { readCall } from './responses-call.ts';
import { readResult } from './responses-result.ts';
import { SRC_OF_ROLE } from './src-of-role.ts';

/** What a Responses item of a conversation becomes; one without a meaning of its own is kept whole in an internal turn. */
export function readResponsesItem(item: Json, pointer: string, found: Tally): Draft {
  if (!isJsonObject(item)) return kept(item);
  const type = textOf(item, 'type');
  const role = textOf(item, 'role');
  if ((type === 'message' || type === undefined) && role !== undefined && Object.hasOwn(item, 'content')) {
    const src = SRC_OF_ROLE.get(role);
    if (src !== undefined) return readMessage(item, src);
  }
  if (type === 'reasoning') return readReasoning(item);
  const outcomeKey = HOSTED.get(type ?? '');
  if (type !== undefined && outcomeKey !== undefined)
    return readHosted(type, outcomeKey, item, pointer, found);
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
  const [part, ...others] = listOf(content);
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
  const texts = isJsonArray(summary) ? summary.map((part) => textOf(objectOf(part), 'text')) : [];
  const filled = texts.filter((text) => text !== undefined && text !== '');
  if (filled.length === 0) return kept(item);
  const turn = blankTurn('agent');
  turn.reason = filled.join('\n');
  const isUsual = equalJson(summary ?? null, [{ type: 'summary_text', text: turn.reason }]);
  turn.extra = { item_type: 'reasoning', payload: without(item, 'type', ...(isUsual ? ['summary'] : [])) };
  return { turn, calls: [], results: [] };
}
