import { fold, foldWithPlaces } from './fold.ts';

/** A piece of a found text, with the words that were looked for. */
export interface Snippet {
  /** The text around the first match, white space made plain, cut with `…`. */
  readonly text: string;
  /** Begin and end of each match in `text`, in UTF-16 units. */
  readonly matches: readonly (readonly [begin: number, end: number])[];
}

const BEFORE = 60;
const AFTER = 140;

/** The words of a query, as the index cuts text: letters and digits, Chinese word by word. */
export function wordsOf(query: string): string[] {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' });
  return [
    ...new Set(
      [...words.segment(query)].filter((part) => part.isWordLike === true).map((part) => fold(part.segment)),
    ),
  ];
}

/** Whether a text holds all of some words. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => placeOf(folded, word, 0) >= 0);
}

/** Cuts the piece around the first place where words of a query stand. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const { folded, placeOf: placeIn } = foldWithPlaces(text);
  const first = words.map((word) => placeOf(folded, word, 0)).filter((at) => at >= 0);
  const at = first.length === 0 ? 0 : placeIn(Math.min(...first));
  const begin = Math.max(0, at - BEFORE);
  const end = Math.min(text.length, at + AFTER);
  const head = begin > 0 ? '…' : '';
  const shown = text.slice(begin, end).replaceAll(/\s/g, ' ');
  const matches: [number, number][] = [];
  for (const word of words) {
    for (
      let place = placeOf(folded, word, 0);
      place >= 0 && placeIn(place + word.length) <= end;
      place = placeOf(folded, word, place + 1)
    ) {
      const from = placeIn(place);
      const shift = head.length - begin;
      if (from >= begin) matches.push([from + shift, placeIn(place + word.length) + shift]);
    }
  }
  matches.sort((left, right) => left[0] - right[0] || right[1] - left[1]);
  return {
    text: `${head}${shown}${end < text.length ? '…' : ''}`,
    matches: joined(matches),
  };
}

/** Matches that overlap (a word and a part of it) as one, from ones in ascending order. */
function joined(matches: readonly (readonly [number, number])[]): [number, number][] {
  const apart: [number, number][] = [];
  for (const [begin, end] of matches) {
    const last = apart.at(-1);
    if (last !== undefined && begin < last[1]) last[1] = Math.max(last[1], end);
    else apart.push([begin, end]);
  }
  return apart;
}

/** Where a word stands as a word: not inside a longer one, unless its script has no spaces. */
function placeOf(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]+$/u.test(word)) return at;
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return at;
  }
  return -1;
}

function isLetter(character: string | undefined): boolean {
  return (
    character !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(character)
  );
}
