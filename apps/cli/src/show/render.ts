import { documentIdOf, type Storyline } from '@pchronicle/storyline-core';
import { formatCount } from '../terminal/numbers.ts';
import { safeLine } from '../terminal/safe.ts';
import type { Style } from '../terminal/style.ts';
import { headLines } from './head.ts';
import { turnLines } from './turn.ts';
import type { TurnRange } from './turn-range.ts';

/** How a trajectory is rendered. */
export interface RenderOptions {
  readonly style: Style;
  /** Show long texts whole. */
  readonly full: boolean;
  readonly turns: TurnRange | undefined;
  /** Columns to draw rules in. */
  readonly width: number;
}

/** One trajectory for reading, line by line: what it is, its prompt, then its turns with reasoning, calls, results and metrics. Everything from data is made safe for a terminal. */
export function* renderStoryline(storyline: Storyline, options: RenderOptions): Generator<string> {
  const { style } = options;
  yield `${style.strong(safeLine(documentIdOf(storyline)))}\n`;
  for (const line of headLines(storyline, options)) yield `${line}\n`;
  const { turns } = storyline;
  const from = Math.max(1, options.turns?.from ?? 1);
  const to = Math.min(turns.length, options.turns?.to ?? turns.length);
  if (turns.length === 0) yield `\n${style.faint('no turns')}\n`;
  else if (from > turns.length) {
    yield `\n${style.faint(`no turn ${formatCount(from)}: there are ${formatCount(turns.length)}`)}\n`;
  } else if (from > 1) yield `\n${style.faint(skipped(1, from - 1))}\n`;
  for (let number = from; number <= to; number += 1) {
    const turn = turns[number - 1];
    if (turn !== undefined) for (const line of turnLines(turn, number, storyline, options)) yield `${line}\n`;
  }
  if (to < turns.length && from <= turns.length) yield `\n${style.faint(skipped(to + 1, turns.length))}\n`;
}

function skipped(from: number, to: number): string {
  return from === to ? `… turn ${formatCount(from)}` : `… turns ${formatCount(from)}–${formatCount(to)}`;
}
