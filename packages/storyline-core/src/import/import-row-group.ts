import type { SourceRecord } from '../format.ts';
import type { Severity } from '../issue.ts';
import type { DocumentRun } from './document-run.ts';
import { type BuiltStoryline, type Envelope, importRecord } from './import-record.ts';
import type { ImportRun } from './import-run.ts';
import { reportDropped } from './verdict.ts';

/** Rows that make one document. */
export interface RowGroup<Row> {
  readonly rows: readonly Row[];
  pointerOf(row: Row): string;
  /** The record of some of the rows; what is wrong with their JSON goes to `issues`. */
  recordOf(rows: readonly Row[], issues: DocumentRun): SourceRecord<unknown>;
}

/** Readers look at shapes, then at what belongs together, then at the content: bad rows show in as many attempts. */
const ATTEMPTS = 4;

/**
 * Takes the rows of one document through decode and toStorylines. Under `salvage`, where a format joins rows that are good without each other
 * (pages), those with errors are left out, each with an issue, and the others are read without them.
 */
export function importRowGroup<Row>(
  run: ImportRun,
  issues: DocumentRun,
  group: RowGroup<Row>,
  envelope: Envelope | undefined,
): readonly BuiltStoryline[] | undefined {
  const read = (rows: readonly Row[], to: DocumentRun): readonly BuiltStoryline[] | undefined =>
    importRecord(run, to, group.recordOf(rows, to), () => rows.map((row) => group.pointerOf(row)), envelope);
  if (!run.salvage || run.format.joins !== true || group.rows.length < 2) return read(group.rows, issues);
  let { rows } = group;
  const dropped: Row[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const held = holdIssues(issues);
    const built = read(rows, held.issues);
    const isBad = badRows(held.found);
    const good = rows.filter((row) => isBad?.(group.pointerOf(row)) === false);
    const isLast = good.length === 0 || good.length === rows.length || attempt === ATTEMPTS;
    const isDone = built !== undefined || isLast;
    // What is not wrong with the rows that are kept is found again.
    for (const tell of held.found) if (isDone || tell.severity === 'error') tell.again();
    if (!isDone) {
      dropped.push(...rows.filter((row) => isBad?.(group.pointerOf(row)) === true));
      rows = good;
      continue;
    }
    if (built !== undefined) for (const row of dropped) reportDropped(issues, group.pointerOf(row));
    return built;
  }
}

interface Held {
  readonly severity: Severity;
  readonly code: string;
  readonly pointer: string;
  again(): void;
}

/** Keeps what is found from a document until it is known whether it counts. */
function holdIssues(issues: DocumentRun): { readonly issues: DocumentRun; readonly found: readonly Held[] } {
  const found: Held[] = [];
  let errors = 0;
  const hold = (severity: Severity, code: string, pointer: string, again: () => void): void => {
    if (severity === 'error') errors += 1;
    found.push({ severity, code, pointer, again });
  };
  return {
    found,
    issues: {
      ...issues,
      report: (severity, code, pointer, message) =>
        hold(severity, code, pointer, () => issues.report(severity, code, pointer, message)),
      reportAt: (severity, code, pointer, message, offset) =>
        hold(severity, code, pointer, () => issues.reportAt(severity, code, pointer, message, offset)),
      errors: () => errors,
    },
  };
}

/** Whether a row has errors, by its pointer; `undefined` where an error is none of a row, but of what was made of all of them. */
function badRows(found: readonly Held[]): ((pointer: string) => boolean) | undefined {
  const bad = new Set<string>();
  for (const { severity, code, pointer } of found) {
    if (severity !== 'error') continue;
    const [row] = /^\/[^/]*\/\d+(?=\/|$)/.exec(pointer) ?? [];
    if (row === undefined || /^(core|storyline)\//.test(code)) return undefined;
    bad.add(row);
  }
  return (pointer) => bad.has(pointer);
}
