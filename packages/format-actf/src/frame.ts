import {
  appendPointer,
  compareNumbers,
  type DocumentRoot,
  describeJson,
  getOwn,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { checkShape } from './check-shape.ts';
import type { ActfFrame, ActfRoot } from './document.ts';
import { isBlank, isVoid } from './emptiness.ts';
import { ROOT } from './shapes.ts';

/**
 * Checks the root of a document and its attempt ids (RFC-0004, validation): errors of {@link checkShape}, `actf/no-attempts`,
 * `actf/attempts-tried`. After an error nothing but {@link decodeAttempt}, which does not look at the root, may be given the frame.
 */
export function readFrame({ root, keys }: DocumentRoot, report: Report): ActfFrame {
  checkRoot(root, keys, report);
  return { root: root as ActfRoot, attempts: keys.length };
}

/** The same check over a root and the ids of its attempts. */
export function checkRoot(root: JsonObject, ids: readonly string[], report: Report): boolean {
  let fine = checkShape(root, ROOT, '', report);
  const misplaced = getOwn(root, 'attempts');
  if (ids.length === 0) {
    const found = misplaced === undefined ? 'missing' : isVoid(misplaced) ? 'empty' : describeJson(misplaced);
    const message = `attempts is ${found}; an object with at least one attempt is expected`;
    report('error', 'actf/no-attempts', misplaced === undefined ? '' : '/attempts', message);
    return false;
  }
  for (const id of ids) {
    if (!isBlank(id)) continue;
    const message = `the attempt id is ${describeJson(id)}; a key of attempts that is not blank is expected`;
    report('error', 'actf/blank-text', appendPointer('/attempts', id), message);
    fine = false;
  }
  if (!fine) return false;
  const { attempts_tried: tried, k } = root as ActfRoot;
  if (compareNumbers(tried, ids.length) !== 0) {
    const message = `attempts_tried is ${tried}, but the document has ${ids.length} attempts; the two must be equal`;
    report('error', 'actf/attempts-tried', '/attempts_tried', message);
    fine = false;
  }
  if (compareNumbers(tried, k) > 0) {
    const message = `attempts_tried is ${tried} and k is ${k}; no more than k attempts are allowed`;
    report('error', 'actf/attempts-tried', '/attempts_tried', message);
    fine = false;
  }
  return fine;
}
