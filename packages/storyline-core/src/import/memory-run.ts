import type { Issue } from '../issue.ts';
import { NEWLINE } from '../json/bytes.ts';
import type { Storyline } from '../storyline.ts';
import type { DocumentRun, FindExtent } from './document-run.ts';
import { findPlaces, type PlaceFinder } from './find-places.ts';
import type { ImportRun } from './import-run.ts';
import { judgeDocument, type Verdict } from './verdict.ts';

/** A run over an input that is in memory. */
export interface MemoryRun extends ImportRun {
  /** Looks places up in its bytes; `undefined` when it was handed over as a value, which has none. */
  readonly finder: PlaceFinder | undefined;
  /** What all documents so far gave. */
  readonly storylines: Storyline[];
  readonly issues: Issue[];
}

/** Ends a document: takes over its issues, and its Storylines if it is accepted. */
export function endInMemory(
  run: MemoryRun,
  issues: DocumentRun,
  verdict: Verdict,
  storylines: readonly Storyline[],
  findExtent: FindExtent,
): void {
  if (judgeDocument(run, issues, verdict)) for (const storyline of storylines) run.storylines.push(storyline);
  keepIssues(run, issues, findExtent);
}

/** Takes over what was reported, with its places. */
export function keepIssues(run: MemoryRun, issues: DocumentRun, findExtent: FindExtent): void {
  const waiting = issues.take();
  if (waiting.length === 0) return;
  // In memory the steps need nothing: the first call gives their result.
  const found = run.finder === undefined ? undefined : findPlaces(waiting, findExtent, run.finder).next();
  const places = found?.done === true ? found.value : [];
  for (const [index, { code, severity, message, pointer }] of waiting.entries()) {
    run.issues.push({ code, severity, message, at: { ...issues.at, ...places[index], pointer } });
  }
}

/** Looks places up in bytes. Lines are counted on from the last place, so ascending places cost one pass. */
export function memoryFinder(bytes: Uint8Array): PlaceFinder {
  let counted = 0;
  let line = 1;
  let lineStart = 0;
  return {
    most: bytes.length,
    // biome-ignore lint/correctness/useYield: steps that need nothing
    *bytes(start, end) {
      return bytes.subarray(start, end);
    },
    // biome-ignore lint/correctness/useYield: steps that need nothing
    *line(offset) {
      if (offset < counted) {
        counted = 0;
        line = 1;
        lineStart = 0;
      }
      for (
        let next = bytes.indexOf(NEWLINE, counted);
        next !== -1 && next < offset;
        next = bytes.indexOf(NEWLINE, counted)
      ) {
        line += 1;
        lineStart = next + 1;
        counted = next + 1;
      }
      return { line, column: offset - lineStart + 1 };
    },
  };
}
