import { IssueError } from '../issue.ts';
import type { DocumentRun } from './document-run.ts';
import type { ImportRun } from './import-run.ts';

/** Wraps what broke outside of the reader while it pulled values: broken I/O must not be taken for its fault. */
export class InputBroke extends Error {}

/**
 * Calls a reader. What it throws is a bug of the reader and becomes an error of the document, so that the neighbours go on;
 * an IssueError is taken as its issues. Broken I/O goes through.
 */
export function guardReader<T>(
  run: ImportRun,
  issues: DocumentRun,
  pointer: string,
  call: () => T,
): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof InputBroke) throw error.cause;
    if (error instanceof IssueError) {
      for (const issue of error.issues)
        issues.report(issue.severity, issue.code, issue.at.pointer, issue.message);
    }
    if (!(error instanceof IssueError) || error.issues.length === 0) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const message = `the ${run.format.id} reader failed on this (${text}); this is a bug, please report it`;
      issues.report('error', 'core/reader-fault', pointer, message);
    }
    return undefined;
  }
}
