import type { Steps } from '../containers/need.ts';
import { appendPointer } from '../json/pointer.ts';
import type { ByteRange } from '../source.ts';
import { type BegunDocument, type DocumentRun, type FindExtent, tellIssues } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import type { BuiltStoryline, Envelope } from './import-record.ts';
import type { ImportRun } from './import-run.ts';

/** What a document gave so far. */
export interface Verdict {
  /** Storylines told. */
  storylines: number;
  /** Records that were left out under `salvage`. */
  dropped: number;
  /** The document as a whole is broken: no salvage. */
  broken: boolean;
}

/** A verdict to begin with. */
export function startVerdict(): Verdict {
  return { storylines: 0, dropped: 0, broken: false };
}

/** Tells what one record gave: its Storylines, or, under `salvage`, that it was left out. */
export function* tellRecord(
  run: ImportRun,
  issues: BegunDocument,
  verdict: Verdict,
  built: readonly BuiltStoryline[] | undefined,
  place: { readonly pointer: string; readonly offset?: number },
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  if (built === undefined && run.salvage) {
    verdict.dropped += 1;
    issues.report(
      'warning',
      'core/record-dropped',
      place.pointer,
      'this record was left out because of its errors; the others of its document are kept',
    );
  }
  yield* tellIssues(run, issues, findExtent);
  // Storylines of a document that is rejected already need not be told.
  if (built === undefined || verdict.broken || (issues.errors() > 0 && !run.salvage)) return;
  for (const { storyline, carriers } of built) {
    verdict.storylines += 1;
    run.unknownKeys.add(storyline, carriers);
    yield { type: 'storyline', storyline, document: issues.document, at: { ...issues.at, ...place } };
  }
}

/** Reports what the envelope carries for nobody (storyline-v1 §9). */
export function reportUnmetCarriers(envelope: Envelope | undefined, issues: DocumentRun): void {
  for (const carrier of envelope?.carriers.keys() ?? []) {
    if (envelope?.met.has(carrier)) continue;
    const pointer = appendPointer('/_storyline/unknown_fields/by_trajectory', carrier);
    issues.report(
      'error',
      'core/envelope-unbound',
      pointer,
      `the _storyline envelope carries residuals for ${carrier || 'the root'}, but no story of this document stands there`,
    );
  }
}

/** Ends a document with its verdict. */
export function* endDocument(
  run: ImportRun,
  issues: BegunDocument,
  verdict: Verdict,
  ranges: readonly ByteRange[],
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  issues.sumUp();
  yield* tellIssues(run, issues, findExtent);
  run.unknownKeys.endDocument();
  const salvaged = run.salvage && !verdict.broken && verdict.storylines > 0;
  const accepted = issues.errors() === 0 || salvaged;
  yield {
    type: 'end',
    document: issues.document,
    accepted,
    storylines: accepted ? verdict.storylines : 0,
    ranges,
  };
}
