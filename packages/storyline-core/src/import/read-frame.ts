import type { DocumentRoot } from '../format.ts';
import type { JsonObject } from '../json/value.ts';
import type { DocumentRun } from './document-run.ts';
import { guardReader } from './guard-reader.ts';
import type { ImportRun } from './import-run.ts';

/** A frame, and whether its document is rejected all the same: its records are only checked then. */
export interface ReadFrame {
  readonly value: unknown;
  readonly broken: boolean;
}

/** The frame of a document; `undefined` when the reader rejects it without one. */
export function readFrame(run: ImportRun, issues: DocumentRun, root: DocumentRoot): ReadFrame | undefined {
  const before = issues.errors();
  const value = guardReader(run, issues, '', () => run.reader.frame(root, issues.report));
  if (value !== undefined) return { value, broken: issues.errors() > before };
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

/** The frame of a document of rows. */
export function readRowsFrame(
  run: ImportRun,
  issues: DocumentRun,
  where: 'member' | 'array' | 'lines',
  groups: readonly { readonly key: string | undefined }[],
  count: number,
  root: JsonObject = {},
): ReadFrame | undefined {
  const keys = groups.flatMap(({ key }) => (key === undefined ? [] : [key]));
  return readFrame(run, issues, {
    root,
    keys,
    groups: groups.length,
    count,
    in: where,
    source: run.name,
    at: issues.at,
  });
}
