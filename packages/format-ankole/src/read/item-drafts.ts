import {
  appendPointer,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { ITEM_ROW_KEYS } from '../keys.ts';
import { isEmpty, listOf, objectIn, objectOf, without } from '../members.ts';
import type { Tally } from '../tally.ts';
import { rowTime } from '../times.ts';
import { noteMessages } from './chatml.ts';
import { readMessages } from './chatml-messages.ts';
import { messagesOfGroup } from './order-items.ts';
import { blankTurn, type Draft, type Part } from './parts.ts';
import { noteFlags, noteSourceLosses } from './source-losses.ts';
import { type ItemDraft, readThreadItem } from './thread-item.ts';

/** What a stored row of a job turn becomes: the turn of its item, or those of its messages. */
export function itemDrafts(
  part: Part,
  turnId: string,
  keep: (pointer: string, value: Json) => void,
  found: Tally,
): readonly Draft[] {
  const { shape, value, pointer } = part;
  const drafts = shape === 'group' ? groupDrafts(value, pointer, found) : [itemDraft(value, pointer, found)];
  const isEmptyRow = drafts.length === 0;
  if (isEmptyRow) {
    const message = 'the row has no message; it is kept in an internal turn';
    found.add('info', 'ankole/item-without-message', pointer, message);
    drafts.push({ turn: { ...blankTurn('system'), kind: 'internal' }, calls: [], results: [] });
  }
  const item = getOwn(value, 'position') ?? null;
  drafts.forEach(({ turn }, message) => {
    turn.env = { request_id: turnId, state: message === 0 ? { item } : { item, message } };
  });
  addRow(drafts, part, isEmptyRow, keep);
  return drafts;
}

function itemDraft(value: JsonObject, pointer: string, found: Tally): Draft {
  const item = getOwn(value, 'item') ?? null;
  const at = appendPointer(pointer, 'item');
  const draft = readThreadItem(item, at, found);
  noteSourceLosses(item, at, found);
  noteItem(draft, at, found);
  return draft;
}

function groupDrafts(value: JsonObject, pointer: string, found: Tally): Draft[] {
  const given = messagesOfGroup(value);
  const messages = listOf(given);
  const at = appendPointer(pointer, 'content', 'messages');
  noteMessages(messages, at, found);
  noteFlags(objectIn(value, 'content'), appendPointer(pointer, 'content'), found);
  return [...readMessages(messages, at)];
}

function noteItem({ turn, truncated, projected }: ItemDraft, pointer: string, found: Tally): void {
  if (truncated)
    found.add(
      'warning',
      'ankole/oversize-item',
      pointer,
      'arguments or a result of more than 65,536 bytes are shown to a model as a preview; the item is kept whole',
    );
  if (turn.kind !== 'internal') return;
  if (projected > 0)
    found.add(
      'warning',
      'ankole/item-without-id',
      pointer,
      'the tool item has no id, so its messages are not canonical; it is kept in an internal turn',
    );
  else
    found.add(
      'info',
      'ankole/item-without-message',
      pointer,
      'the item projects to no message; it is kept in an internal turn',
    );
}

/** Puts on the turns what their row says besides its item or messages. */
function addRow(
  drafts: readonly Draft[],
  { shape, value, pointer }: Part,
  isEmptyRow: boolean,
  keep: (pointer: string, value: Json) => void,
): void {
  const row: MutableJsonObject = {};
  const inserted = rowTime(getOwn(value, 'inserted_at'));
  if (inserted !== undefined) for (const { turn } of drafts) turn.ts = inserted.text;
  const told = ['turn_id', 'position', ...(inserted?.isVerbatim === true ? ['inserted_at'] : [])];
  const body = shape === 'group' ? 'content' : 'item';
  for (const key of Object.keys(value)) {
    if (key === body || told.includes(key)) continue;
    const member = value[key] as Json;
    if ((ITEM_ROW_KEYS as readonly string[]).includes(key)) row[key] = member;
    else keep(appendPointer(pointer, key), member);
  }
  const content = shape === 'group' ? without(objectIn(value, body), 'messages') : {};
  if (!isEmpty(content)) row.content = content;
  if (isEmptyRow) row.empty = true;
  const turn = drafts[0]?.turn;
  if (turn === undefined || isEmpty(row)) return;
  turn.extra = { ...objectOf(turn.extra), row };
}
