import {
  appendPointer,
  compareText,
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseTime,
  type Report,
} from '@pchronicle/storyline-core';
import { packRanges } from '../layout/ranges.ts';
import { filledText, objectIn, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { rowTime } from '../times.ts';
import type { Part } from './parts.ts';

/** A stored round of a conversation, from a row or a Response object. */
export interface Round {
  readonly shape: 'row' | 'response';
  readonly id: string;
  readonly value: JsonObject;
  readonly pointer: string;
  readonly time: Json;
}

/** The rounds of all parts in (inserted_at, id) order, each once, and which of them each part holds. */
export function gatherRounds(
  parts: readonly Part[],
  report: Report,
  found: Tally,
): { readonly rounds: readonly Round[]; readonly positions: ReadonlyMap<Part, readonly number[]> } {
  const byId = new Map<string, Round>();
  const held = new Map<Part, string[]>();
  const add = (part: Part, round: Round | undefined): void => {
    if (round === undefined) return;
    const known = byId.get(round.id);
    byId.set(round.id, known === undefined ? round : chooseRound(known, round, found));
    const ids = held.get(part) ?? [];
    ids.push(round.id);
    held.set(part, ids);
  };
  for (const part of parts) {
    if (part.shape === 'row') add(part, readRow(part.value, part.pointer, report));
    else if (part.shape === 'response') add(part, readResponse(part.value, part.pointer, report));
    else if (part.shape === 'page') {
      const rows = getOwn(part.value, 'messages');
      const base = appendPointer(part.pointer, 'messages');
      held.set(part, []);
      (isJsonArray(rows) ? rows : []).forEach((row, index) => {
        add(part, readRow(row, appendPointer(base, index), report));
      });
    }
  }
  const rounds = [...byId.values()]
    .map((round) => ({ round, at: instantOf(round.time) }))
    .sort((left, right) => compareTimes(left, right) || compareText(left.round.id, right.round.id))
    .map(({ round }) => round);
  const order = new Map(rounds.map(({ id }, index) => [id, index]));
  const positions = new Map([...held].map(([part, ids]) => [part, ids.map((id) => order.get(id) as number)]));
  return { rounds, positions };
}

/** Which of two places of one row counts: the one that was updated last, else the first. */
function chooseRound(known: Round, again: Round, found: Tally): Round {
  const name = JSON.stringify(again.id.slice(0, 80));
  if (known.shape === again.shape && equalJson(known.value, again.value)) {
    const message = `the row ${name} stands here again; its first place counts`;
    found.add('info', 'ankole/repeated-row', again.pointer, message);
    return known;
  }
  const message = `the row ${name} stands here again and says something else; the one that was updated last counts`;
  found.add('warning', 'ankole/conflicting-rows', again.pointer, message);
  return compareText(updatedAt(again), updatedAt(known)) > 0 ? again : known;
}

function updatedAt({ value }: Round): string {
  return textOf(value, 'updated_at') ?? '';
}

interface Timed {
  readonly round: Round;
  readonly at: bigint | undefined;
}

function instantOf(time: Json): bigint | undefined {
  const parsed = parseTime(rowTime(time)?.text ?? time);
  return 'fault' in parsed ? undefined : parsed.nanoseconds;
}

/** Times by instant; what is no time stands in front, by its text. */
function compareTimes(left: Timed, right: Timed): number {
  if (left.at !== undefined && right.at !== undefined)
    return left.at < right.at ? -1 : left.at > right.at ? 1 : 0;
  if (left.at !== undefined) return 1;
  if (right.at !== undefined) return -1;
  return compareText(timeTextOf(left), timeTextOf(right));
}

function timeTextOf({ round: { time } }: Timed): string {
  return typeof time === 'string' ? time : '';
}

/** Members of a row that must be text. */
const TEXTS = ['id', 'conversation_id', 'type', 'status'] as const;

function readRow(row: Json, pointer: string, report: Report): Round | undefined {
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

function readResponse(value: JsonObject, pointer: string, report: Report): Round | undefined {
  const id = filledText(value, 'id')?.replace(/^resp_(?=.)/, '');
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

/** The row that a round continues, without the prefix of the API. */
export function previousOf({ shape, value }: Pick<Round, 'shape' | 'value'>): string | null {
  const anchor = getOwn(value, shape === 'row' ? 'previous_message_id' : 'previous_response_id');
  if (typeof anchor !== 'string') return null;
  return shape === 'row' ? anchor : anchor.replace(/^resp_(?=.)/, '');
}

/** The conversation that a Response names, without the prefix of the API. */
export function conversationOfResponse(value: JsonObject): string | undefined {
  return filledText(objectIn(value, 'conversation'), 'id')?.replace(/^conv_(?=.)/, '');
}

/** How the parts are made of rows again. */
export function recipeOf(
  parts: readonly Part[],
  positions: ReadonlyMap<Part, readonly number[]>,
  count: number,
): readonly Json[] {
  const recipe: Json[] = [];
  let run: number[] = [];
  const flush = (): void => {
    if (run.length > 0) recipe.push(['rows', packRanges(run)]);
    run = [];
  };
  for (const part of parts) {
    const rows = positions.get(part) ?? [];
    if (part.shape === 'row') {
      run.push(...rows);
      continue;
    }
    flush();
    if (part.shape === 'conversation') recipe.push('conversation');
    else if (part.shape === 'artifact') recipe.push('artifact');
    else if (part.shape === 'response') recipe.push(['response', packRanges(rows)]);
    else {
      const cursor = getOwn(part.value, 'next_cursor') ?? null;
      const isAll = rows.length === count && rows.every((row, index) => row === index);
      if (isAll && cursor === null) recipe.push('page');
      else recipe.push(['page', packRanges(rows), ...(cursor === null ? [] : [cursor])]);
    }
  }
  flush();
  return recipe;
}
