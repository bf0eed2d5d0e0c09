import { unexpected } from '../containers/expect.ts';
import { BrokenStructure, type Fault } from '../containers/fault.ts';
import { type LineState, nextLine } from '../containers/lines.ts';
import type { Steps } from '../containers/need.ts';
import type { RowIndexBuilder } from '../containers/row-index.ts';
import { skipValue, tooLarge } from '../containers/skip-value.ts';
import { expectEnd, expectValue, nextElement } from '../containers/walk.ts';
import { moveAnchor, peek, positionOf, type Window } from '../containers/window.ts';
import { OPEN_ARRAY, OPEN_OBJECT } from '../json/bytes.ts';
import { appendPointer } from '../json/pointer.ts';
import type { RowsContainer } from './choose-container.ts';
import type { DocumentRun } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { readRoot, type WalkedRoot } from './read-root.ts';
import { bytesOf, type StreamRun, tellProgress } from './stream-run.ts';

/** Passes over all rows and notes where they lie. Gives the root object, where there is one. */
export function* indexRows(
  run: StreamRun,
  shared: DocumentRun,
  window: Window,
  container: RowsContainer,
  builder: RowIndexBuilder,
): Steps<WalkedRoot | undefined, ImportEvent> {
  const pointer = appendPointer('', container.member);
  try {
    if (container.in === 'lines') {
      yield* indexLines(run, window, builder);
      return undefined;
    }
    const opening = container.in === 'array' ? OPEN_ARRAY : OPEN_OBJECT;
    if ((yield* peek(window)) !== opening) yield* unexpected(window, `"${String.fromCharCode(opening)}"`, '');
    window.at += 1;
    if (container.in === 'array') {
      yield* indexElements(run, window, builder, pointer);
      yield* expectEnd(window, 'the end of the input after the array of rows');
      return undefined;
    }
    const root = yield* readRoot(run, shared, window, {
      name: container.member,
      opening: OPEN_ARRAY,
      reset: () => builder.reset(),
      walk: () => indexElements(run, window, builder, pointer),
    });
    if (root.broken === undefined) yield* expectEnd(window, 'the end of the document');
    return root;
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
    if (!error.isTold)
      shared.reportAt('error', error.fault.code, error.pointer, error.fault.message, error.fault.offset);
    return undefined;
  }
}

/** Passes over the lines of a window. */
export function* indexLines(
  run: StreamRun,
  window: Window,
  builder: RowIndexBuilder,
): Steps<void, ImportEvent> {
  const state: LineState = { number: 1 };
  for (let line = yield* nextLine(window, state); line !== undefined; line = yield* nextLine(window, state)) {
    const fault =
      line.end - line.start > run.limits.recordBytes
        ? tooLarge('a line', line.start, run.limits.recordBytes)
        : undefined;
    yield* addRow(run, window, builder, line.start, line.end, fault);
  }
}

/** Passes over the elements of an array, the window standing behind its bracket; `first` is the number of the first one. */
export function* indexElements(
  run: StreamRun,
  window: Window,
  builder: RowIndexBuilder,
  base: string,
  first = 0,
): Steps<boolean, ImportEvent> {
  let row = first;
  for (; ; row += 1) {
    moveAnchor(window);
    if (!(yield* nextElement(window, row === first, base))) return row > first;
    yield* expectValue(window, appendPointer(base, row));
    const start = positionOf(window);
    const fault = yield* skipValue(window, run.limits);
    yield* addRow(run, window, builder, start, positionOf(window), fault);
    // The row that the end of the input cuts off is reported with its group, if it still says which that is.
    if (fault?.code === 'json/truncated') throw new BrokenStructure(fault, appendPointer(base, row), true);
  }
}

/** Notes where a row lies, and which group it belongs to. */
export function* addRow(
  run: StreamRun,
  window: Window,
  builder: RowIndexBuilder,
  start: number,
  end: number,
  fault: Fault | undefined,
): Steps<void, ImportEvent> {
  const isReadable =
    end - start <= run.limits.recordBytes && (fault === undefined || fault.code === 'json/truncated');
  builder.add(start, end, isReadable ? yield* bytesOf(run, window, start, end) : undefined, fault);
  yield* tellProgress(run, Math.floor(end / 4));
}
