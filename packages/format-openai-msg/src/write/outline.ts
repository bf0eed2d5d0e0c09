import {
  defined,
  integerFromBigInt,
  type Json,
  type JsonInteger,
  type Turn,
  toBigInt,
} from '@pchronicle/storyline-core';
import { decodeContent, hasValue } from '../message/content.ts';
import { linkedResults, resultsOf } from './messages.ts';

/** A turn with its position in the Storyline. */
export interface PlacedTurn {
  readonly turn: Turn;
  readonly index: number;
}

/** The turns of one row. */
export interface RowOutline {
  /** Turns that only join the history: earlier user turns, system turns, copied turns. */
  readonly before: readonly PlacedTurn[];
  readonly request?: PlacedTurn;
  readonly response: PlacedTurn;
}

/** The turns of a Storyline as rows need them. */
export interface Outline {
  readonly context: readonly PlacedTurn[];
  readonly rows: readonly RowOutline[];
  /** User turns behind the last response. */
  readonly unanswered: readonly PlacedTurn[];
  /** Other turns that no row holds: system and copied turns behind the last response, and turns of other sources. */
  readonly left: readonly PlacedTurn[];
}

/** Sources of turns that have a message of their own in rows; what a developer says is written as a system message. */
const SPOKEN: ReadonlySet<string> = new Set(['user', 'system', 'developer', 'agent']);

/**
 * Sorts the turns of a Storyline: leading copied turns are context, each agent turn makes a row, the user turn before it is its request.
 * An agent turn that says nothing and calls nothing makes no row, which would have no output (unless `mayBeEmpty`: residuals hold it);
 * other turns that say nothing are messages only if they came from rows.
 * Results that stand in a turn of their own (`src` tool, as formats with an item a turn have it) go to the response that made their calls.
 */
export function outlineTurns(turns: readonly Turn[], mayBeEmpty: boolean, fromRows: boolean): Outline {
  const context: PlacedTurn[] = [];
  const rows: RowOutline[] = [];
  const left: PlacedTurn[] = [];
  let before: PlacedTurn[] = [];
  let request: PlacedTurn | undefined;
  const callers = new Map<string, number>();
  const taken = new Map<number, Json[]>();
  for (const [index, turn] of turns.entries()) {
    const placed = { turn, index };
    if (turn.src === 'tool' && takeResults(turn, callers, taken)) continue;
    const spoken = SPOKEN.has(turn.src);
    const isOutput = turn.src === 'agent' && turn.copied !== true;
    const isEmpty = !answers(turn) && !(isOutput ? mayBeEmpty : fromRows);
    if (!spoken || isEmpty) left.push(placed);
    else if (turn.copied === true && rows.length === 0 && request === undefined && before.length === 0)
      context.push(placed);
    else if (isOutput) {
      for (const { tcid } of turn.tool_calls ?? []) callers.set(tcid, rows.length);
      rows.push(defined<RowOutline>({ before, response: placed, request }));
      before = [];
      request = undefined;
    } else {
      if (request !== undefined) before.push(request);
      request = undefined;
      if (turn.src === 'user' && turn.copied !== true) request = placed;
      else before.push(placed);
    }
  }
  if (request !== undefined) before.push(request);
  const unanswered = before.filter(({ turn }) => turn.src === 'user');
  left.push(...before.filter(({ turn }) => turn.src !== 'user'));
  for (const [row, results] of taken) rows[row] = withResults(rows[row] as RowOutline, results);
  return { context, rows, unanswered, left };
}

function answers(turn: Turn): boolean {
  return (turn.tool_calls ?? []).length > 0 || hasValue(decodeContent(turn.msg));
}

/** Takes the results of a turn that has nothing else for the rows of their calls; false when not all of them have one. */
function takeResults(turn: Turn, callers: ReadonlyMap<string, number>, taken: Map<number, Json[]>): boolean {
  const results = resultsOf(turn);
  const owners = linkedResults(turn).flatMap(({ callId }) => callers.get(callId) ?? []);
  if (turn.msg !== null || results.length === 0 || owners.length !== results.length) return false;
  for (const [position, owner] of owners.entries()) {
    const ofRow = taken.get(owner) ?? [];
    ofRow.push(results[position] as Json);
    taken.set(owner, ofRow);
  }
  return true;
}

/** A row whose response has more results. */
function withResults(row: RowOutline, more: readonly Json[]): RowOutline {
  const { turn, index } = row.response;
  const observation = { results: [...resultsOf(turn), ...more] };
  return { ...row, response: { turn: { ...turn, observation }, index } };
}

/** The `step_id` of each row: for a Storyline that came from rows the one its turn ids tell, else the number of the row (RFC-0009, derived identity). */
export function stepsOf({ context, rows }: Outline, fromRows: boolean): readonly JsonInteger[] {
  let last = 0n;
  const steps: JsonInteger[] = [];
  for (const { request, response } of fromRows ? rows : []) {
    const double = toBigInt(response.turn.id) - BigInt(context.length);
    const isTold =
      double % 2n === 0n &&
      (request === undefined || toBigInt(request.turn.id) === toBigInt(response.turn.id) - 1n);
    if (!isTold || double <= last) break;
    steps.push(integerFromBigInt(double / 2n));
    last = double;
  }
  return steps.length === rows.length ? steps : rows.map((_, ordinal) => ordinal + 1);
}
