import { decodeUtf8, isDigit, MINUS } from './bytes.ts';
import type { Scan } from './scan-state.ts';

/** Tokens shorter than this and without an exponent are always kept by a double. */
const LONG_TOKEN = 16;

/** Passes over the rest of a number token, and keeps its place when a double may not keep it. */
export function passNumber(scan: Scan, bytes: Uint8Array, from: number, base: number): number {
  const { keepFloats } = scan;
  let at = from;
  let { isSuspicious } = scan;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isDigit(byte) || byte === MINUS || byte === 0x2b) continue;
    if (byte === 0x65 || byte === 0x45) isSuspicious = true;
    else if (byte === 0x2e) isSuspicious ||= keepFloats;
    else {
      const start = scan.number - base;
      scan.number = -1;
      if (!isSuspicious && at - start < LONG_TOKEN) return at;
      // A token that began in earlier bytes is looked at when it is parsed.
      const isKept = start >= 0 && !isSuspicious && isSpelledByDouble(bytes, start, at);
      if (!isKept && scan.piece !== Number.POSITIVE_INFINITY) scan.plan.numbers.push(base + start, base + at);
      return at;
    }
  }
  scan.isSuspicious = isSuspicious;
  return at;
}

/** Whether a double is written exactly like the token (which has no exponent). */
function isSpelledByDouble(bytes: Uint8Array, start: number, end: number): boolean {
  const token = decodeUtf8(bytes, start, end);
  return String(Number(token)) === token;
}
