import { groupKeysOf } from '../containers/row-order.ts';
import type { DrivenFormat } from '../format.ts';
import type { Issue, IssueCode } from '../issue.ts';
import { byteOrderMark } from '../json/bytes.ts';
import { copyJson } from '../json/copy-json.ts';
import { describeUnexpected } from '../json/describe-unexpected.ts';
import { encodeText } from '../json/parse.ts';
import type { Json } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import { chooseContainer, describeMismatch, type JsonContainer } from './choose-container.ts';
import { collectIssuesAt, type FindExtent, startDocument } from './document-run.ts';
import type { ImportOptions } from './events.ts';
import { LINES_HINT, startRun } from './import-run.ts';
import { bytesInput, type MemoryInput, type MemoryValue, valueInput } from './memory-input.ts';
import { importMemberRows, importMemoryRows } from './memory-rows.ts';
import { endInMemory, keepIssues, type MemoryRun, memoryFinder } from './memory-run.ts';
import { type DocumentContainer, readValue } from './read-value.ts';
import { startVerdict } from './verdict.ts';

/** What {@link importDocument} gives. */
export interface ImportedDocument {
  /** The Storylines of all accepted documents (under `salvage`: of the good records of bad ones, too). */
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
}

/**
 * Imports what is in memory, without waiting: JSON text, bytes, or a parsed value, in any of the format's containers. Gives what
 * `importStorylines` gives for the same bytes, except that a document that is no JSON at all gives nothing under `salvage`.
 * `source` names the input in issues; issues of a parsed value have a pointer and no byte offset.
 */
export function importDocument(
  format: DrivenFormat,
  input: string | Uint8Array | Json,
  options: ImportOptions & { readonly source?: string } = {},
): ImportedDocument {
  const base = startRun(options.source ?? '', format, options);
  const bytes =
    typeof input === 'string' ? encodeText(input) : input instanceof Uint8Array ? input : undefined;
  const run: MemoryRun = { ...base, finder: bytes && memoryFinder(bytes), storylines: [], issues: [] };
  if (bytes === undefined) {
    const found = collectIssuesAt(run);
    const value = copyJson(input, { ...run, report: found.report });
    keepIssues(run, found, nowhere);
    if (found.errors() === 0) importInput(run, valueInput(value));
  } else if (isExternal(format, bytes)) {
    reportAlone(
      run,
      'core/asynchronous-container',
      `this container of ${format.title} can only be read asynchronously; use importStorylines`,
    );
  } else {
    importInput(run, bytesInput(run, bytes, byteOrderMark(bytes, 0, bytes.length)), bytes);
  }
  run.issues.push(...run.unknownKeys.issues(run.name));
  return { storylines: run.storylines, issues: run.issues };
}

const nowhere: FindExtent = () => undefined;

function isExternal(format: DrivenFormat, bytes: Uint8Array): boolean {
  return format.containers.some(
    (container) =>
      container.kind === 'external' && container.magic.every((byte, index) => bytes[index] === byte),
  );
}

/** An error of the input as a whole. */
function reportAlone(run: MemoryRun, code: IssueCode, message: string): void {
  const found = collectIssuesAt(run);
  found.reportAt('error', code, '', message, 0);
  keepIssues(run, found, nowhere);
}

function importInput(run: MemoryRun, input: MemoryInput, bytes: Uint8Array = new Uint8Array(0)): void {
  const { layout } = input;
  if (layout === 'empty') {
    reportAlone(run, 'json/empty', 'there is no JSON value: the input is empty or blank');
    return;
  }
  const container = rowsOrLoneRow(run, chooseContainer(run.format.containers, layout), input);
  if (container === undefined) {
    reportAlone(run, 'core/unexpected-container', describeMismatch(run.format, layout));
    return;
  }
  importDocuments(run, container, input, bytes);
  if (run.documents === 0 && run.errors === 0) {
    reportAlone(run, 'core/no-documents', 'the input holds no document, but at least one was expected');
  }
}

function importDocuments(
  run: MemoryRun,
  container: JsonContainer,
  input: MemoryInput,
  bytes: Uint8Array,
): void {
  const way = container.kind === 'rows' ? container.in : container.outer;
  if (way === 'lines') run.hint = LINES_HINT;
  if (container.kind === 'rows' && way === 'member') {
    importMemberRows(run, container, input.whole());
    return;
  }
  const elements = way === 'array' ? input.elements() : undefined;
  const values = elements?.values ?? (way === 'lines' ? input.lines() : [input.whole()]);
  if (container.kind === 'rows') importMemoryRows(run, container, values);
  else for (const value of values) importOne(run, container, value);
  if (elements?.breakAt !== undefined) rejectRest(run, bytes, elements.breakAt, values.length);
}

/** The container that fits an input which is one object: with the group key and without the member for rows, it is a row itself. */
function rowsOrLoneRow(
  run: MemoryRun,
  chosen: JsonContainer | undefined,
  input: MemoryInput,
): JsonContainer | undefined {
  if (chosen?.kind !== 'rows' || chosen.in !== 'member') return chosen;
  const lines = run.format.containers.find((other) => other.kind === 'rows' && other.in === 'lines');
  const whole = input.whole();
  return lines !== undefined &&
    lines.kind !== 'external' &&
    groupKeysOf(chosen.group).some((key) => whole.has(key)) &&
    !whole.has(chosen.member)
    ? lines
    : chosen;
}

function importOne(run: MemoryRun, container: DocumentContainer, value: MemoryValue): void {
  const { start, end, ...place } = value.item;
  const issues = startDocument(run, start === undefined ? place : { ...place, offset: start });
  const verdict = startVerdict();
  const read = value.read(issues, '');
  verdict.broken = read === undefined;
  const storylines = read === undefined ? [] : readValue(run, issues, verdict, container, read);
  endInMemory(run, issues, verdict, storylines, () =>
    start === undefined || end === undefined ? undefined : { pointer: '', start, end },
  );
}

/** Where an array breaks, the rest of it is one rejected document. */
function rejectRest(run: MemoryRun, bytes: Uint8Array, breakAt: number, record: number): void {
  const issues = startDocument(run, { record: Math.max(record, 1), offset: breakAt });
  const { code, message } = describeUnexpected(bytes, breakAt, '"," or "]"');
  issues.reportAt('error', code, '', `${message}; what follows in this array cannot be read`, breakAt);
  keepIssues(run, issues, nowhere);
}
