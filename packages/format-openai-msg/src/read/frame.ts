import { type DocumentRoot, getOwn, isJsonArray, type Report } from '@pchronicle/storyline-core';
import { ROWS_MEMBER } from '../keys.ts';
import type { Frame } from './part.ts';

/** Checks the root of a document. Its path must be relative and made of plain names, since it becomes `origin.document_id` (RFC-0009, constants). */
export function readFrame(document: DocumentRoot, report: Report): Frame | undefined {
  const { root, source } = document;
  let failed = false;
  if (!isPlainPath(source)) {
    failed = true;
    report(
      'error',
      'openai-msg/unsafe-path',
      '',
      `the source path ${JSON.stringify(source)} names the document; a relative path without "." and ".." is expected`,
    );
  }
  const member = getOwn(root, ROWS_MEMBER);
  if (member !== undefined && !(isJsonArray(member) && member.length === 0)) {
    failed = true;
    report(
      'error',
      'openai-msg/rows-not-list',
      `/${ROWS_MEMBER}`,
      `${ROWS_MEMBER} holds no list; a list of rows is expected`,
    );
  } else if (document.count === 0) {
    failed = true;
    report(
      'error',
      'openai-msg/no-rows',
      member === undefined ? '' : `/${ROWS_MEMBER}`,
      `the document is empty: there is no row in ${ROWS_MEMBER}, an array or lines; at least one is expected`,
    );
  }
  return failed ? undefined : { root, source };
}

/** The empty path is that of a document without a file. */
function isPlainPath(path: string): boolean {
  if (path === '') return true;
  return (
    !/^[A-Za-z]:/.test(path) &&
    path.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
