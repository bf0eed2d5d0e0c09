import type { Issue } from '@pchronicle/storyline-core';
import type { Outgoing } from './writing.ts';

/** An issue of writing with its place in the whole command: numbered over all batches, and with the input that its Storyline came from. */
export function placed(issue: Issue, out: Outgoing | undefined): Issue {
  const { record } = issue.at;
  if (out === undefined || record === undefined) return issue;
  const source = issue.at.source ?? out.batch.sourceOf(record - 1);
  return {
    ...issue,
    at: { ...(source === undefined ? {} : { source }), ...issue.at, record: record + out.before },
  };
}
