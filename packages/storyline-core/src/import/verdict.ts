import { appendPointer } from '../json/pointer.ts';
import type { DocumentRun } from './document-run.ts';
import type { BuiltStoryline, Envelope } from './import-record.ts';
import type { ImportRun } from './import-run.ts';

/** What a document gave so far. */
export interface Verdict {
  /** Storylines told. */
  storylines: number;
  /** The document as a whole is broken: no salvage. */
  broken: boolean;
  /** Whether all documents of the input have one root, as sessions whose rows stand in one file: its keys count once. */
  readonly sharesRoot: boolean;
}

/** A verdict to begin with. */
export function startVerdict(sharesRoot = false): Verdict {
  return { storylines: 0, broken: false, sharesRoot };
}

/** The Storylines of one record that are to be told: none of a record that was rejected, nor of a document that is. */
export function judgeRecord(
  run: ImportRun,
  issues: DocumentRun,
  verdict: Verdict,
  built: readonly BuiltStoryline[] | undefined,
  pointer: string,
): readonly BuiltStoryline[] {
  // Rows that make one document are one record: without it nothing is kept.
  if (built === undefined && run.salvage && !verdict.broken && !verdict.sharesRoot) {
    reportDropped(issues, pointer);
  }
  if (built === undefined || verdict.broken || (issues.errors() > 0 && !run.salvage)) return [];
  verdict.storylines += built.length;
  for (const { storyline, carriers } of built) run.unknownKeys.add(storyline, carriers);
  return built;
}

/** Reports a record that was left out of a document that is kept. */
export function reportDropped(issues: DocumentRun, pointer: string): void {
  const message = 'this record was left out because of its errors; the others of its document are kept';
  issues.report('warning', 'core/record-dropped', pointer, message);
}

/** Whether a document that ends is accepted. */
export function judgeDocument(run: ImportRun, issues: DocumentRun, verdict: Verdict): boolean {
  issues.sumUp();
  if (!verdict.sharesRoot) run.unknownKeys.endDocument();
  return issues.errors() === 0 || (run.salvage && !verdict.broken && verdict.storylines > 0);
}

/** Reports what the envelope carries for nobody (storyline-v1 §9). */
export function reportUnmetCarriers(envelope: Envelope | undefined, issues: DocumentRun): void {
  for (const carrier of envelope?.carriers.keys() ?? []) {
    if (!envelope?.met.has(carrier)) reportUnbound(issues, carrier);
  }
}

/** Reports a carrier of the envelope that points to no story. */
export function reportUnbound(issues: DocumentRun, carrier: string): void {
  const pointer = appendPointer('/_storyline/unknown_fields/by_trajectory', carrier);
  const message = `the _storyline envelope carries residuals for ${carrier || 'the root'}, but no story of this document stands there`;
  issues.report('error', 'core/envelope-unbound', pointer, message);
}
