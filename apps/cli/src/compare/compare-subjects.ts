import { DEFAULT_VOLATILE, diffStorylines, type StorylineDiff } from '@pchronicle/storyline-core';
import type { CompareOptions } from '../commands/compare-options.ts';
import type { Subject } from './read-side.ts';

/** Compares two trajectories as the options say. */
export function compareSubjects(left: Subject, right: Subject, options: CompareOptions): StorylineDiff {
  const ignore = [...(options.ignoreDefaults ? DEFAULT_VOLATILE : []), ...(options.ignore ?? [])];
  return diffStorylines(left.storyline, right.storyline, { profile: options.profile, ignore });
}
