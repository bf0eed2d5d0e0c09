import { describeUnexpected } from '../json/describe-unexpected.ts';
import { BrokenStructure } from './fault.ts';
import type { Steps } from './need.ts';
import { more, positionOf, type Window } from './window.ts';

/** Throws the fault of a byte that should not stand at the window's position (or of the end that stands there). */
export function* unexpected(window: Window, expected: string, pointer: string): Steps<never> {
  // A character of several bytes is shown whole.
  while (window.bytes.length - window.at < 4 && (yield* more(window)));
  const fault = describeUnexpected(window.bytes, window.at, expected);
  throw new BrokenStructure({ ...fault, offset: positionOf(window) }, pointer);
}
