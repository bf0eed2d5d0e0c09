import {
  appendPointer,
  canonicalNumber,
  getOwn,
  isNumeric,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { filledText, listOf, objectIn, objectOf } from '../members.ts';
import { artifactId } from './artifacts.ts';
import type { Group, Part } from './parts.ts';
import { conversationOfResponse, idOfResponse } from './round.ts';

/** Prefix of the key of a conversation; alone, the key of parts that name none. */
const CONVERSATION = 'c:';

/** Gathers parts that belong together: those of a conversation, pages of a job, items of a turn; `undefined` after an error. */
export function groupParts(parts: readonly Part[], report: Report): readonly Group[] | undefined {
  const groups = new Map<string, Part[]>();
  let conversation: string | undefined;
  let failed = false;
  for (const [index, part] of parts.entries()) {
    const key = keyOf(part, index, report);
    if (key === undefined) {
      failed = true;
      continue;
    }
    // Parts of conversations in one record are of one: the driver has gathered them, by what they name and what they continue.
    const isConversation = key.startsWith(CONVERSATION);
    if (isConversation && key !== CONVERSATION) conversation ??= key;
    const own = isConversation ? CONVERSATION : key;
    const members = groups.get(own) ?? [];
    members.push(part);
    groups.set(own, members);
  }
  if (failed) return undefined;
  return [...groups].map(([own, members]) => ({
    key: own === CONVERSATION ? (conversation ?? `${CONVERSATION}${nameOfLone(members)}`) : own,
    parts: members,
  }));
}

/** The name of a conversation that no part of it names. */
function nameOfLone([first]: readonly Part[]): string {
  if (first?.shape === 'artifact') return artifactId(first.value);
  return first?.shape === 'response' ? (idOfResponse(first.value) ?? '') : '';
}

function keyOf({ shape, value, pointer }: Part, index: number, report: Report): string | undefined {
  switch (shape) {
    case 'row':
    case 'artifact':
      return `${CONVERSATION}${filledText(value, 'conversation_id') ?? ''}`;
    case 'conversation':
      return `${CONVERSATION}${filledText(objectIn(value, 'conversation'), 'id') ?? ''}`;
    case 'response':
      return `${CONVERSATION}${conversationOfResponse(value) ?? ''}`;
    case 'page':
      return keyOfPage(value, pointer, report);
    case 'job': {
      const id = getOwn(objectIn(value, 'job'), 'id');
      return `j:${isNumeric(id) ? canonicalNumber(id) : typeof id === 'string' ? id : ''}`;
    }
    case 'item':
    case 'group': {
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
  for (const [index, row] of listOf(rows).entries()) {
    const id = filledText(objectOf(row), 'conversation_id');
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
  return `${CONVERSATION}${key ?? ''}`;
}
