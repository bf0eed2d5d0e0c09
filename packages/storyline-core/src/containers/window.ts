import { skipBlank } from '../json/bytes.ts';
import { changedWhileRead } from '../source/changed.ts';
import type { Source } from '../source.ts';
import { read, type Steps } from './need.ts';

/** Bytes asked for at a time. */
export const CHUNK = 256 * 1024;
/** How much is kept before the position, so that a small document or record is read once. */
const RETAINED = 1024 * 1024;

/** A sliding view of a range of a source, in one reused buffer. Positions are byte offsets in the source, `at` is an index into `bytes`. */
export interface Window {
  readonly source: Source;
  /** Just past the last byte it shows. */
  readonly end: number;
  /** The bytes at hand. They move whenever {@link more} runs. */
  bytes: Uint8Array;
  /** Position of `bytes[0]`. */
  base: number;
  /** Index in `bytes` of the next byte to look at. */
  at: number;
  /** Position from which on bytes are kept at hand as long as they are few (some 1 MB); what is bigger is read again when it is needed. */
  anchor: number;
  buffer: Uint8Array;
}

/** A window on [start, end) of a source. */
export function openWindow(source: Source, start = 0, end = source.size): Window {
  const empty = new Uint8Array(0);
  return { source, end, bytes: empty, base: start, at: 0, anchor: start, buffer: empty };
}

/** A window on [start, end): on the bytes of another one where they are at hand, else on the source. */
export function openInner(outer: Window, start: number, end: number): Window {
  const bytes = held(outer, start, end);
  const inner = openWindow(outer.source, start, end);
  return bytes === undefined ? inner : { ...inner, bytes, buffer: bytes };
}

/** Position of the next byte to look at. */
export function positionOf(window: Window): number {
  return window.base + window.at;
}

/** The bytes [start, end) if the window has them at hand. */
export function held(window: Window, start: number, end: number): Uint8Array | undefined {
  const from = start - window.base;
  return from >= 0 && end - window.base <= window.bytes.length
    ? window.bytes.subarray(from, end - window.base)
    : undefined;
}

/** Goes to a position; bytes at hand are used again. */
export function seek(window: Window, position: number): void {
  window.anchor = position;
  if (position >= window.base && position <= window.base + window.bytes.length) {
    window.at = position - window.base;
    return;
  }
  window.bytes = window.buffer.subarray(0, 0);
  window.base = position;
  window.at = 0;
}

/** Reads on behind the bytes at hand; false at the end. Bytes that were passed make room. */
export function* more(window: Window): Steps<boolean> {
  const filled = window.bytes.length;
  const left = window.end - window.base - filled;
  if (left <= 0) return false;
  const wanted = Math.min(CHUNK, left);
  if (window.buffer.length - filled < wanted) makeRoom(window, wanted);
  const length = window.bytes.length;
  const room = Math.min(window.buffer.length - length, left);
  const target = window.buffer.subarray(length, length + room);
  const count = yield* read(target, window.base + length);
  if (count <= 0) throw changedWhileRead(window.source, window.base + length);
  window.bytes = window.buffer.subarray(0, length + count);
  return true;
}

function makeRoom(window: Window, wanted: number): void {
  const filled = window.bytes.length;
  let keep = window.at;
  const anchor = window.anchor - window.base;
  if (anchor >= 0 && anchor < keep && filled - anchor + wanted <= RETAINED) keep = anchor;
  const kept = filled - keep;
  // Moving is cheap while little is kept; a buffer that is half full of it is doubled, so that growing costs linear time.
  if (kept + wanted <= window.buffer.length && kept * 2 <= window.buffer.length) {
    window.buffer.copyWithin(0, keep, filled);
  } else {
    const most = window.end - window.base - keep;
    const buffer = new Uint8Array(Math.min(Math.max(2 * kept, kept + wanted, 2 * CHUNK), most));
    buffer.set(window.bytes.subarray(keep));
    window.buffer = buffer;
  }
  window.bytes = window.buffer.subarray(0, kept);
  window.base += keep;
  window.at -= keep;
}

/** Drops the anchor at the current position once what it holds has grown too big to be kept: from now on, what follows is kept. */
export function moveAnchor(window: Window): void {
  if (positionOf(window) - window.anchor > RETAINED / 2) window.anchor = positionOf(window);
}

/** The bytes [start, end) of a window's source: a view of those at hand (valid until the window moves), else a copy. */
export function* take(window: Window, start: number, end: number): Steps<Uint8Array> {
  const atHand = held(window, start, end);
  if (atHand !== undefined) return atHand;
  const copy = new Uint8Array(end - start);
  yield* readRange(window.source, start, end, copy);
  return copy;
}

/** Steps over white space; the byte that follows (not consumed), or -1 at the end. */
export function* peek(window: Window): Steps<number> {
  for (;;) {
    window.at = skipBlank(window.bytes, window.at, window.bytes.length);
    const byte = window.bytes[window.at];
    if (byte !== undefined) return byte;
    if (!(yield* more(window))) return -1;
  }
}

/** Copies [start, end) of a source into `target`, from its beginning on. */
export function* readRange(source: Source, start: number, end: number, target: Uint8Array): Steps<void> {
  for (let position = start; position < end; ) {
    const count = yield* read(target.subarray(position - start, end - start), position);
    if (count <= 0) throw changedWhileRead(source, position);
    position += count;
  }
}
