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
  const placed = new Map<number | undefined, number[]>();
  for (const [index, answer] of row.answers.entries()) {
    if (answer === OWN) continue;
    const results = placed.get(answer) ?? [];
    results.push(toolItem(index));
    placed.set(answer, results);
  }
  const items: number[] = [];
  let waiting: readonly number[] = [];
  const flush = (next: readonly number[]): void => {
    for (const item of waiting) items.push(item);
    waiting = next;
  };
  for (const ref of history) {
    if (waiting.length > 0 && shapeOf(ref)?.isResult !== true) flush([]);
    items.push(ref);
    waiting = placed.get(ref) ?? waiting;
    placed.delete(ref);
  }
  flush([...placed.values()].flat().sort((left, right) => right - left));
  if (row.request !== undefined && !repeatsRequest(items, row.request, shapeOf)) items.push(USER);
  flush([]);
  return items;
}

/** Whether an agent loop goes on and the request is the last user message again (decision O11). */
function repeatsRequest(
  items: readonly number[],
  request: Json,
  shapeOf: (ref: number) => MessageShape | undefined,
): boolean {
  const last = items[items.length - 1] ?? USER;
  if (toolIndex(last) < 0 && shapeOf(last)?.inLoop !== true) return false;
  const asked = items.findLast((item) => shapeOf(item)?.asked !== undefined);
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
