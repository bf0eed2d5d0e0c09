import { defined, equalJson, type Json, memberOf } from '@pchronicle/storyline-core';
import { contentOf } from '../message/content.ts';
import { isToolMessage } from '../message/view.ts';
import { listOf } from '../values.ts';
import { OWN, toolIndex, toolItem, USER } from './flags.ts';

/** What the plan has to know of a message of the history. */
export interface MessageShape {
  /** Content of a user message; `undefined` for all others. */
  readonly asked?: Json;
  /** Whether the message is a tool result, or an assistant message with calls: the next message comes from the loop, not from a user. */
  readonly inLoop: boolean;
  readonly isResult: boolean;
}

/** What a row adds to the history. */
export interface RowAdditions {
  /** For each new result the message that made its call, OWN when it is the row's own output, or `undefined` when it is unknown. */
  readonly answers: readonly (number | undefined)[];
  /** Content of the request turn, if the row has one. */
  readonly request?: Json;
}

/**
 * The messages of a row by the plain rule: the history, each result behind the call it answers (decision O1), the request unless an
 * agent loop repeats it (decision O11), results of unknown calls. Items are positions among the session's messages, or additions.
 * Results of the row's own output are not placed: they stand in the next row.
 */
export function planMessages(
  history: readonly number[],
  row: RowAdditions,
  shapeOf: (ref: number) => MessageShape | undefined,
): number[] {
  const { items, unknown } = placeResults(history, row.answers, shapeOf);
  if (row.request !== undefined && !repeatsRequest(items, row.request, shapeOf)) items.push(USER);
  for (const item of unknown) items.push(item);
  return items;
}

/** The history with each result behind the call it answers, in one pass; and the results whose call it does not have. */
function placeResults(
  history: readonly number[],
  answers: readonly (number | undefined)[],
  shapeOf: (ref: number) => MessageShape | undefined,
): { readonly items: number[]; readonly unknown: readonly number[] } {
  if (answers.length === 0) return { items: [...history], unknown: [] };
  const places = new Map<number, number>();
  for (const [index, ref] of history.entries()) places.set(ref, index);
  const unknown: number[] = [];
  const placed = new Map<number, number[]>();
  answers.forEach((answer, index) => {
    if (answer === OWN) return;
    const place = answer === undefined ? undefined : places.get(answer);
    if (place === undefined) unknown.push(toolItem(index));
    else {
      const list = placed.get(place);
      if (list === undefined) placed.set(place, [toolItem(index)]);
      else list.push(toolItem(index));
    }
  });
  const items: number[] = [];
  let waiting: readonly number[] | undefined;
  for (const [index, ref] of history.entries()) {
    if (waiting !== undefined && shapeOf(ref)?.isResult !== true) {
      for (const item of waiting) items.push(item);
      waiting = undefined;
    }
    items.push(ref);
    waiting = placed.get(index) ?? waiting;
  }
  for (const item of waiting ?? []) items.push(item);
  return { items, unknown };
}

/** Whether an agent loop goes on and the request is the last user message again (decision O11). */
function repeatsRequest(
  items: readonly number[],
  request: Json,
  shapeOf: (ref: number) => MessageShape | undefined,
): boolean {
  const last = items[items.length - 1];
  if (last === undefined || !(toolIndex(last) >= 0 || (last >= 0 && shapeOf(last)?.inLoop === true)))
    return false;
  const asked = items.findLast((item) => item >= 0 && shapeOf(item)?.asked !== undefined);
  return asked !== undefined && equalJson(shapeOf(asked)?.asked ?? null, request);
}

/** The shape of a message as it is written or read. */
export function shapeOfMessage(message: Json): MessageShape {
  const role = memberOf(message, 'role');
  const isResult = isToolMessage(message);
  const inLoop = isResult || (role === 'assistant' && listOf(memberOf(message, 'tool_calls')).length > 0);
  const asked = role === 'user' ? contentOf(message) : undefined;
  return defined<MessageShape>({ inLoop, isResult, asked });
}
