import type { Turn } from '@pchronicle/storyline-core';
import { decodeContent } from '../message/content-parts.ts';
import { hasValue } from '../message/has-value.ts';

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

/**
 * Sorts the turns of a Storyline: leading copied turns are context, each agent turn makes a row, the user turn before it is its request.
 * An agent turn that says nothing and calls nothing makes no row, which would have no output (unless `mayBeEmpty`: residuals hold it).
 */
export function outlineTurns(turns: readonly Turn[], mayBeEmpty: boolean): Outline {
  const context: PlacedTurn[] = [];
  const rows: RowOutline[] = [];
  const left: PlacedTurn[] = [];
  let before: PlacedTurn[] = [];
  let request: PlacedTurn | undefined;
  for (const [index, turn] of turns.entries()) {
    const placed = { turn, index };
    const spoken = turn.src === 'user' || turn.src === 'system' || turn.src === 'agent';
    const isEmpty = turn.src === 'agent' && turn.copied !== true && !mayBeEmpty && !answers(turn);
    if (!spoken || isEmpty) left.push(placed);
    else if (turn.copied === true && rows.length === 0 && request === undefined && before.length === 0)
      context.push(placed);
    else if (turn.src === 'agent' && turn.copied !== true) {
      rows.push({ before, response: placed, ...(request === undefined ? {} : { request }) });
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
  return { context, rows, unanswered, left };
}

function answers(turn: Turn): boolean {
  return (turn.tool_calls ?? []).length > 0 || hasValue(decodeContent(turn.msg));
}
