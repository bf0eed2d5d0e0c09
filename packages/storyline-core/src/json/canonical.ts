import { compareText } from './compare-text.ts';
import { canonicalNumber } from './number.ts';
import { piecesOf } from './stringify.ts';
import type { Json } from './value.ts';

/** Canonical JSON text in pieces (decision G20): keys by code point, numbers by mathematical value, no white space, lone surrogates as `\udXXX`. */
export function canonicalPieces(value: Json): Iterable<string> {
  return piecesOf(value, {
    keys: (object) => Object.keys(object).sort(compareText),
    number: canonicalNumber,
    indent: '',
  });
}

/** Canonical JSON text (decision G20): equal values give equal text. */
export function canonicalJson(value: Json): string {
  let text = '';
  for (const piece of canonicalPieces(value)) text += piece;
  return text;
}
