import {
  appendPointer,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { JOB_TURN_KEYS } from '../keys.ts';
import { isEmpty, objectIn, objectOf, only, timeText, without } from '../members.ts';
import type { Tally } from '../tally.ts';
import { noteMessages } from './chatml.ts';
import { readMessages } from './chatml-messages.ts';
import type { JoinedTurn } from './job-pages.ts';
import { blankTurn, type Draft } from './parts.ts';
import { noteFlags, noteHeader } from './source-losses.ts';

/** The turns of one turn of the job; one without messages is an internal turn that holds it. */
export function jobDrafts(
  { id, value, pieces, fresh }: JoinedTurn,
  keep: (pointer: string, value: Json) => void,
  found: Tally,
): readonly Draft[] {
  const drafts: Draft[] = fresh.flatMap(({ piece, from, to }) => {
    const base = appendPointer(piece.pointer, 'trajectory', 'messages');
    const messages = piece.messages.slice(from, to);
    noteMessages(messages, base, found, from);
    const header = objectIn(piece.value, 'trajectory');
    noteHeader(header, appendPointer(piece.pointer, 'trajectory'), found);
    noteFlags(header, appendPointer(piece.pointer, 'trajectory'), found);
    for (const key of Object.keys(piece.value)) {
      if (!(JOB_TURN_KEYS as readonly string[]).includes(key))
        keep(appendPointer(piece.pointer, key), piece.value[key] as Json);
    }
    return readMessages(messages, base, from);
  });
  const [piece] = pieces;
  if (piece === undefined) return [];
  const isEmptyTurn = drafts.length === 0;
  if (isEmptyTurn) {
    found.add(
      'info',
      'ankole/turn-without-messages',
      piece.pointer,
      'the turn has no messages: it failed early, or was recorded before items were',
    );
    const turn = blankTurn('system');
    turn.kind = 'internal';
    drafts.push({ turn, calls: [], results: [] });
  }
  const status = getOwn(value, 'status') ?? null;
  drafts.forEach(({ turn }, index) => {
    turn.env = { request_id: id, state: { status, item: isEmptyTurn ? null : index } };
  });
  addMembers(drafts, value, isEmptyTurn);
  return drafts;
}

/** Puts on the first and last turn what the job's turn says besides its messages. */
function addMembers(drafts: readonly Draft[], value: JsonObject, isEmptyTurn: boolean): void {
  const [first] = drafts;
  const last = drafts.at(-1);
  if (first === undefined || last === undefined) return;
  const started = timeText(getOwn(value, 'started_at'));
  const completed = timeText(getOwn(value, 'completed_at'));
  if (started !== undefined) first.turn.ts = started;
  if (completed !== undefined) last.turn.finished_at = completed;
  const row: MutableJsonObject = without(only(value, JOB_TURN_KEYS), 'id', 'status', 'trajectory');
  if (started !== undefined) delete row.started_at;
  if (completed !== undefined) delete row.completed_at;
  const header = without(objectIn(value, 'trajectory'), 'format', 'version', 'messages');
  if (!isEmpty(header)) row.trajectory = header;
  if (isEmptyTurn) row.empty = true;
  const extra = objectOf(first.turn.extra);
  if (!isEmpty(row)) first.turn.extra = { ...extra, row };
}
