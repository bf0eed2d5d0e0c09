import type { Matches } from './align-sequences.ts';

/**
 * Gives one place to gaps that could stand in several: a turn said twice on one side is taken as the same turn and then its
 * repetition, so each purely inserted or purely removed run is moved down as far as equal turns allow. Matches stay as many.
 */
export function slideGaps(matches: Matches, left: ArrayLike<number>, right: ArrayLike<number>): Matches {
  const slid: Matches = { left: [...matches.left], right: [...matches.right] };
  for (let index = 0; index < slid.left.length; index += 1) {
    const freeLeft = index === 0 ? 0 : (slid.left[index - 1] as number) + 1;
    const freeRight = index === 0 ? 0 : (slid.right[index - 1] as number) + 1;
    const l = slid.left[index] as number;
    const r = slid.right[index] as number;
    if (l === freeLeft && freeRight < r && right[freeRight] === right[r]) slid.right[index] = freeRight;
    if (r === freeRight && freeLeft < l && left[freeLeft] === left[l]) slid.left[index] = freeLeft;
  }
  return slid;
}
