import { BrokenStructure, type Fault } from '../containers/fault.ts';
import { type LineState, nextLine } from '../containers/lines.ts';
import type { Steps } from '../containers/need.ts';
import { skipValue } from '../containers/skip-value.ts';
import { expectEnd, expectValue, nextElement } from '../containers/walk.ts';
import { openInner, peek, positionOf, type Window } from '../containers/window.ts';
import type { Container } from '../format.ts';
import type { Place } from '../issue.ts';
import type { ByteRange } from '../source.ts';
import { startDocument } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { importEntries } from './import-entries.ts';
import { importWhole } from './import-whole.ts';
import { type StreamRun, tellProgress } from './stream-run.ts';
import { endDocument } from './tell.ts';
import { startVerdict } from './verdict.ts';

/** Containers whose documents lie one after the other. */
export type DocumentContainer = Extract<Container, { readonly kind: 'document' | 'entries' }>;

/**
 * Imports an input that is one document. With `isTentative` it may turn out to be more (or broken): then false, and nothing was told.
 */
export function* importSingle(
  run: StreamRun,
  window: Window,
  container: DocumentContainer,
  isTentative: boolean,
): Steps<boolean, ImportEvent> {
  if (container.kind === 'entries')
    return yield* importEntries(run, window, container.member, {}, isTentative);
  yield* peek(window);
  const start = positionOf(window);
  let fault = yield* skipValue(window, run.limits);
  let end = positionOf(window);
  try {
    yield* expectEnd(window, 'the end of the document');
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
    fault ??= error.fault;
    end = run.source.size;
  }
  if (isTentative && fault !== undefined) return false;
  yield* importWhole(run, window, { start, end }, {}, fault);
  return true;
}

/** Imports an input of one document a line. */
export function* importLines(
  run: StreamRun,
  window: Window,
  container: DocumentContainer,
): Steps<void, ImportEvent> {
  const state: LineState = { number: 1 };
  let record = 0;
  for (let line = yield* nextLine(window, state); line !== undefined; line = yield* nextLine(window, state)) {
    record += 1;
    yield* importOne(run, window, container, line, { record, line: line.number }, undefined);
    yield* tellProgress(run, line.end);
  }
}

/**
 * Imports an array of documents. An element that is no valid document is rejected alone; where the array itself breaks, all before
 * it is imported, and the rest is one rejected document.
 */
export function* importArray(
  run: StreamRun,
  window: Window,
  container: DocumentContainer,
): Steps<void, ImportEvent> {
  yield* peek(window);
  window.at += 1;
  let record = 0;
  try {
    for (;;) {
      if (!(yield* nextElement(window, record === 0, ''))) break;
      record += 1;
      yield* expectValue(window, '');
      const start = positionOf(window);
      window.anchor = start;
      const fault = yield* skipValue(window, run.limits);
      const end = positionOf(window);
      yield* importOne(run, window, container, { start, end }, { record }, fault);
      if (fault?.code === 'json/truncated') return;
      yield* tellProgress(run, end);
    }
    yield* expectEnd(window, 'the end of the input after the array');
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
    yield* rejectRest(run, error.fault, record);
  }
}

function* importOne(
  run: StreamRun,
  window: Window,
  container: DocumentContainer,
  range: ByteRange,
  place: Omit<Place, 'source' | 'pointer'>,
  fault: Fault | undefined,
): Steps<void, ImportEvent> {
  if (container.kind === 'document') return yield* importWhole(run, window, range, place, fault);
  // Limits hold for each entry, and are looked at there.
  yield* importEntries(run, openInner(window, range.start, range.end), container.member, place, false);
}

function* rejectRest(run: StreamRun, fault: Fault, record: number): Steps<void, ImportEvent> {
  const issues = startDocument(run, { record: Math.max(record, 1), offset: fault.offset });
  yield { type: 'document', document: issues.document };
  issues.reportAt(
    'error',
    fault.code,
    '',
    `${fault.message}; what follows in this array cannot be read`,
    fault.offset,
  );
  const ranges = [{ start: fault.offset, end: run.source.size }];
  yield* endDocument(run, issues, { ...startVerdict(), broken: true }, ranges, () => undefined);
}
