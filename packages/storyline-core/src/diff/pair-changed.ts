import type { TurnFacets } from './turn-facets.ts';

/** Pairs scored one with another in one gap; bigger gaps are paired by position. */
const MOST_CELLS = 250_000;

/** How alike two turns are: 0 when they cannot stand for each other. */
export type Likeness = (left: number, right: number) => number;

/** Identity texts of a turn's facets, to score likeness with. */
export type FacetTexts = { readonly [facet in keyof TurnFacets]: string } & { readonly src: string };

/** Scores two turns by what they share: nothing without the same actor; the call, then the input, weigh more than the output. */
export function likeness(left: FacetTexts, right: FacetTexts): number {
  if (left.src !== right.src) return 0;
  let score = 1;
  if (left.operation === right.operation) score += 4;
  if (left.input === right.input) score += 3;
  if (left.output === right.output) score += 3;
  if (left.error === right.error) score += 1;
  return score + sharedEnds(left.input, right.input) + sharedEnds(left.output, right.output);
}

/** Part of two texts that their common beginning and end make up, 0 to 1. */
function sharedEnds(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 1;
  let start = 0;
  while (start < shorter && left.charCodeAt(start) === right.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    left.charCodeAt(left.length - 1 - end) === right.charCodeAt(right.length - 1 - end)
  )
    end += 1;
  return (start + end) / longer;
}

/**
 * Decides which removed turns of one gap stand for which inserted ones: the pairing in order with the greatest sum of likeness.
 * Returns pairs of positions in the two lists, ascending.
 */
export function pairChanged(
  leftCount: number,
  rightCount: number,
  score: Likeness,
): readonly (readonly [number, number])[] {
  if (leftCount === 0 || rightCount === 0) return [];
  if (leftCount * rightCount > MOST_CELLS) return pairByPosition(leftCount, rightCount, score);
  const width = rightCount + 1;
  const best = new Float64Array((leftCount + 1) * width);
  const scores = new Float64Array(leftCount * rightCount);
  for (let l = leftCount - 1; l >= 0; l -= 1) {
    for (let r = rightCount - 1; r >= 0; r -= 1) {
      const own = score(l, r);
      scores[l * rightCount + r] = own;
      const paired = own > 0 ? own + (best[(l + 1) * width + r + 1] as number) : 0;
      best[l * width + r] = Math.max(
        paired,
        best[(l + 1) * width + r] as number,
        best[l * width + r + 1] as number,
      );
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let l = 0;
  let r = 0;
  while (l < leftCount && r < rightCount) {
    const own = scores[l * rightCount + r] as number;
    const here = best[l * width + r] as number;
    if (own > 0 && here === own + (best[(l + 1) * width + r + 1] as number)) {
      pairs.push([l, r]);
      l += 1;
      r += 1;
    } else if (here === best[(l + 1) * width + r]) l += 1;
    else r += 1;
  }
  return pairs;
}

function pairByPosition(
  leftCount: number,
  rightCount: number,
  score: Likeness,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let at = 0; at < Math.min(leftCount, rightCount); at += 1) if (score(at, at) > 0) pairs.push([at, at]);
  return pairs;
}
