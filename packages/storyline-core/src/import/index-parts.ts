import { unexpected } from '../containers/expect.ts';
import { BrokenStructure, type Fault } from '../containers/fault.ts';
import { findLayout, openRange } from '../containers/layout.ts';
import type { Steps } from '../containers/need.ts';
import { buildRowIndex, type RowIndex } from '../containers/row-index.ts';
import { skipValue } from '../containers/skip-value.ts';
import { expectEnd } from '../containers/walk.ts';
import { peek, positionOf } from '../containers/window.ts';
import { appendPointer } from '../json/pointer.ts';
import type { SourcePart } from '../source.ts';
import type { RowsContainer } from './choose-container.ts';
import type { DocumentRun } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { addRow, indexElements, indexLines } from './index-rows.ts';
import type { StreamRun } from './stream-run.ts';

/** A file of several: how its rows lie (a document is one row), and the number of its first one. */
export interface IndexedPart extends SourcePart {
  readonly layout: 'empty' | 'document' | 'array' | 'lines';
  readonly firstRow: number;
}

/** Passes over the rows of several files and notes where they lie; a file that breaks off keeps the rows before the break. */
export function* indexParts(
  run: StreamRun,
  shared: DocumentRun,
  container: RowsContainer,
  parts: readonly SourcePart[],
): Steps<{ readonly parts: readonly IndexedPart[]; readonly index: RowIndex }, ImportEvent> {
  const builder = buildRowIndex(container);
  const indexed: IndexedPart[] = [];
  const base = appendPointer('', container.member);
  for (const part of parts) {
    const window = yield* openRange(run.source, part.start, part.end);
    const { layout } = yield* findLayout(window, part.end - part.start);
    const firstRow = builder.count();
    indexed.push({ ...part, layout, firstRow });
    try {
      if (layout === 'lines') yield* indexLines(run, window, builder);
      else if (layout === 'array') {
        yield* peek(window);
        window.at += 1;
        yield* indexElements(run, window, builder, base, firstRow);
        yield* expectEnd(window, 'the end of the input after the array of rows');
      } else if (layout === 'document') {
        const value = yield* skipDocument(run, window);
        yield* addRow(run, window, builder, value.start, value.end, value.fault);
      } else yield* unexpected(window, 'a JSON value', appendPointer(base, firstRow));
    } catch (error) {
      if (!(error instanceof BrokenStructure)) throw error;
      const { fault, pointer } = error;
      if (!error.isTold) shared.reportAt('error', fault.code, pointer, fault.message, fault.offset);
    }
  }
  return { parts: indexed, index: builder.finish() };
}

/** The range of a file that is one value; with what follows it, where something does, so that the parser finds it. */
function* skipDocument(
  run: StreamRun,
  window: Parameters<typeof skipValue>[0],
): Steps<{ readonly start: number; readonly end: number; readonly fault: Fault | undefined }> {
  yield* peek(window);
  const start = positionOf(window);
  const fault = yield* skipValue(window, run.limits);
  const end = positionOf(window);
  if (fault !== undefined) return { start, end: window.end, fault: isLimit(fault) ? fault : undefined };
  return { start, end: (yield* peek(window)) === -1 ? end : window.end, fault: undefined };
}

/** Broken JSON is told by the parser, which says best what is wrong; what breaks a limit is never parsed. */
function isLimit({ code }: Fault): boolean {
  return code.startsWith('core/');
}
