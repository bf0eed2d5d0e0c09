import type { DocumentRoot } from '../format.ts';
import type { DocumentRun } from './document-run.ts';
import { guardReader } from './guard-reader.ts';
import type { ImportRun } from './import-run.ts';

/** The frame of a document; `undefined` when the reader rejects it. */
export function readFrame(
  run: ImportRun,
  issues: DocumentRun,
  root: DocumentRoot,
): { readonly value: unknown } | undefined {
  const before = issues.errors();
  const value = guardReader(run, issues, '', () => run.reader.frame(root, issues.report));
  if (value !== undefined) return { value };
  if (issues.errors() === before) {
    issues.report(
      'error',
      'core/reader-fault',
      '',
      `the ${run.format.id} reader rejected this document without saying why; please report this`,
    );
  }
  return undefined;
}
