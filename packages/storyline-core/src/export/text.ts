import { numberToken, piecesOf } from '../json/stringify.ts';
import type { Json } from '../json/value.ts';

/** How a document's text is laid out. */
export interface Layout {
  /** The line break and indentation of a level; empty for compact text. */
  newline(level: number): string;
  /** A key with its colon. */
  key(name: string): string;
  /** A value that stands at a level, in pieces. */
  value(value: Json, level: number, encode?: Encode): Iterable<string>;
}

/** Writes a value, in pieces. */
export type Encode = (value: Json) => Iterable<string>;

/**
 * Exact JSON text in pieces. What is no number in JSON (NaN, Infinity, kept by readers that ask for it) is written as null, each time
 * after a call of `nonFinite`, or as it is when there is no such function.
 */
export function jsonPieces(
  value: Json,
  indent: number,
  nonFinite: (() => void) | undefined,
): Iterable<string> {
  return piecesOf(value, {
    keys: Object.keys,
    number(number) {
      const token = numberToken(number);
      if (nonFinite === undefined || /^-?\d/.test(token)) return token;
      nonFinite();
      return 'null';
    },
    indent: ' '.repeat(indent),
  });
}

/** Compact text, or text with `indent` spaces a level; `nonFinite` as for {@link jsonPieces}. */
export function layoutOf(indent: number, nonFinite: (() => void) | undefined): Layout {
  const plain: Encode = (value) => jsonPieces(value, Math.max(0, indent), nonFinite);
  if (indent <= 0) {
    return {
      newline: () => '',
      key: (name) => `${JSON.stringify(name)}:`,
      value: (value, _level, encode = plain) => encode(value),
    };
  }
  const newline = (level: number): string => `\n${' '.repeat(indent * level)}`;
  return {
    newline,
    key: (name) => `${JSON.stringify(name)}: `,
    *value(value, level, encode = plain) {
      // JSON text has no line break inside of a string, so every one begins an indented line.
      const deeper = newline(level);
      for (const piece of encode(value)) yield level === 0 ? piece : piece.replaceAll('\n', deeper);
    },
  };
}
