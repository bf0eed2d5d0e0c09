import { findInvalidUtf8 } from '../json/bytes.ts';
import { describeByte, describeInvalidUtf8 } from '../json/describe-byte.ts';
import { BrokenStructure } from './fault.ts';
import type { Steps } from './need.ts';
import { more, positionOf, type Window } from './window.ts';

/** Throws the fault of a byte that should not stand at the window's position (or of the end that stands there). */
export function* unexpected(window: Window, expected: string, pointer: string): Steps<never> {
  // A character of several bytes is shown whole.
  while (window.bytes.length - window.at < 4 && (yield* more(window)));
  const offset = positionOf(window);
  if (window.at >= window.bytes.length) {
    throw new BrokenStructure(
      { code: 'json/truncated', message: `the input ends where ${expected} was expected`, offset },
      pointer,
    );
  }
  const stop = Math.min(window.at + 4, window.bytes.length);
  if (findInvalidUtf8(window.bytes, window.at, stop) === window.at) {
    throw new BrokenStructure(
      { code: 'json/invalid-utf8', message: describeInvalidUtf8(window.bytes[window.at] as number), offset },
      pointer,
    );
  }
  const message = `found ${describeByte(window.bytes, window.at)} where ${expected} was expected`;
  throw new BrokenStructure({ code: 'json/syntax', message, offset }, pointer);
}
