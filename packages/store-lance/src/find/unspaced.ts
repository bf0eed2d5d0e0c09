import { anyOf, contains, type Filter } from '../lance/filter.ts';

/** A letter of a script that sets no spaces between words, or, like Korean, glues endings to them. */
const RUN =
  /(?:(?=[\p{L}\p{M}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}])+/gu;

/**
 * The pieces of a query in scripts without spaces. Where a word begins in such a text is a guess, and the guess for a query need not be the
 * one for the text it stands in: 南京市长 is 南京 and 市长, or 南京市 and 长. So they are looked for as they are, too.
 */
export function unspacedPieces(query: string): string[] {
  return [...new Set(query.match(RUN) ?? [])];
}

/** What is left of the query. */
export function withoutPieces(query: string): string {
  return query.replace(RUN, ' ');
}

/** The rows whose text holds a piece, composed or not. */
export function holdsPiece(piece: string): Filter {
  const forms = new Set([piece, piece.normalize('NFC'), piece.normalize('NFD')]);
  return anyOf(...[...forms].map((form) => contains('search_text', form)));
}
