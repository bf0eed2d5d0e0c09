import { byteOrderMark, decodeUtf8, findInvalidUtf8, QUOTE } from './bytes.ts';

/** A code of what is no JSON, with its message. */
export interface Unexpected {
  readonly code: 'json/truncated' | 'json/invalid-utf8' | 'json/syntax';
  readonly message: string;
}

/** What is wrong at a position where something else was expected: the end stands there, a byte that is no UTF-8, or a character. */
export function describeUnexpected(bytes: Uint8Array, position: number, expected: string): Unexpected {
  if (position >= bytes.length) {
    return { code: 'json/truncated', message: `the input ends where ${expected} was expected` };
  }
  if (findInvalidUtf8(bytes, position, Math.min(position + 4, bytes.length)) === position) {
    return { code: 'json/invalid-utf8', message: describeInvalidUtf8(bytes[position] as number) };
  }
  return {
    code: 'json/syntax',
    message: `found ${describeCharacter(bytes, position)} where ${expected} was expected`,
  };
}

/** The message of a byte that breaks UTF-8. */
export function describeInvalidUtf8(byte: number): string {
  return `byte 0x${hex(byte)} is not valid UTF-8 here; JSON text is UTF-8`;
}

function describeCharacter(bytes: Uint8Array, position: number): string {
  const byte = bytes[position] as number;
  if (byte < 0x20 || byte === 0x7f) return `the control character 0x${hex(byte)}`;
  if (byteOrderMark(bytes, position, bytes.length) > 0) return 'a byte order mark';
  if (byte < 0x80) return byte === QUOTE ? 'a string' : `"${String.fromCharCode(byte)}"`;
  return `"${decodeUtf8(bytes, position, position + (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4))}"`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
