import { type AnyFormat, documentIdOf, type ExportDocument, type Outer } from '@pchronicle/storyline-core';
import { safeRelativePath, withoutExtension } from '../io/file-name.ts';

/**
 * The file name, relative to the output folder, for one document: that of the source it came from with the ending of the new format, its
 * attempt added where a document is one attempt; without a source, the document's id. It never leaves the folder.
 */
export function outputName(
  document: ExportDocument,
  outer: Outer,
  format: AnyFormat,
  knownExtensions: readonly string[],
): { readonly stem: string; readonly extension: string } {
  const ending = format.extensions[0] ?? '.json';
  const extension = outer === 'lines' ? ending.replace(/\.json$/, '.jsonl') : ending;
  const [head] = document.heads;
  if (head === undefined) return { stem: 'trajectory', extension };
  const source = head.origin?.document_id;
  const stem = source === undefined ? documentIdOf(head) : withoutExtension(source, knownExtensions);
  const isOneAttempt = document.heads.length === 1 && document.container.kind === 'document';
  const attempt = source !== undefined && isOneAttempt ? head.attempt_id : undefined;
  return {
    stem: safeRelativePath(attempt === undefined ? stem : `${stem}.${attempt.replaceAll('/', '_')}`),
    extension,
  };
}
