/** Code points that JSON gives a meaning, as bytes. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const MINUS = 0x2d;
export const NEWLINE = 0x0a;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What Node's `buffer` module offers beyond TextDecoder. */
interface NodeBuffer {
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
  transcode(bytes: Uint8Array, from: 'utf8', to: 'utf16le'): { toString(encoding: 'utf16le'): string };
}

/** Node's `buffer`, where this runs in a Node that gives it out without an import (20.16, 22.3 and later). */
const node = (
  globalThis as { readonly process?: { getBuiltinModule?(id: string): unknown } }
).process?.getBuiltinModule?.('buffer') as NodeBuffer | undefined;

/** From this length on, calling Node is worth it. */
const WORTH_A_CALL = 512;

/** The text of UTF-8 bytes; throws a TypeError when they are no valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const part = bytes.subarray(start, end);
  // TextDecoder is fast for ASCII; beyond it, Node's vector code is four times faster.
  if (node === undefined || part.length < WORTH_A_CALL || node.isAscii(part)) return decoder.decode(part);
  if (!node.isUtf8(part)) throw new TypeError('no valid UTF-8');
  return node.transcode(part, 'utf8', 'utf16le').toString('utf16le');
}

/** Whether a byte is JSON white space (RFC 8259 §2). */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

/** Whether a byte is a decimal digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** The first position from `start` on that is not white space; `end` when all of it is. */
export function skipBlank(bytes: Uint8Array, start: number, end: number): number {
  let position = start;
  while (position < end && isBlank(bytes[position])) position += 1;
  return position;
}

/** Length of the UTF-8 byte order mark at `start`: 3 or 0. */
export function byteOrderMark(bytes: Uint8Array, start: number, end: number): number {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
    ? 3
    : 0;
}

/** How many bytes are looked at one by one before `indexOf` is worth its call. */
const NEAR = 24;

/**
 * The position just past the closing quote of a string whose first content byte is at `start`; -1 when it does not end before
 * the end of `bytes`. Escapes are stepped over, not checked.
 */
export function skipString(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let position = start;
  for (;;) {
    const near = Math.min(position + NEAR, end);
    let byte = 0;
    while (position < near) {
      byte = bytes[position] as number;
      if (byte === QUOTE || byte === BACKSLASH) break;
      position += 1;
    }
    if (position < near) {
      if (byte === QUOTE) return position + 1;
      position += 2;
      continue;
    }
    if (position >= end) return -1;
    const quote = bytes.indexOf(QUOTE, position);
    if (quote === -1) return -1;
    let before = quote - 1;
    while (before >= position && bytes[before] === BACKSLASH) before -= 1;
    position = quote + 1;
    if (((quote - 1 - before) & 1) === 0) return position;
  }
}

/** The offset of the first byte from `start` on that breaks UTF-8 (Unicode §3.9, table 3-7); -1 when all of it is well-formed. */
export function findInvalidUtf8(bytes: Uint8Array, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const lead = bytes[position] as number;
    const length =
      lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0) return position;
    for (let index = 1; index < length; index += 1) {
      const byte = position + index < end ? (bytes[position + index] as number) : 0;
      const low = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
      const high = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
      if (byte < low || byte > high) return position;
    }
    position += length;
  }
  return -1;
}
