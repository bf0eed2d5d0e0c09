import { appendPointer, getOwn, isJsonObject, type Json } from '@pchronicle/storyline-core';
import { filledText, isEmpty, objectOf, only, textOf, without } from '../members.ts';
import { readCalls } from './chatml-calls.ts';
import { promote, readToolMessage } from './chatml-results.ts';
import { blankTurn, type Draft, type DraftResult } from './parts.ts';
import { SRC_OF_ROLE } from './src-of-role.ts';

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
      const result = readToolMessage(message, appendPointer(base, first + next));
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
  const role = textOf(objectOf(message), 'role');
  if (isJsonObject(message) && role === 'tool') {
    const result = readToolMessage(message, pointer);
    if (result === undefined) return keptMessage(message);
    const turn = blankTurn('tool');
    turn.observation = { results: [result.result] };
    return { turn, calls: [], results: [result] };
  }
  const src = SRC_OF_ROLE.get(role ?? '');
  if (!isJsonObject(message) || src === undefined) return keptMessage(message);
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
