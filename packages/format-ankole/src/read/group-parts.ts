import {
  appendPointer,
  canonicalNumber,
  getOwn,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { filledText, objectIn } from '../members.ts';
import { artifactId } from './artifacts.ts';
import type { Group, Part } from './parts.ts';
import { conversationOfResponse } from './rounds.ts';

/** Key of a page without rows: it belongs to the conversation that is there beside it. */
const NOBODY = 'c:';

/** Gathers parts that belong together: rows and pages of a conversation, pages of a job, items of a turn; `undefined` after an error. */
export function groupParts(parts: readonly Part[], report: Report): readonly Group[] | undefined {
  const groups = new Map<string, Part[]>();
  let failed = false;
  const keys = parts.map((part, index) => {
    const key = keyOf(part, index, report);
    if (key === undefined) failed = true;
    return key ?? '';
  });
  if (failed) return undefined;
  const conversations = new Set(keys.filter((key) => key.startsWith('c:') && key !== NOBODY));
  const [sole] = conversations;
  parts.forEach((part, index) => {
    const own = keys[index] as string;
    const key = own === NOBODY && conversations.size === 1 && sole !== undefined ? sole : own;
    const members = groups.get(key) ?? [];
    members.push(part);
    groups.set(key, members);
  });
  return [...groups].map(([key, members]) => ({ key, parts: members }));
}

function keyOf({ shape, value, pointer }: Part, index: number, report: Report): string | undefined {
  switch (shape) {
    case 'row':
      return `c:${filledText(value, 'conversation_id') ?? ''}`;
    case 'artifact':
      return `c:${filledText(value, 'conversation_id') ?? artifactId(value)}`;
    case 'conversation':
      return `c:${filledText(objectIn(value, 'conversation'), 'id') ?? ''}`;
    case 'response':
      return `c:${conversationOfResponse(value) ?? filledText(value, 'id')?.replace(/^resp_(?=.)/, '') ?? ''}`;
    case 'page':
      return keyOfPage(value, pointer, report);
    case 'job': {
      const id = getOwn(objectIn(value, 'job'), 'id');
      return `j:${isNumeric(id) ? canonicalNumber(id) : typeof id === 'string' ? id : ''}`;
    }
    case 'item': {
      const turn = filledText(value, 'turn_id');
      if (turn !== undefined) return `t:${turn}`;
      const at = appendPointer(pointer, 'turn_id');
      report('error', 'ankole/row-shape', at, 'turn_id of a turn item is not a text with something in it');
      return undefined;
    }
    case 'chatml':
      return `m:${index}`;
  }
}

/** The Console gives a page of one conversation. */
function keyOfPage(page: JsonObject, pointer: string, report: Report): string | undefined {
  const rows = getOwn(page, 'messages');
  let key: string | undefined;
  for (const [index, row] of (isJsonArray(rows) ? rows : []).entries()) {
    const id = isJsonObject(row) ? filledText(row, 'conversation_id') : undefined;
    if (id === undefined) continue;
    key ??= id;
    if (id === key) continue;
    const at = appendPointer(pointer, 'messages', index, 'conversation_id');
    report(
      'error',
      'ankole/mixed-conversations',
      at,
      `the page is of the conversation ${JSON.stringify(key.slice(0, 80))}, this row of another; rows of several conversations are read as an array of rows, or a row a line`,
    );
    return undefined;
  }
  return key === undefined ? NOBODY : `c:${key}`;
}
