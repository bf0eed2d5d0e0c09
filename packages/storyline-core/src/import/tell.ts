import type { Steps } from '../containers/need.ts';
import type { ByteRange } from '../source.ts';
import type { BegunDocument, DocumentRun, FindExtent } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { findPlaces } from './find-places.ts';
import type { BuiltStoryline } from './import-record.ts';
import { bytesOf, type StreamRun } from './stream-run.ts';
import { judgeDocument, judgeRecord, type Verdict } from './verdict.ts';

/** Yields the waiting issues of a document with source, record, line, column and byte offset. */
export function* tellIssues(
  run: StreamRun,
  issues: DocumentRun,
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  const waiting = issues.take();
  if (waiting.length === 0) return;
  const places = yield* findPlaces(waiting, findExtent, {
    bytes: (start, end) => bytesOf(run, undefined, start, end),
    line: (offset) => run.lineIndex.locate(offset),
    most: run.limits.recordBytes,
  });
  for (const [index, { code, severity, message, pointer }] of waiting.entries()) {
    const issue = { code, severity, message, at: { ...issues.at, ...places[index], pointer } };
    yield issues.document === undefined
      ? { type: 'issue', issue }
      : { type: 'issue', issue, document: issues.document };
  }
}

/** Tells what one record gave: its issues and its Storylines. */
export function* tellRecord(
  run: StreamRun,
  issues: BegunDocument,
  verdict: Verdict,
  built: readonly BuiltStoryline[] | undefined,
  place: { readonly pointer: string; readonly offset?: number },
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  const good = judgeRecord(run, issues, verdict, built, place.pointer);
  yield* tellIssues(run, issues, findExtent);
  for (const { storyline } of good) {
    yield { type: 'storyline', storyline, document: issues.document, at: { ...issues.at, ...place } };
  }
}

/** Ends a document with its verdict. */
export function* endDocument(
  run: StreamRun,
  issues: BegunDocument,
  verdict: Verdict,
  ranges: readonly ByteRange[],
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  const accepted = judgeDocument(run, issues, verdict);
  yield* tellIssues(run, issues, findExtent);
  const storylines = accepted ? verdict.storylines : 0;
  const salvaged = accepted && issues.errors() > 0 ? ({ salvaged: true } as const) : {};
  yield { type: 'end', document: issues.document, accepted, ...salvaged, storylines, ranges };
}
