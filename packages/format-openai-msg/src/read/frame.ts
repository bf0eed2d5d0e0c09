import { type DocumentRoot, failures, getOwn, isJsonArray, type Report } from '@pchronicle/storyline-core';
import { ROWS_MEMBER } from '../keys.ts';
import type { Frame } from './part.ts';

/** Checks the root of a document. Its path must be relative and made of plain names, since it becomes `origin.document_id` (RFC-0009, constants). */
export function readFrame({ root, source, count }: DocumentRoot, report: Report): Frame | undefined {
  const { fail, failed } = failures(report);
  if (!isPlainPath(source)) {
    const message = `the source path is ${JSON.stringify(source)}; a relative one of plain names is expected`;
    fail('openai-msg/unsafe-path', '', message);
  }
  const rows = getOwn(root, ROWS_MEMBER);
  const at = `/${ROWS_MEMBER}`;
  if (rows !== undefined && !(isJsonArray(rows) && rows.length === 0))
    fail('openai-msg/rows-not-list', at, `${ROWS_MEMBER} holds no list`);
  else if (count === 0) {
    const message = `the document is empty: no rows in ${ROWS_MEMBER}`;
    fail('openai-msg/no-rows', rows === undefined ? '' : at, message);
  }
  return failed() ? undefined : { root, source };
}

/** The empty path is that of a document without a file. */
function isPlainPath(path: string): boolean {
  return path === '' || !/^[A-Za-z]:|(^|[/\\])\.{0,2}([/\\]|$)/.test(path);
}
