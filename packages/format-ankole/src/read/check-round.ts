import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { filledText, textOf } from '../members.ts';
import { idOfResponse, type Round } from './round.ts';

/** Members of a row that must be text. */
const TEXTS = ['id', 'conversation_id', 'type', 'status'] as const;

/** A row of `ai_gateway_messages` as a round; `undefined` after an error. */
export function roundOfRow(row: Json, pointer: string, report: Report): Round | undefined {
  if (!isJsonObject(row)) {
    report('error', 'ankole/row-shape', pointer, 'a row of messages is an object, but this is none');
    return undefined;
  }
  let failed = false;
  const wrong = (key: string, expected: string): void => {
    failed = true;
    report('error', 'ankole/row-shape', appendPointer(pointer, key), `${key} of a row is not ${expected}`);
  };
  for (const key of TEXTS) if (filledText(row, key) === undefined) wrong(key, 'a text with something in it');
  const previous = getOwn(row, 'previous_message_id') ?? null;
  if (previous !== null && typeof previous !== 'string') wrong('previous_message_id', 'a text or null');
  if (!isJsonArray(getOwn(row, 'content'))) wrong('content', 'a list of items');
  if (failed) return undefined;
  const time = getOwn(row, 'inserted_at') ?? null;
  return { shape: 'row', id: textOf(row, 'id') ?? '', value: row, pointer, time };
}

/** A Response object as a round; `undefined` after an error. */
export function roundOfResponse(value: JsonObject, pointer: string, report: Report): Round | undefined {
  const id = idOfResponse(value);
  if (id === undefined) {
    report(
      'error',
      'ankole/row-shape',
      appendPointer(pointer, 'id'),
      'id of a Response is not a text with something in it',
    );
    return undefined;
  }
  const wrong = (['input', 'output'] as const).filter((side) => !isSide(getOwn(value, side) ?? null, side));
  for (const side of wrong)
    report(
      'error',
      'ankole/row-shape',
      appendPointer(pointer, side),
      `${side} of a Response is not a list of items${side === 'input' ? ', nor a text' : ''}`,
    );
  if (wrong.length > 0) return undefined;
  return { shape: 'response', id, value, pointer, time: getOwn(value, 'created_at') ?? null };
}

/** Whether a value can be the input or output of a Response: clients may give their input as one text. */
function isSide(value: Json, side: 'input' | 'output'): boolean {
  return value === null || isJsonArray(value) || (side === 'input' && typeof value === 'string');
}
