import type { Outer } from '../format.ts';
import type { Issue } from '../issue.ts';
import type { WrittenContainer } from './choose-container.ts';
import type { ExportDocument } from './export.ts';

/** Characters of one document that are held back until it is known to be good. */
const MOST_HELD = 32 * 1024 * 1024;

/** How documents are joined. */
export interface JoinOptions {
  /** The `indent` that the documents are written with. */
  readonly indent?: number;
  /** Called for every issue, at the end of its document. */
  issue?(issue: Issue, document: ExportDocument | undefined): void;
  /** Called at the end of each document. */
  end?(document: ExportDocument, written: boolean): void;
}

/** What stands around and between the documents of one file. */
export interface FileFraming {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  /** The text of a document as it stands in the file. */
  nest(text: string): string;
}

/** The framing of an outer: every file ends with a line break, but for formats whose documents do not. */
export function fileFraming(
  outer: Outer,
  container: WrittenContainer | undefined,
  indent: number,
  finalNewline = true,
): FileFraming {
  // Rows make up their array or lines themselves.
  const kind = container?.kind === 'rows' ? 'document' : outer;
  if (kind === 'array') {
    const pad = indent > 0 ? `\n${' '.repeat(indent)}` : '';
    return {
      open: `[${pad}`,
      between: `,${pad}`,
      close: indent > 0 ? '\n]\n' : ']\n',
      nest: (text) => (indent > 0 ? text.replaceAll('\n', pad) : text),
    };
  }
  const close = finalNewline || kind === 'lines' ? '\n' : '';
  return { open: '', between: '\n', close, nest: (text) => text };
}

/** Whether a file holds one document and no more: a plain document, and rows, which several documents cannot share. */
export function standsAlone(outer: Outer, container: WrittenContainer | undefined): boolean {
  return outer === 'document' || container?.kind === 'rows';
}

/** The issue for several documents where one has to stand alone, or for none; `undefined` when their number fits. */
export function countIssue(
  outer: Outer,
  container: WrittenContainer | undefined,
  count: number,
): Issue | undefined {
  if (!standsAlone(outer, container) || count === 1) return undefined;
  const [each, instead] =
    container?.kind === 'rows' ? [', one for each source document', ''] : ['', ', or as an array or lines'];
  const message =
    count === 0
      ? 'there is no document to write'
      : `the selection makes ${count} documents${each}, and one file of this kind holds one; write them into a folder (-o FOLDER)${instead}`;
  return {
    code: count === 0 ? 'core/no-documents' : 'core/several-documents',
    severity: 'error',
    message,
    at: { pointer: '' },
  };
}

/**
 * Joins documents, written with the same outer, into the text of one file.
 *
 * A document that fails leaves nothing behind, and the others go on. Its text is held back until it is complete, up to 32 M
 * characters; a longer one is passed on while it is written, and if it fails then, the text ends and the file is worth nothing: the
 * error `core/document-cut`. Several documents where one has to stand alone: the error `core/several-documents`, and no text.
 * Returns whether the text is whole.
 */
export async function* joinDocuments(
  outer: Outer,
  documents: AsyncIterable<ExportDocument>,
  options: JoinOptions = {},
): AsyncGenerator<string, boolean> {
  let framing: FileFraming | undefined;
  let alone = false;
  let written = 0;
  for await (const document of documents) {
    if (framing === undefined) {
      const fault = countIssue(outer, document.container, document.count);
      if (fault !== undefined) {
        options.issue?.(fault, undefined);
        return false;
      }
      alone = standsAlone(outer, document.container);
      framing = fileFraming(outer, document.container, options.indent ?? 0, document.finalNewline);
    }
    let held: string[] | undefined = [];
    let length = 0;
    for await (const piece of document.text()) {
      const text = framing.nest(piece);
      if (held === undefined) {
        yield text;
        continue;
      }
      held.push(text);
      length += text.length;
      if (length < MOST_HELD) continue;
      yield written === 0 ? framing.open : framing.between;
      yield* held;
      held = undefined;
    }
    for (const issue of document.issues) options.issue?.(issue, document);
    if (document.failed()) {
      options.end?.(document, false);
      if (held !== undefined) continue;
      const message =
        'a long document failed when part of it was written already; what was written of this file is no whole document';
      options.issue?.(
        { code: 'core/document-cut', severity: 'error', message, at: { pointer: '' } },
        document,
      );
      return false;
    }
    if (held !== undefined) {
      yield written === 0 ? framing.open : framing.between;
      yield* held;
    }
    written += 1;
    options.end?.(document, true);
  }
  if (framing === undefined) {
    const fault = countIssue(outer, undefined, 0);
    if (fault !== undefined) options.issue?.(fault, undefined);
    if (outer === 'array') yield '[]\n';
    return fault === undefined;
  }
  if (written > 0) yield framing.close;
  else if (alone) return false;
  else if (outer === 'array') yield '[]\n';
  return true;
}
