const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Value of a letter, by its code; 64 for none. */
const VALUES = new Uint8Array(128).fill(64);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

/** The bytes of a base64url (or base64) text; `undefined` for what is none. Written out, because not every platform of this package has it. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 0x3d && text.length - length < 2) length -= 1;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let index = 0; index < length; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? 64;
    if (value === 64) return undefined;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (held >> bits) & 0xff;
    at += 1;
  }
  return bytes;
}

/** Bytes as base64url text without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  const letters = `${ALPHABET.slice(0, 62)}-_`;
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out += letters.charAt(word >> 18) + letters.charAt((word >> 12) & 63);
    if (b !== undefined) out += letters.charAt((word >> 6) & 63);
    if (c !== undefined) out += letters.charAt(word & 63);
  }
  return out;
}
