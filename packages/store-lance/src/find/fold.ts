/** Letters that have no accent to take off, and what the index makes of them. */
const LETTERS: { readonly [letter in string]?: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
};
const MARKS = /[\u0300-\u036f]/;
const ALL_MARKS = new RegExp(MARKS, 'g');
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Text without case and accents. Those only: the vowels of Thai and the voiced sounds of Japanese are marks, too, and make other words. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(ALL_MARKS, '')
    .normalize('NFC')
    .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/** The same with the place in the text that each place of the folded one comes from, its end included. */
export function foldWithPlaces(text: string): { readonly folded: string; placeOf(at: number): number } {
  const folded = fold(text);
  // Almost always: every letter has become one.
  if (folded.length === text.length && !MARKS.test(text)) return { folded, placeOf: (at) => at };
  const pieces: string[] = [];
  const places: number[] = [];
  // A letter with its marks, a syllable of Korean in its parts.
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    const piece = fold(segment);
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit += 1) places.push(index);
  }
  places.push(text.length);
  return { folded: pieces.join(''), placeOf: (at) => places[at] ?? text.length };
}

/** Whether words of a query may be written in ways that the index takes for other words: it folds composed letters of Latin alone. */
export function hasVariants(query: string): boolean {
  return /(?=[\p{L}\p{M}])\P{ASCII}/u.test(query);
}
