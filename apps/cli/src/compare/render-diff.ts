import type { AlignmentRun, StorylineDiff, Turn } from '@pchronicle/storyline-core';
import { countOf, formatCount } from '../terminal/numbers.ts';
import { safeLine } from '../terminal/safe.ts';
import type { Style } from '../terminal/style.ts';
import { cutToWidth } from '../terminal/width.ts';
import { type Subject, turnAt, turnCount } from './read-side.ts';
import { changeLines } from './render-changes.ts';
import { turnLine } from './turn-line.ts';
import { countsInWords, whereInWords } from './verdict.ts';

/** How a comparison is shown. */
export interface DiffRendering {
  readonly style: Style;
  readonly width: number;
  readonly context: number;
  readonly full: boolean;
}

const MARKS = { equal: ' ', changed: '~', removed: '-', inserted: '+', moved: '>' } as const;

/** A comparison as text: the first divergence, then every run with some equal turns around the differences, then the counts. */
export function* renderDiff(
  left: Subject,
  right: Subject,
  diff: StorylineDiff,
  rendering: DiffRendering,
): Generator<string> {
  const { style } = rendering;
  yield `${style.faint('left ')}  ${subjectLine(left)}`;
  yield `${style.faint('right')}  ${subjectLine(right)}`;
  yield '';
  if (diff.equal) {
    const aside = diff.ignored.length === 0 ? '' : ', the ignored places aside';
    yield `${style.good('equal')}: ${countOf(diff.counts.equal, 'turn')}${aside}`;
    return;
  }
  yield `first divergence: ${style.strong(safeLine(whereInWords(diff)))}`;
  if (diff.head.length > 0) {
    yield '';
    yield '  outside the turns';
    yield* changeLines(diff.head, rendering.full, style);
  }
  yield '';
  for (let index = 0; index < diff.alignment.length; index += 1) {
    yield* renderRun(diff.alignment, index, left, right, rendering);
  }
  yield '';
  yield countsInWords(diff);
}

function subjectLine(subject: Subject): string {
  const { from, id, storyline } = subject;
  const format = storyline.origin?.format ?? 'storyline';
  return safeLine(`${from}  ${id}  (${format}, ${countOf(turnCount(subject), 'turn')})`);
}

function* renderRun(
  runs: readonly AlignmentRun[],
  index: number,
  left: Subject,
  right: Subject,
  rendering: DiffRendering,
): Generator<string> {
  const run = runs[index];
  if (run === undefined) return;
  const { style, context } = rendering;
  if (run.kind === 'equal') {
    const before = index === 0 ? 0 : Math.min(context, run.count);
    const after = index === runs.length - 1 ? 0 : Math.min(context, run.count - before);
    for (let at = 0; at < before; at += 1) yield line(run, at, left, right, rendering);
    const hidden = run.count - before - after;
    if (hidden > 0) yield style.faint(`  … ${countOf(hidden, 'equal turn')}`);
    for (let at = run.count - after; at < run.count; at += 1) yield line(run, at, left, right, rendering);
    return;
  }
  if (run.repeats === true)
    yield style.faint(`  repeats the ${run.count === 1 ? 'turn' : `${run.count} turns`} before`);
  for (let at = 0; at < run.count; at += 1) yield line(run, at, left, right, rendering);
  if (run.kind === 'changed') {
    yield `    ${style.warning(run.class ?? '')}`;
    yield* changeLines(run.changes ?? [], rendering.full, style);
  }
}

function line(
  run: AlignmentRun,
  at: number,
  left: Subject,
  right: Subject,
  rendering: DiffRendering,
): string {
  const { style, width } = rendering;
  const l = run.kind === 'inserted' ? undefined : run.left + at;
  const r = run.kind === 'removed' ? undefined : run.right + at;
  const turn: Turn | undefined = r === undefined ? turnAt(left, l ?? 0) : turnAt(right, r);
  const text = `${MARKS[run.kind]} ${number(l)} ${number(r)}  ${turnLine(turn)}`;
  const cut = cutToWidth(text, Number.isFinite(width) ? width : 160);
  if (run.kind === 'removed') return style.error(cut);
  if (run.kind === 'inserted') return style.good(cut);
  return run.kind === 'equal' ? style.faint(cut) : style.warning(cut);
}

function number(at: number | undefined): string {
  return (at === undefined ? '·' : formatCount(at + 1)).padStart(6);
}
