import type { Matches } from './align-sequences.ts';

/** Edits up to which the exact answer is looked for: the work and the memory grow with its square, not with the length. */
const MOST_EDITS = 512;

/**
 * A shortest edit between two ranges (Myers 1986, greedy), as the matches it leaves; `undefined` when it takes more than
 * {@link MOST_EDITS} insertions and removals.
 */
export function shortestEdit(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  range: { leftStart: number; leftEnd: number; rightStart: number; rightEnd: number },
): Matches | undefined {
  const height = range.leftEnd - range.leftStart;
  const width = range.rightEnd - range.rightStart;
  const most = Math.min(MOST_EDITS, height + width);
  // furthest[k + most + 1]: the furthest left position on diagonal k = left - right.
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice(most + 1 - edits - 1, most + 1 + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + most + 1;
      const insert =
        diagonal === -edits ||
        (diagonal !== edits && (furthest[at - 1] as number) < (furthest[at + 1] as number));
      let x = insert ? (furthest[at + 1] as number) : (furthest[at - 1] as number) + 1;
      let y = x - diagonal;
      while (x < height && y < width && left[range.leftStart + x] === right[range.rightStart + y]) {
        x += 1;
        y += 1;
      }
      furthest[at] = x;
      if (x >= height && y >= width) return walkBack(trace, edits, height, width, range);
    }
  }
  return undefined;
}

/** Follows the trace from the end to the start and collects the diagonal steps. */
function walkBack(
  trace: readonly Int32Array[],
  edits: number,
  height: number,
  width: number,
  range: { leftStart: number; rightStart: number },
): Matches {
  const matches: Matches = { left: [], right: [] };
  let x = height;
  let y = width;
  for (let step = edits; step >= 0; step -= 1) {
    const row = trace[step] as Int32Array;
    // row[0] is diagonal -step - 1.
    const value = (diagonal: number) => row[diagonal + step + 1] as number;
    const diagonal = x - y;
    const insert = diagonal === -step || (diagonal !== step && value(diagonal - 1) < value(diagonal + 1));
    const fromDiagonal = insert ? diagonal + 1 : diagonal - 1;
    const fromX = step === 0 ? 0 : value(fromDiagonal);
    const fromY = step === 0 ? 0 : fromX - fromDiagonal;
    const runStart = step === 0 ? 0 : insert ? fromX : fromX + 1;
    while (x > runStart) {
      x -= 1;
      y -= 1;
      matches.left.push(range.leftStart + x);
      matches.right.push(range.rightStart + y);
    }
    x = fromX;
    y = fromY;
  }
  matches.left.reverse();
  matches.right.reverse();
  return matches;
}
