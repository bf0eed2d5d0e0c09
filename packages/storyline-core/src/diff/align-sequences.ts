import { shortestEdit } from './shortest-edit.ts';

/** Positions that stand for each other: `left[i]` with `right[i]`, both ascending. */
export interface Matches {
  readonly left: number[];
  readonly right: number[];
}

/** Half-open ranges on both sides that are still to be aligned. */
interface Gap {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

/**
 * Aligns two sequences of ids: which positions are equal and in order.
 *
 * Equal ends are taken first. What is between is aligned by a shortest edit while it is cheap; else it is cut at ids that stand exactly once
 * on each side (the longest ascending chain of them), and the parts are aligned the same way. A part that is neither cheap nor has such ids
 * stays unaligned, so that the cost never grows with the square of the length.
 */
export function alignSequences(left: ArrayLike<number>, right: ArrayLike<number>): Matches {
  const matches: Matches = { left: [], right: [] };
  const pending: Gap[] = [{ leftStart: 0, leftEnd: left.length, rightStart: 0, rightEnd: right.length }];
  for (let gap = pending.pop(); gap !== undefined; gap = pending.pop()) {
    let { leftStart, leftEnd, rightStart, rightEnd } = gap;
    while (leftStart < leftEnd && rightStart < rightEnd && left[leftStart] === right[rightStart]) {
      matches.left.push(leftStart);
      matches.right.push(rightStart);
      leftStart += 1;
      rightStart += 1;
    }
    const tail: Matches = { left: [], right: [] };
    while (leftStart < leftEnd && rightStart < rightEnd && left[leftEnd - 1] === right[rightEnd - 1]) {
      leftEnd -= 1;
      rightEnd -= 1;
      tail.left.push(leftEnd);
      tail.right.push(rightEnd);
    }
    if (leftStart < leftEnd && rightStart < rightEnd) {
      const rest = { leftStart, leftEnd, rightStart, rightEnd };
      const edit = shortestEdit(left, right, rest);
      if (edit !== undefined) append(matches, edit);
      else pending.push(...cutAtUnique(left, right, rest));
    }
    append(matches, { left: tail.left.reverse(), right: tail.right.reverse() });
  }
  return sorted(matches);
}

function append(to: Matches, from: Matches): void {
  for (let index = 0; index < from.left.length; index += 1) {
    to.left.push(from.left[index] as number);
    to.right.push(from.right[index] as number);
  }
}

/** Gaps are worked off in no particular order; the matches of all of them ascend on both sides together. */
function sorted(matches: Matches): Matches {
  const order = Array.from(matches.left.keys()).sort(
    (a, b) => (matches.left[a] as number) - (matches.left[b] as number),
  );
  return {
    left: order.map((index) => matches.left[index] as number),
    right: order.map((index) => matches.right[index] as number),
  };
}

/** Cuts a gap before each anchor (an id that stands once on each side), so that every part begins with a match. */
function cutAtUnique(left: ArrayLike<number>, right: ArrayLike<number>, gap: Gap): Gap[] {
  const seen = new Map<number, { left: number; right: number }>();
  for (let at = gap.leftStart; at < gap.leftEnd; at += 1) {
    const id = left[at] as number;
    seen.set(id, { left: seen.has(id) ? -1 : at, right: -2 });
  }
  for (let at = gap.rightStart; at < gap.rightEnd; at += 1) {
    const entry = seen.get(right[at] as number);
    if (entry !== undefined) entry.right = entry.right === -2 ? at : -1;
  }
  const unique = [...seen.values()].filter((entry) => entry.left >= 0 && entry.right >= 0);
  const anchors = longestAscending(unique.sort((a, b) => a.left - b.left));
  if (anchors.length === 0) return [];
  const parts: Gap[] = [];
  let { leftStart, rightStart } = gap;
  for (const anchor of anchors) {
    parts.push({ leftStart, leftEnd: anchor.left, rightStart, rightEnd: anchor.right });
    leftStart = anchor.left;
    rightStart = anchor.right;
  }
  parts.push({ leftStart, leftEnd: gap.leftEnd, rightStart, rightEnd: gap.rightEnd });
  return parts;
}

/** The longest subsequence whose right positions ascend (patience sorting, n log n). */
function longestAscending(
  entries: readonly { left: number; right: number }[],
): { left: number; right: number }[] {
  const tails: number[] = [];
  const before = new Int32Array(entries.length).fill(-1);
  entries.forEach((entry, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((entries[tails[middle] as number] as { right: number }).right < entry.right) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1] as number;
    tails[low] = index;
  });
  const chain: { left: number; right: number }[] = [];
  for (
    let at = tails.length === 0 ? -1 : (tails[tails.length - 1] as number);
    at >= 0;
    at = before[at] as number
  ) {
    chain.push(entries[at] as { left: number; right: number });
  }
  return chain.reverse();
}
