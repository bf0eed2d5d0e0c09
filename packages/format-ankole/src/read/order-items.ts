import {
  appendPointer,
  compareNumbers,
  equalJson,
  getOwn,
  isInteger,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { objectIn } from '../members.ts';
import type { Tally } from '../tally.ts';
import type { Part } from './parts.ts';

/** The messages of a row of `background_agent_job_turn_trajectory_groups`. */
export function messagesOfGroup(row: JsonObject): Json | undefined {
  return getOwn(objectIn(row, 'content'), 'messages');
}

/** Whether a row has what its meaning depends on. */
export function checkItemRow({ shape, value, pointer }: Part, report: Report): boolean {
  const position = getOwn(value, 'position');
  const isPosition = isInteger(position) && compareNumbers(position, 0) >= 0;
  if (!isPosition)
    report(
      'error',
      'ankole/row-shape',
      appendPointer(pointer, 'position'),
      'position of a turn item is not an integer from 0 on',
    );
  if (shape === 'group') {
    const isContent = isJsonArray(messagesOfGroup(value));
    if (!isContent)
      report(
        'error',
        'ankole/row-shape',
        appendPointer(pointer, 'content'),
        'content of a group of messages is not an object with a list of messages',
      );
    return isPosition && isContent;
  }
  const isItem = isJsonObject(getOwn(value, 'item'));
  if (!isItem)
    report(
      'error',
      'ankole/row-shape',
      appendPointer(pointer, 'item'),
      'item of a turn item is not an object',
    );
  return isPosition && isItem;
}

/** Rows by position, each once; another row at a known position is kept behind the first, with a warning. */
export function orderItems(
  parts: readonly Part[],
  found: Tally,
): { readonly rows: readonly Part[]; readonly positions: readonly number[] } {
  const positionOf = (part: Part) => getOwn(part.value, 'position') as number;
  const sorted = parts
    .map((part, index) => ({ part, index }))
    .sort((a, b) => compareNumbers(positionOf(a.part), positionOf(b.part)) || a.index - b.index);
  const rows: Part[] = [];
  const places = new Map<Part, number>();
  const keys = new Set<Json>();
  for (const { part } of sorted) {
    const last = rows.at(-1);
    const isSamePlace = last !== undefined && compareNumbers(positionOf(last), positionOf(part)) === 0;
    if (last !== undefined && isSamePlace && equalJson(last.value, part.value)) {
      places.set(part, rows.length - 1);
      continue;
    }
    const key = getOwn(part.value, 'item_key') ?? null;
    if (isSamePlace || (key !== null && keys.has(key)))
      found.add(
        'warning',
        'ankole/conflicting-items',
        part.pointer,
        'another item has this position or key already; both are kept',
      );
    keys.add(key);
    places.set(part, rows.length);
    rows.push(part);
  }
  return { rows, positions: parts.map((part) => places.get(part) ?? 0) };
}
