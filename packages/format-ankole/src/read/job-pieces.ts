import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { filledText, listOf, objectIn, textOf } from '../members.ts';
import type { Part } from './parts.ts';

/** A turn as one page has it. */
export interface TurnPiece {
  readonly value: JsonObject;
  readonly pointer: string;
  readonly messages: readonly Json[];
}

/** The turns of a page of a job; `undefined` after an error. */
export function readPieces({ value, pointer }: Part, report: Report): readonly TurnPiece[] | undefined {
  const job = objectIn(value, 'job');
  const base = appendPointer(pointer, 'job');
  const id = getOwn(job, 'id') ?? null;
  const turns = getOwn(job, 'turns');
  let failed = false;
  const wrong = (at: string, what: string): void => {
    failed = true;
    report('error', 'ankole/job-shape', at, what);
  };
  if (!(isNumeric(id) || (typeof id === 'string' && id !== '')))
    wrong(appendPointer(base, 'id'), 'id of a job is not a number');
  if (!isJsonArray(turns)) wrong(appendPointer(base, 'turns'), 'turns of a job are not a list');
  const pieces: TurnPiece[] = [];
  for (const [index, turn] of listOf(turns).entries()) {
    const at = appendPointer(base, 'turns', index);
    const trajectory = isJsonObject(turn) ? (getOwn(turn, 'trajectory') ?? null) : null;
    const messages = isJsonObject(trajectory) ? (getOwn(trajectory, 'messages') ?? []) : [];
    if (!isJsonObject(turn)) wrong(at, 'a turn of a job is no object');
    else if (filledText(turn, 'id') === undefined)
      wrong(appendPointer(at, 'id'), 'id of a turn is not a text with something in it');
    else if (trajectory !== null && !isJsonObject(trajectory))
      wrong(appendPointer(at, 'trajectory'), 'trajectory of a turn is neither an object nor null');
    else if (!isJsonArray(messages))
      wrong(appendPointer(at, 'trajectory', 'messages'), 'messages of a turn are not a list');
    else pieces.push({ value: turn, pointer: at, messages });
  }
  const ids = new Set(pieces.map((piece) => textOf(piece.value, 'id')));
  if (ids.size < pieces.length)
    wrong(appendPointer(base, 'turns'), 'two turns of one page have the same id; a page has each turn once');
  return failed ? undefined : pieces;
}
