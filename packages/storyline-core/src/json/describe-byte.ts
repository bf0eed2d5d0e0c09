import { byteOrderMark, decodeUtf8, QUOTE } from './bytes.ts';

/** What stands at a position, for a message: one character, quoted. The bytes there must be well-formed UTF-8. */
export function describeByte(bytes: Uint8Array, position: number): string {
  const byte = bytes[position] as number;
  if (byte < 0x20 || byte === 0x7f) return `the control character 0x${hex(byte)}`;
  if (byteOrderMark(bytes, position, bytes.length) > 0) return 'a byte order mark';
  if (byte < 0x80) return byte === QUOTE ? 'a string' : `"${String.fromCharCode(byte)}"`;
  return `"${decodeUtf8(bytes, position, position + (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4))}"`;
}

/** The message of a byte that breaks UTF-8. */
export function describeInvalidUtf8(byte: number): string {
  return `byte 0x${hex(byte)} is not valid UTF-8 here; JSON text is UTF-8`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
