import {
  type AlignmentRun,
  type Change,
  DEFAULT_VOLATILE,
  diffStorylines,
  type StorylineDiff,
} from '@pchronicle/storyline-core';
import type { CompareOptions } from '../commands/compare-options.ts';
import type { Subject } from './read-side.ts';

/** Compares two trajectories as the options say. Skipped turns count as equal; both sides have as many. */
export function compareSubjects(left: Subject, right: Subject, options: CompareOptions): StorylineDiff {
  const ignore = [...(options.ignoreDefaults ? DEFAULT_VOLATILE : []), ...(options.ignore ?? [])];
  const diff = diffStorylines(left.storyline, right.storyline, { profile: options.profile, ignore });
  return left.skipped === 0 ? diff : shifted(diff, left.skipped);
}

/** The comparison as it would be with the skipped turns in front. */
function shifted(diff: StorylineDiff, by: number): StorylineDiff {
  const moved = diff.alignment.map(
    (run): AlignmentRun => ({
      ...run,
      left: run.left + by,
      right: run.right + by,
      ...(run.changes === undefined
        ? {}
        : { changes: run.changes.map((change) => shiftedChange(change, by)) }),
    }),
  );
  const [head, ...rest] = moved;
  const alignment: readonly AlignmentRun[] =
    head?.kind === 'equal'
      ? [{ ...head, left: 0, right: 0, count: head.count + by }, ...rest]
      : [{ kind: 'equal', left: 0, right: 0, count: by }, ...moved];
  const { first } = diff;
  return {
    ...diff,
    alignment,
    counts: { ...diff.counts, equal: diff.counts.equal + by },
    ...(first === undefined
      ? {}
      : {
          first: {
            ...first,
            left: first.left + by,
            right: first.right + by,
            changes: first.changes.map((change) => shiftedChange(change, by)),
          },
        }),
  };
}

function shiftedChange(change: Change, by: number): Change {
  return {
    ...change,
    pointer: change.pointer.replace(/^\/turns\/(\d+)/, (_, at: string) => `/turns/${Number(at) + by}`),
  };
}
