import type { Matches } from './align-sequences.ts';
import type { AlignmentRun } from './diff-result.ts';
import type { Likeness } from './pair-changed.ts';
import { pairChanged } from './pair-changed.ts';

/** What the builder asks about the two sides. */
export interface Sides {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly likeness: Likeness;
}

/**
 * Turns matched positions into runs: what stands between two matches is moved (the same turn, unmatched exactly once on each side),
 * changed (paired by likeness), removed or inserted. Every turn of both sides is in exactly one run.
 */
export function buildAlignment(matches: Matches, sides: Sides): AlignmentRun[] {
  const runs: AlignmentRun[] = [];
  const moves = findMoves(matches, sides);
  let left = 0;
  let right = 0;
  for (let index = 0; index <= matches.left.length; index += 1) {
    const nextLeft = matches.left[index] ?? sides.left.length;
    const nextRight = matches.right[index] ?? sides.right.length;
    if (left < nextLeft || right < nextRight) gap(left, nextLeft, right, nextRight, moves, sides, runs);
    if (index < matches.left.length)
      push(runs, { kind: 'equal', left: nextLeft, right: nextRight, count: 1 });
    left = nextLeft + 1;
    right = nextRight + 1;
  }
  return runs.map((run) => markRepeat(run, sides));
}

interface Moves {
  /** Right position → left position. */
  readonly toRight: ReadonlyMap<number, number>;
  readonly leftMoved: ReadonlySet<number>;
}

/** Turns left unmatched exactly once on each side have moved. */
function findMoves(matches: Matches, sides: Sides): Moves {
  const open = new Map<number, { left: number; right: number }>();
  eachUnmatched(matches.left, sides.left.length, (at) => {
    const id = sides.left[at] as number;
    open.set(id, { left: open.has(id) ? -1 : at, right: -2 });
  });
  eachUnmatched(matches.right, sides.right.length, (at) => {
    const entry = open.get(sides.right[at] as number);
    if (entry !== undefined) entry.right = entry.right === -2 ? at : -1;
  });
  const toRight = new Map<number, number>();
  const leftMoved = new Set<number>();
  for (const { left, right } of open.values()) {
    if (left < 0 || right < 0) continue;
    toRight.set(right, left);
    leftMoved.add(left);
  }
  return { toRight, leftMoved };
}

function eachUnmatched(matched: readonly number[], length: number, visit: (at: number) => void): void {
  let next = 0;
  for (let at = 0; at < length; at += 1) {
    if (matched[next] === at) next += 1;
    else visit(at);
  }
}

/** Aligns what stands between two matches. */
function gap(
  leftStart: number,
  leftEnd: number,
  rightStart: number,
  rightEnd: number,
  moves: Moves,
  sides: Sides,
  runs: AlignmentRun[],
): void {
  const lefts = range(leftStart, leftEnd).filter((at) => !moves.leftMoved.has(at));
  const rights = range(rightStart, rightEnd).filter((at) => !moves.toRight.has(at));
  const pairs = new Map<number, number>();
  for (const [l, r] of pairChanged(lefts.length, rights.length, (a, b) =>
    sides.likeness(lefts[a] as number, rights[b] as number),
  )) {
    pairs.set(rights[r] as number, lefts[l] as number);
  }
  let left = leftStart;
  const removeUntil = (end: number, right: number) => {
    for (; left < end; left += 1) {
      if (!moves.leftMoved.has(left)) push(runs, { kind: 'removed', left, right, count: 1 });
    }
  };
  for (let right = rightStart; right < rightEnd; right += 1) {
    const moved = moves.toRight.get(right);
    const changed = pairs.get(right);
    if (moved !== undefined) push(runs, { kind: 'moved', left: moved, right, count: 1 });
    else if (changed !== undefined) {
      removeUntil(changed, right);
      runs.push({ kind: 'changed', left: changed, right, count: 1 });
      left = changed + 1;
    } else push(runs, { kind: 'inserted', left, right, count: 1 });
  }
  removeUntil(leftEnd, rightEnd);
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Adds a run, or lengthens the last one that it goes on. */
function push(runs: AlignmentRun[], run: AlignmentRun): void {
  const last = runs[runs.length - 1];
  const leftStep = run.kind === 'inserted' ? 0 : 1;
  const rightStep = run.kind === 'removed' ? 0 : 1;
  if (
    last !== undefined &&
    last.kind === run.kind &&
    last.left + last.count * leftStep === run.left &&
    last.right + last.count * rightStep === run.right
  ) {
    runs[runs.length - 1] = { ...last, count: last.count + run.count };
  } else runs.push(run);
}

/** A removed or inserted run that says again what stands right before it on its own side is a repetition. */
function markRepeat(run: AlignmentRun, sides: Sides): AlignmentRun {
  if (run.kind !== 'removed' && run.kind !== 'inserted') return run;
  const ids = run.kind === 'removed' ? sides.left : sides.right;
  const start = run.kind === 'removed' ? run.left : run.right;
  if (start < run.count) return run;
  for (let at = start; at < start + run.count; at += 1) if (ids[at] !== ids[at - run.count]) return run;
  return { ...run, repeats: true };
}
