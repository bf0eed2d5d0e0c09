import type { IssueCode, Place, Report, Severity } from '../issue.ts';
import type { ByteRange } from '../source.ts';
import type { SourceDocument } from './events.ts';
import type { ImportRun } from './import-run.ts';

/** Issues of one code that one document may have; the rest is counted and summed up in one. */
const MOST_OF_A_CODE = 1000;

/** A value of a document whose bytes are known, so that pointers into it can be found. */
export interface Extent extends ByteRange {
  /** Pointer of the value in its document. */
  readonly pointer: string;
  /** 1-based number of the record, where the container holds several. */
  readonly record?: number;
}

/** Finds the value that a pointer leads to or into; `undefined` when nothing is known of it. */
export type FindExtent = (pointer: string) => Extent | undefined;

/** An issue that waits for its place. */
export interface Waiting {
  readonly code: IssueCode;
  readonly severity: Severity;
  readonly message: string;
  readonly pointer: string;
  readonly offset: number | undefined;
}

/** The issues of one document (or of the part of a file that its documents share), from the first to the verdict. */
export interface DocumentRun {
  /** Place of the document: its start. */
  readonly at: Place;
  /** The document, once it was told; the findings of a whole file may have none. */
  readonly document: SourceDocument | undefined;
  readonly report: Report;
  /** The same for a finding whose byte offset is known. */
  reportAt(severity: Severity, code: IssueCode, pointer: string, message: string, offset: number): void;
  /** Errors so far. */
  errors(): number;
  /** Hands out the issues reported since the last call. */
  take(): readonly Waiting[];
  /** Sums up, as issues, what was too much of one kind. */
  sumUp(): void;
}

/** A document that was begun. */
export type BegunDocument = DocumentRun & { readonly document: SourceDocument };

/** Starts the next document of a run. */
export function startDocument(
  run: ImportRun,
  place: Omit<Place, 'source' | 'pointer'>,
  key?: string,
): BegunDocument {
  return beginDocument(run, collectIssuesAt(run, place), key);
}

/** Makes what was collected the issues of the next document of a run. */
export function beginDocument(run: ImportRun, issues: DocumentRun, key?: string): BegunDocument {
  const known = key === undefined ? {} : { key };
  const document: SourceDocument = { ordinal: run.documents, format: run.format.id, at: issues.at, ...known };
  run.documents += 1;
  return { ...issues, document };
}

/** Collects what is found at a place, of which no document is known yet. */
export function collectIssuesAt(run: ImportRun, place: Omit<Place, 'source' | 'pointer'> = {}): DocumentRun {
  const at: Place = { source: run.name, ...place, pointer: '' };
  let waiting: Waiting[] = [];
  let errors = 0;
  const counts = new Map<
    IssueCode,
    { count: number; readonly severity: Severity; readonly pointer: string }
  >();
  const add = (
    severity: Severity,
    code: IssueCode,
    pointer: string,
    message: string,
    offset?: number,
  ): void => {
    if (severity === 'error') {
      errors += 1;
      run.errors += 1;
    }
    const known = counts.get(code);
    if (known === undefined) counts.set(code, { count: 1, severity, pointer });
    else {
      known.count += 1;
      if (known.count > MOST_OF_A_CODE) return;
    }
    const hint = code === 'json/truncated' || code === 'json/syntax' ? run.hint : '';
    waiting.push({ code, severity, message: message + hint, pointer, offset });
  };
  return {
    at,
    document: undefined,
    report: add,
    reportAt: add,
    errors: () => errors,
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    sumUp() {
      for (const [code, { count, severity, pointer }] of counts) {
        const more = count - MOST_OF_A_CODE;
        if (more <= 0) continue;
        const message = `${more} more issues of the code ${code} were found in this document; the first ${MOST_OF_A_CODE} were reported`;
        waiting.push({ code: 'core/more-issues', severity, message, pointer, offset: undefined });
      }
      counts.clear();
    },
  };
}
