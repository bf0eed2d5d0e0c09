import { randomFillSync } from 'node:crypto';

const random = new Uint8Array(16);
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
  const time = last.toString(16).padStart(12, '0');
  const counter = (0x7000 | sequence).toString(16);
  random[8] = ((random[8] ?? 0) & 0x3f) | 0x80;
  let tail = '';
  for (let index = 8; index < 16; index += 1) tail += (random[index] ?? 0).toString(16).padStart(2, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** The time in a version 7 UUID, in milliseconds since 1970. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
