import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isDigit,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipString,
} from './bytes.ts';
import { endContainer, endPiece } from './plan-pieces.ts';
import { passNumber } from './scan-number.ts';
import type { Scan } from './scan-state.ts';

/**
 * Scans on from index `from` of `bytes`, whose first byte stands at position `base`: a value that begins with a quote or an opening
 * bracket. Gives the index to go on at when more bytes follow, or, when the scan is over, that behind the value.
 */
export function advance(scan: Scan, bytes: Uint8Array, from: number, base: number): number {
  const { limits, plan, pendingAt, memberAt, piece } = scan;
  const end = bytes.length;
  let { depth, string } = scan;
  let members = 0;
  let at = from;
  if (scan.number !== -1) at = passNumber(scan, bytes, at, base);
  while (at < end) {
    if (string !== -1) {
      const next = skipString(bytes, at);
      at = next === -1 ? resumeAt(bytes, at) : next;
      if (base + at - string - (next === -1 ? 0 : 1) > limits.stringBytes) {
        scan.fault ??= { what: 'string', offset: string - 1 };
      }
      if (next === -1) break;
      string = -1;
      if (depth > 0) continue;
      scan.isOver = true;
      break;
    }
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at += 1;
      string = base + at;
      // Most strings are short: look at the next bytes here, without a call.
      const near = Math.min(at + 16, end);
      let next = at;
      while (next < near && bytes[next] !== QUOTE && bytes[next] !== BACKSLASH) next += 1;
      if (depth > 0 && next < near && bytes[next] === QUOTE && next - at <= limits.stringBytes) {
        at = next + 1;
        string = -1;
      }
    } else if (byte === COMMA) {
      const pending = pendingAt[depth] as number;
      const position = base + at;
      if (pending === -1 || position - pending > piece) endPiece(scan, position, depth);
      at += 1;
      if (depth <= limits.depth) memberAt[depth] = position + 1;
    } else if (byte === COLON) {
      members += 1;
      at += 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      at += 1;
      if (depth > limits.depth) scan.fault ??= { what: 'depth', offset: base + at - 1 };
      else {
        pendingAt[depth] = base + at;
        memberAt[depth] = base + at;
      }
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (scan.assembled === depth) endContainer(scan, base + at, depth);
      depth -= 1;
      at += 1;
      if (depth > 0) continue;
      scan.isOver = true;
      break;
    } else if (isDigit(byte) || byte === MINUS) {
      scan.number = base + at;
      scan.isSuspicious = false;
      at = passNumber(scan, bytes, at + 1, base);
    } else {
      at += 1;
    }
  }
  scan.depth = depth;
  scan.string = string;
  plan.members += members;
  return at;
}

/** Where to go on in a string that the bytes do not end: before a backslash whose escape is still to come. */
function resumeAt(bytes: Uint8Array, from: number): number {
  let before = bytes.length - 1;
  while (before >= from && bytes[before] === BACKSLASH) before -= 1;
  return (bytes.length - 1 - before) % 2 === 1 ? bytes.length - 1 : bytes.length;
}
