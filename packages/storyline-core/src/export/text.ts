import { stringifyPieces } from '../json/stringify.ts';
import type { Json } from '../json/value.ts';

/** How a document's text is laid out. */
export interface Layout {
  /** The line break and indentation of a level; empty for compact text. */
  newline(level: number): string;
  /** A key with its colon. */
  key(name: string): string;
  /** A value that stands at a level, in pieces. */
  value(value: Json, level: number, encode?: (value: Json) => Iterable<string>): Iterable<string>;
}

/** Compact text, or text with `indent` spaces a level. */
export function layoutOf(indent: number): Layout {
  if (indent <= 0) {
    return {
      newline: () => '',
      key: (name) => `${JSON.stringify(name)}:`,
      value: (value, _level, encode = stringifyPieces) => encode(value),
    };
  }
  const newline = (level: number): string => `\n${' '.repeat(indent * level)}`;
  return {
    newline,
    key: (name) => `${JSON.stringify(name)}: `,
    *value(value, level, encode = (json) => stringifyPieces(json, { indent })) {
      // JSON text has no line break inside of a string, so every one begins an indented line.
      const deeper = newline(level);
      for (const piece of encode(value)) yield level === 0 ? piece : piece.replaceAll('\n', deeper);
    },
  };
}
