import { randomFillSync } from 'node:crypto';

const random = new Uint8Array(16);
const bytes = Buffer.alloc(16);
const text = Buffer.alloc(36);
const DIGITS = '0123456789abcdef';
const DASH = 45;
let last = 0;
let sequence = 0;

/**
 * A UUID of version 7 (RFC 9562 §5.7): sorted as text, the ids of one process are in the order in which they were made.
 * The 12 bits after the time count within a millisecond (method 1 of §6.2); a full counter or a clock set back moves the time on by one.
 */
export function uuid7(): string {
  randomFillSync(random);
  const now = Date.now();
  if (now > last) {
    last = now;
    sequence = ((random[0] ?? 0) << 1) | 0;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      last += 1;
      sequence = 0;
    }
  }
  bytes.writeUIntBE(last, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes.set(random.subarray(8), 8);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  // Written as bytes: a text that is put together of parts keeps its parts, and an import holds one for each Storyline.
  let at = 0;
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text[at++] = DASH;
    const byte = bytes[index] ?? 0;
    text[at++] = DIGITS.charCodeAt(byte >> 4);
    text[at++] = DIGITS.charCodeAt(byte & 15);
  }
  return text.toString('latin1');
}

/** The time in a version 7 UUID, in milliseconds since 1970. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
