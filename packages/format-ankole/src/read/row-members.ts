import {
  appendPointer,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type TimeValue,
} from '@pchronicle/storyline-core';
import { MESSAGE_ROW_KEYS } from '../keys.ts';
import { assignOwn, filledText, isEmpty, objectOf, without } from '../members.ts';
import type { Tally } from '../tally.ts';
import { type RowTime, rowTime } from '../times.ts';
import type { MutableTurn } from './parts.ts';
import type { Round } from './round.ts';

/** Puts on a round's first and last turn what the round says besides its items. */
export function addRow(
  { shape, value, pointer }: Round,
  first: Round | undefined,
  turns: readonly MutableTurn[],
  keep: (pointer: string, value: Json) => void,
  found: Tally,
): void {
  const [head] = turns as readonly [MutableTurn, ...MutableTurn[]];
  const last = turns.at(-1) ?? head;
  const row: MutableJsonObject = {};
  if (shape === 'response') {
    const created = getOwn(value, 'created_at') as TimeValue | undefined;
    if (typeof created === 'number' && Number.isInteger(created) && Math.abs(created) < 9e9)
      head.ts = created;
    const rest = without(value, 'id', 'object', 'previous_response_id', 'conversation', 'input', 'output');
    assignOwn(row, head.ts === undefined ? rest : without(rest, 'created_at'));
  } else {
    const inserted = rowTime(getOwn(value, 'inserted_at'));
    const updated = rowTime(getOwn(value, 'updated_at'));
    for (const turn of turns) if (inserted !== undefined) turn.ts = inserted.text;
    if (updated !== undefined) last.finished_at = updated.text;
    for (const key of Object.keys(value)) {
      const member = value[key] as Json;
      if (!(MESSAGE_ROW_KEYS as readonly string[]).includes(key)) keep(appendPointer(pointer, key), member);
      else if (!isTold(key, member, value, first?.value, inserted, updated)) row[key] = member;
    }
    if (inserted?.isVerbatim === false)
      found.add(
        'info',
        'ankole/database-time',
        appendPointer(pointer, 'inserted_at'),
        'the time is spelled as a database prints it; the turns have it as RFC 3339 (in UTC, where it has no offset), the row keeps its own',
      );
    if (inserted === undefined && Object.hasOwn(value, 'inserted_at'))
      found.add(
        'info',
        'ankole/time-format',
        appendPointer(pointer, 'inserted_at'),
        'the time is no date with a time of day; the turns have no time, the row keeps its own',
      );
  }
  if (turns.length === 1 && getOwn(head.env?.state ?? {}, 'item') === null) row.empty = true;
  if (isEmpty(row)) return;
  const extra = objectOf(head.extra);
  head.extra = { ...extra, row };
}

/** Whether a member of a row is told by the Storyline's own slots. */
function isTold(
  key: string,
  member: Json,
  row: JsonObject,
  first: JsonObject | undefined,
  inserted: RowTime | undefined,
  updated: RowTime | undefined,
): boolean {
  switch (key) {
    case 'id':
    case 'conversation_id':
    case 'status':
    case 'previous_message_id':
    case 'content':
      return true;
    case 'type':
      return member === 'message' || member === 'checkpoint';
    case 'role':
      return member === null;
    case 'subject_uid':
      return first !== undefined && member === getOwn(first, key) && filledText(row, key) !== undefined;
    case 'inserted_at':
      return inserted?.isVerbatim === true;
    case 'updated_at':
      return updated?.isVerbatim === true;
    default:
      return isJsonObject(member) && isEmpty(member);
  }
}
