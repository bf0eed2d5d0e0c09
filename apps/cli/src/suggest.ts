import { closest, distance } from 'fastest-levenshtein';

/** The candidate nearest to what was typed, if it is near enough to have been meant. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || typed.length > 200) return undefined;
  const lower = typed.toLowerCase();
  const exact = candidates.find((candidate) => candidate.toLowerCase() === lower);
  if (exact !== undefined) return exact;
  const found = closest(typed, candidates);
  return distance(typed, found) <= Math.max(typed.length > 3 ? 2 : 1, Math.floor(typed.length * 0.4))
    ? found
    : undefined;
}

/** ` Did you mean "x"?` as a hint; `undefined` when nothing is near. */
export function didYouMean(typed: string, candidates: readonly string[]): string | undefined {
  const found = nearest(typed, candidates);
  return found === undefined ? undefined : `did you mean ${JSON.stringify(found)}?`;
}
