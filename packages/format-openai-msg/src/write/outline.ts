import {
  defined,
  fieldsOf,
  integerFromBigInt,
  type Json,
  type JsonInteger,
  type Storyline,
  type Turn,
  toBigInt,
} from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import { decodeContent, hasValue } from '../message/content.ts';
import { linkedResults, resultsOf } from './messages.ts';
import { sourceDocumentOf } from './residuals.ts';

/** The turns of one row. */
export interface RowOutline {
  /** Turns that only join the history: earlier user turns, system turns, copied turns. */
  readonly before: readonly Turn[];
  readonly request?: Turn;
  readonly response: Turn;
  /** Position of the response in the Storyline. */
  readonly index: number;
}

/** The turns of a Storyline as rows need them. */
export interface Outline {
  /** Whether the Storyline came from rows. */
  readonly fromRows: boolean;
  readonly context: readonly Turn[];
  readonly rows: readonly RowOutline[];
  /** Position of the first turn that asks for a response. */
  readonly asked?: number;
}

/** Sources of turns that have a message of their own in rows; what a developer says is written as a system message. */
const SPOKEN: ReadonlySet<string> = new Set(['user', 'system', 'developer', 'agent']);

/**
 * Sorts the turns of a Storyline: leading copied turns are context, each agent turn makes a row, the user turn before it is its request.
 * An agent turn that says nothing and calls nothing makes no row, which would have no output (unless residuals may hold it);
 * other turns that say nothing are messages only if they came from rows.
 * Results that stand in a turn of their own (`src` tool, as formats with an item a turn have it) go to the response that made their calls,
 * those of no call to the next one.
 */
export function outlineTurns(story: Storyline): Outline {
  const fromRows = sourceDocumentOf(story) !== undefined;
  const mayBeEmpty = fieldsOf(story, SOURCE) !== undefined;
  const context: Turn[] = [];
  const rows: RowOutline[] = [];
  let before: Turn[] = [];
  let request: Turn | undefined;
  let asked: number | undefined;
  const callers = new Map<string, number>();
  const loose: LooseResult[] = [];
  for (const [index, turn] of story.turns.entries()) {
    if (turn.src === 'tool' && takeResults(turn, rows.length, loose)) continue;
    const spoken = SPOKEN.has(turn.src);
    const isOutput = turn.src === 'agent' && turn.copied !== true;
    const isEmpty = !answers(turn) && !(isOutput ? mayBeEmpty : fromRows);
    if (!spoken || isEmpty) continue;
    if (turn.copied === true && rows.length === 0 && request === undefined && before.length === 0)
      context.push(turn);
    else if (isOutput) {
      for (const { tcid } of turn.tool_calls ?? []) callers.set(tcid, rows.length);
      rows.push(defined<RowOutline>({ before, response: turn, request, index }));
      before = [];
      request = undefined;
    } else {
      if (request !== undefined) before.push(request);
      request = undefined;
      if (turn.src === 'user') asked ??= index;
      if (turn.src === 'user' && turn.copied !== true) request = turn;
      else before.push(turn);
    }
  }
  const taken: Json[][] = [];
  for (const { callId, result, next } of loose) {
    const row = callers.get(callId) ?? next;
    taken[row] = taken[row] ?? [];
    taken[row].push(result);
  }
  return defined<Outline>({
    fromRows,
    context,
    rows: rows.map((row, ordinal) => withResults(row, taken[ordinal])),
    asked,
  });
}

function answers(turn: Turn): boolean {
  return (turn.tool_calls ?? []).length > 0 || hasValue(decodeContent(turn.msg));
}

/** A result that stands in a turn of its own, and the row that comes next. */
interface LooseResult {
  readonly callId: string;
  readonly result: Json;
  readonly next: number;
}

/** Takes the results of a turn that has nothing else; false when not all of them name a call. */
function takeResults(turn: Turn, next: number, loose: LooseResult[]): boolean {
  const results = resultsOf(turn);
  const links = linkedResults(turn);
  if (turn.msg !== null || results.length === 0 || links.length !== results.length) return false;
  for (const [position, { callId }] of links.entries())
    loose.push({ callId, result: results[position] as Json, next });
  return true;
}

/** A row whose response has more results, if there are more. */
function withResults(row: RowOutline, more: readonly Json[] | undefined): RowOutline {
  if (more === undefined) return row;
  const { response } = row;
  const observation = { results: [...resultsOf(response), ...more] };
  return { ...row, response: { ...response, observation } };
}

/** The `step_id` of each row: for a Storyline that came from rows the one its turn ids tell, else the number of the row (RFC-0009, derived identity). */
export function stepsOf({ context, fromRows, rows }: Outline): readonly JsonInteger[] {
  let last = 0n;
  const steps: JsonInteger[] = [];
  for (const { request, response } of fromRows ? rows : []) {
    const id = toBigInt(response.id);
    const double = id - BigInt(context.length);
    const isTold = double % 2n === 0n && (request === undefined || toBigInt(request.id) === id - 1n);
    if (!isTold || double <= last) break;
    steps.push(integerFromBigInt(double / 2n));
    last = double;
  }
  return steps.length === rows.length ? steps : rows.map((_, ordinal) => ordinal + 1);
}
