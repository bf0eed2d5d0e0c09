import { allOf, anyOf, containsLowered, type Filter, matches } from '../lance/filter.ts';

/** Letters that folding makes ones of ASCII, and the accents that it takes off. */
const FOLDED = String.raw`[\p{Latin}--[A-Za-z]]|[\x{300}-\x{36f}]`;

/** What Lance itself can say of the rows that hold words, so that not every text is given out: all rows that do are among those it lets through. */
export function mightHold(words: readonly string[], mode: 'all' | 'any'): Filter | undefined {
  const plain = words.filter((word) => /^[a-z0-9]+$/.test(word));
  if (plain.length === 0 || (mode === 'any' && plain.length < words.length)) return undefined;
  const held = plain.map((word) => containsLowered('search_text', word));
  const together = mode === 'all' ? allOf(...held) : anyOf(...held);
  return together === undefined ? undefined : anyOf(together, matches('search_text', FOLDED));
}
