import { BrokenStructure, type Fault } from '../containers/fault.ts';
import type { Steps } from '../containers/need.ts';
import type { Window } from '../containers/window.ts';
import { parseBytes } from '../json/parse.ts';
import { bytesOf, type StreamRun } from './stream-run.ts';

/**
 * Where exactly the value that starts at `start` breaks, when the scan found that the input ends inside of it: the parser knows its
 * pointer, and sees what was wrong before. A value over the record limit is not looked at.
 */
export function* explainBreak(
  run: StreamRun,
  window: Window,
  start: number,
  fault: Fault,
  pointer: string,
): Steps<BrokenStructure> {
  let broken: BrokenStructure | undefined;
  if (window.end - start <= run.limits.recordBytes) {
    parseBytes(
      yield* bytesOf(run, window, start, window.end),
      run,
      (severity, code, inside, message, offset) => {
        if (severity === 'error')
          broken = new BrokenStructure({ code, message, offset: start + offset }, pointer + inside);
      },
    );
  }
  return broken ?? new BrokenStructure(fault, pointer);
}
