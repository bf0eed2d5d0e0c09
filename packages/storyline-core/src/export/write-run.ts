import type { DrivenFormat } from '../format.ts';
import type { Issue, IssueCode, Report, Severity } from '../issue.ts';
import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import type { Storyline, StorylineHead } from '../storyline.ts';
import type { WrittenContainer } from './choose-container.ts';
import type { ExportOptions } from './options.ts';
import type { PlannedDocument } from './plan.ts';

/** Issues of one code that one document may have; the rest is counted. */
const MOST_OF_A_CODE = 1000;

/** What the text of a document asks for: the Storyline at a position of the selection. */
export interface ReadRequest {
  readonly read: number;
}

/** Pieces of text, and requests that are answered with a Storyline through `next`. */
export type WriteSteps<Result = void> = Generator<string | ReadRequest, Result, Storyline | undefined>;

/** One output document while it is written. */
export interface WriteRun {
  readonly format: DrivenFormat;
  readonly container: WrittenContainer;
  readonly plan: PlannedDocument;
  readonly options: ExportOptions;
  readonly issues: Issue[];
  failed: boolean;
  /** Storylines that could not be written, where the others of the document go on. */
  readonly rejected: Set<Slot>;
  /** How often each code was reported. */
  readonly counts: Map<IssueCode, { count: number; readonly severity: Severity }>;
  /** Numbers written as null since they were last told, because JSON has no such number. */
  nonFinite: number;
}

/** One Storyline of the document being written: its position in the selection, and its head. */
export interface Slot {
  readonly index: number;
  readonly head: StorylineHead;
}

/** The Storylines of a document in the order in which they are written. */
export function slotsOf(plan: PlannedDocument): readonly Slot[] {
  return plan.indexes.map((index, position) => ({ index, head: plan.heads[position] as StorylineHead }));
}

/** Whether a container has a root object, which can hold the `_storyline` envelope. */
export function hasRoot(container: WrittenContainer): boolean {
  return container.kind !== 'rows' || container.in === 'member';
}

/** Reports for one Storyline: places carry its number in the selection and the source document it came from. */
export function reportFor(run: WriteRun, { index, head }: Slot): Report {
  const source = head.origin?.document_id;
  const place = { ...(source === undefined ? {} : { source }), record: index + 1 };
  return (severity, code, pointer, message) => {
    if (severity === 'error' || (severity === 'loss' && run.options.strict === true)) run.failed = true;
    const known = run.counts.get(code);
    if (known === undefined) run.counts.set(code, { count: 1, severity });
    else if (++known.count > MOST_OF_A_CODE) return;
    run.issues.push({ code, severity, message, at: { ...place, pointer } });
  };
}

/** The report that a writer gets: with `carry`, what the target cannot express is not lost, so its losses are information. */
export function writerReport(run: WriteRun, slot: Slot): Report {
  const report = reportFor(run, slot);
  if (run.options.carry !== true || !hasRoot(run.container)) return report;
  return (severity, code, pointer, message) => {
    if (severity === 'loss') report('info', code, pointer, `${message}; ${ENVELOPE_KEY} carries it`);
    else report(severity, code, pointer, message);
  };
}

/** Tells how many numbers of one Storyline were written as null. */
export function reportNonFinite(run: WriteRun, slot: Slot, count: number): void {
  if (count === 0) return;
  writerReport(run, slot)(
    'loss',
    'core/non-finite-number',
    '',
    `${count === 1 ? 'a number that is' : `${count} numbers that are`} NaN or infinite ${count === 1 ? 'is' : 'are'} written as null: JSON has no such number`,
  );
}

/**
 * The next step of a document; `undefined` at its end. What a writer throws is a bug of its and fails the document, so that the others
 * go on.
 */
export function guardedNext(
  run: WriteRun,
  steps: WriteSteps,
  answer: Storyline | undefined,
): string | ReadRequest | undefined {
  try {
    const step = steps.next(answer);
    if (step.done !== true) return step.value;
  } catch (error) {
    const [slot] = slotsOf(run.plan);
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const message = `the ${run.format.id} writer failed on this document (${text}); this is a bug, please report it`;
    run.failed = true;
    if (slot !== undefined) reportFor(run, slot)('error', 'core/writer-fault', '', message);
  }
  sumUp(run);
  return undefined;
}

/** Tells how many issues of a code were too many to tell. */
function sumUp(run: WriteRun): void {
  for (const [code, { count, severity }] of run.counts) {
    const more = count - MOST_OF_A_CODE;
    if (more <= 0) continue;
    const message = `${more} more issues of the code ${code} were found in this document; the first ${MOST_OF_A_CODE} were reported`;
    run.issues.push({ code: 'core/more-issues', severity, message, at: { pointer: '' } });
  }
  run.counts.clear();
}
