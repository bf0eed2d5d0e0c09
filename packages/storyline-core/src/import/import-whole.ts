import type { Fault } from '../containers/fault.ts';
import type { Steps } from '../containers/need.ts';
import type { Window } from '../containers/window.ts';
import type { Place } from '../issue.ts';
import { parseBytes } from '../json/parse.ts';
import type { Json } from '../json/value.ts';
import type { ByteRange } from '../source.ts';
import { type FindExtent, startDocument } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { readValue } from './read-value.ts';
import { bytesOf, type StreamRun } from './stream-run.ts';
import { endDocument, tellIssues } from './tell.ts';
import { startVerdict } from './verdict.ts';

/** Imports one document that is one record; `fault` is what the scan found wrong with it. */
export function* importWhole(
  run: StreamRun,
  window: Window,
  range: ByteRange,
  place: Omit<Place, 'source' | 'pointer'>,
  fault: Fault | undefined,
): Steps<void, ImportEvent> {
  const { start, end } = range;
  const issues = startDocument(run, { ...place, offset: start });
  yield { type: 'document', document: issues.document };
  const verdict = startVerdict();
  const findExtent: FindExtent = () => ({ pointer: '', start, end });
  let value: Json | undefined;
  const isLimit = fault?.code.startsWith('core/') === true;
  if (fault !== undefined && (isLimit || end - start > run.limits.recordBytes)) {
    issues.reportAt('error', fault.code, '', fault.message, fault.offset);
  } else {
    // Broken JSON is parsed all the same: the parser says best what is wrong, and where.
    const bytes = yield* bytesOf(run, window, start, end);
    value = parseBytes(bytes, run, (severity, code, pointer, message, offset) =>
      issues.reportAt(severity, code, pointer, message, start + offset),
    );
  }
  verdict.broken = value === undefined;
  const container = { kind: 'document', outer: 'document' } as const;
  const storylines = value === undefined ? [] : readValue(run, issues, verdict, container, value);
  yield* tellIssues(run, issues, findExtent);
  for (const storyline of storylines) {
    yield { type: 'storyline', storyline, document: issues.document, at: issues.at };
  }
  yield* endDocument(run, issues, verdict, [range], findExtent);
}
