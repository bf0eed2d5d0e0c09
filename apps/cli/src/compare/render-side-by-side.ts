import type { AlignmentRun, StorylineDiff } from '@pchronicle/storyline-core';
import { countOf, formatCount } from '../terminal/numbers.ts';
import { safeLine } from '../terminal/safe.ts';
import { cutToWidth, displayWidth } from '../terminal/width.ts';
import { type Subject, turnAt } from './read-side.ts';
import type { DiffRendering } from './render-diff.ts';
import { turnLine } from './turn-line.ts';
import { countsInWords, whereInWords } from './verdict.ts';

const MARKS = { equal: ' ', changed: '|', removed: '<', inserted: '>', moved: '~' } as const;
const NARROWEST = 60;

/** A comparison in two columns, one line a turn; a moved turn stands at its place on the right and names the one on the left. */
export function* renderSideBySide(
  left: Subject,
  right: Subject,
  diff: StorylineDiff,
  rendering: DiffRendering,
): Generator<string> {
  const width = Number.isFinite(rendering.width) ? Math.max(rendering.width, NARROWEST) : 160;
  const column = Math.floor((width - 3) / 2);
  const row = (a: string, mark: string, b: string) =>
    `${pad(a, column)} ${mark} ${cutToWidth(b, column)}`.trimEnd();
  const { style, context } = rendering;
  yield style.strong(row(safeLine(`${left.from} ${left.id}`), ' ', safeLine(`${right.from} ${right.id}`)));
  const cell = (subject: Subject, at: number) =>
    `${formatCount(at + 1).padStart(4)} ${turnLine(turnAt(subject, at))}`;
  for (const [index, run] of diff.alignment.entries()) {
    const shown = visible(run, index, diff.alignment.length, context);
    for (let at = 0; at < run.count; at += 1) {
      if (at === shown.from && shown.from < shown.to) {
        yield style.faint(`     … ${countOf(shown.to - shown.from, 'equal turn')}`);
      }
      if (at >= shown.from && at < shown.to) continue;
      const a =
        run.kind === 'inserted'
          ? ''
          : run.kind === 'moved'
            ? `     (turn ${formatCount(run.left + at + 1)})`
            : cell(left, run.left + at);
      const b = run.kind === 'removed' ? '' : cell(right, run.right + at);
      const text = row(a, MARKS[run.kind], b);
      yield run.kind === 'equal'
        ? style.faint(text)
        : run.kind === 'removed'
          ? style.error(text)
          : run.kind === 'inserted'
            ? style.good(text)
            : style.warning(text);
    }
  }
  yield '';
  yield diff.equal ? 'equal' : `${safeLine(whereInWords(diff))} · ${countsInWords(diff)}`;
}

/** The part of an equal run that is left out. */
function visible(
  run: AlignmentRun,
  index: number,
  runs: number,
  context: number,
): { from: number; to: number } {
  if (run.kind !== 'equal') return { from: run.count, to: run.count };
  const from = index === 0 ? 0 : Math.min(context, run.count);
  const to = index === runs - 1 ? run.count : Math.max(from, run.count - context);
  return { from, to };
}

function pad(text: string, width: number): string {
  const cut = cutToWidth(text, width);
  return cut + ' '.repeat(Math.max(0, width - displayWidth(cut)));
}
