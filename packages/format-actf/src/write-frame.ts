import type { Report, StorylineHead } from '@pchronicle/storyline-core';
import { agree } from './agree.ts';
import { attemptIdOf, sourceIdOf, taskIdOf } from './attempt-ids.ts';
import type { ActfFrame, ActfRoot } from './document.ts';
import { isBlank } from './emptiness.ts';
import { checkRoot } from './frame.ts';
import { ACTF } from './leftovers.ts';
import { refuse } from './refuse.ts';
import { restoreRoot, writeRoot } from './write-root.ts';

/**
 * Makes the root of the document for these Storylines (decision A10). `undefined` after an error: `actf/no-storylines`,
 * `actf/missing-attempt-id`, `actf/duplicate-attempt-id`, `actf/different-runs`, `actf/different-source-documents`,
 * `actf/conflicting-values`, `actf/residual-conflict`, `actf/not-writable`.
 */
export function writeFrame(heads: readonly StorylineHead[], report: Report): ActfFrame | undefined {
  let failed = false;
  const noticed: Report = (severity, ...rest) => {
    failed ||= severity === 'error';
    report(severity, ...rest);
  };
  const [first] = heads;
  if (first === undefined) {
    report(
      'error',
      'actf/no-storylines',
      '',
      'there is no Storyline; an ACTF document needs at least one attempt',
    );
    return undefined;
  }
  checkIds(heads, noticed);
  agree(heads, taskIdOf, 'actf/different-runs', '/run', 'run', noticed);
  agree(
    heads,
    sourceIdOf,
    'actf/different-source-documents',
    `/unknown_fields/sources/${ACTF}/source_document_id`,
    'source document',
    noticed,
  );
  const { root, defaults } = writeRoot(heads, noticed);
  restoreRoot(root, heads, defaults, noticed);
  if (failed) return undefined;
  checkRoot(root, heads.map(attemptIdOf), refuse(noticed));
  return failed ? undefined : { root: root as ActfRoot, attempts: heads.length, defaults };
}

function checkIds(heads: readonly StorylineHead[], report: Report): void {
  const ids = new Set<string>();
  for (const head of heads) {
    const id = attemptIdOf(head);
    const story = `the Storyline of session ${JSON.stringify(head.session)}`;
    if (heads.length > 1 && isBlank(head.attempt_id)) {
      const message = `${story} has no attempt_id; each attempt of a document with ${heads.length} of them needs one`;
      report('error', 'actf/missing-attempt-id', '/attempt_id', message);
    } else if (ids.has(id)) {
      const message = `${story} has the attempt_id ${JSON.stringify(id)} of another one; each attempt of a document needs its own`;
      report('error', 'actf/duplicate-attempt-id', '/attempt_id', message);
    }
    ids.add(id);
  }
}
