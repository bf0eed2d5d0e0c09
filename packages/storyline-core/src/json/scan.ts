import type { Limits } from '../import/events.ts';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  decodeUtf8,
  isDigit,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipString,
} from './bytes.ts';

/** Bytes that are handed to native JSON.parse at a time: past some 128 kB V8 builds and parses strings four times slower. */
const PIECE = 48 * 1024;

/** Tokens shorter than this and without an exponent are always kept by a double. */
const LONG_TOKEN = 16;

/** Steps of a {@link Plan}. */
export const MEMBERS = 0;
export const OPEN = 1;
export const CLOSE = 2;
export const BLANK = 3;

/**
 * How to parse a value in pieces, found by one scan over it. Positions are byte offsets in whatever the scan was told to count from.
 * `steps` are triples: MEMBERS from, to (parse these members into the innermost open container), OPEN from, bracket (open a container;
 * from is where its key, if any, begins), CLOSE bracket, 0, and BLANK from, to (nothing but white space may stand there). No steps: the
 * value is one piece.
 */
export interface Plan {
  readonly steps: number[];
  /** Starts and ends of the number tokens that a double may not keep. */
  readonly numbers: number[];
  /** How many members all objects have together: its colons. */
  members: number;
}

/** A limit that a value breaks, and where. */
export interface LimitFault {
  readonly what: 'depth' | 'string';
  readonly offset: number;
}

/** A scan over one value, as far as it got. */
export interface Scan {
  readonly limits: Limits;
  readonly keepFloats: boolean;
  /** Bytes of a piece; Infinity for a scan that needs no plan. */
  readonly piece: number;
  readonly plan: Plan;
  /** By depth, from 1: the first byte that no step covers yet (-1 right after a container that got its own steps), and the first byte of the current member. */
  readonly pendingAt: number[];
  readonly memberAt: number[];
  depth: number;
  /** How many of the open containers, outermost first, have steps of their own. */
  assembled: number;
  /** Just past the container that got its own steps last. */
  assembledEnd: number;
  /** First byte of the string that the scan is in, or -1. */
  string: number;
  /** First byte of the number token that the scan is in, or -1. */
  number: number;
  /** Whether that token has an exponent, or a point where floats are kept. */
  isSuspicious: boolean;
  fault: LimitFault | undefined;
  /** The value has ended. */
  isOver: boolean;
}

/** Starts the scan of a value. `depth` brackets of it were passed already (then the plan means nothing). */
export function startScan(limits: Limits, keepFloats = false, piece = PIECE, depth = 0): Scan {
  return {
    limits,
    keepFloats,
    piece,
    plan: { steps: [], numbers: [], members: 0 },
    pendingAt: Array<number>(depth + 1).fill(0),
    memberAt: Array<number>(depth + 1).fill(0),
    depth,
    assembled: 0,
    assembledEnd: 0,
    string: -1,
    number: -1,
    isSuspicious: false,
    fault: undefined,
    isOver: false,
  };
}

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
      if (scan.assembled === depth) finish(scan, base + at, depth);
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

/** Passes over the rest of a number token, and keeps its place when a double may not keep it. */
function passNumber(scan: Scan, bytes: Uint8Array, from: number, base: number): number {
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

/** Gives steps to all open containers that have none yet. */
function assemble(scan: Scan, depth: number): void {
  const { steps } = scan.plan;
  while (scan.assembled < depth) {
    const parent = scan.assembled;
    const bracket = (scan.pendingAt[parent + 1] as number) - 1;
    let key = bracket;
    if (parent > 0) {
      const pending = scan.pendingAt[parent] as number;
      key = scan.memberAt[parent] as number;
      if (key > pending && pending !== -1) steps.push(MEMBERS, pending, key - 1);
      scan.pendingAt[parent] = -1;
    }
    steps.push(OPEN, key, bracket);
    scan.assembled += 1;
  }
}

/** A comma behind a container that got its own steps, or behind more than a piece of members. */
function endPiece(scan: Scan, position: number, depth: number): void {
  const { steps } = scan.plan;
  const pending = scan.pendingAt[depth] as number;
  if (pending === -1) steps.push(BLANK, scan.assembledEnd, position);
  else {
    assemble(scan, depth);
    steps.push(MEMBERS, pending, position);
  }
  scan.pendingAt[depth] = position + 1;
}

/** The closing bracket of a container that has steps of its own. */
function finish(scan: Scan, position: number, depth: number): void {
  const { steps } = scan.plan;
  const pending = scan.pendingAt[depth] as number;
  if (pending === -1) steps.push(BLANK, scan.assembledEnd, position);
  else steps.push(MEMBERS, pending, position);
  steps.push(CLOSE, position, 0);
  scan.assembled -= 1;
  scan.assembledEnd = position + 1;
}
