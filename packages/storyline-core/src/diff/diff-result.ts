import type { Json } from '../json/value.ts';
import type { EqualityProfile } from './profile.ts';

/** One difference between two JSON values. `pointer` is RFC 6901 into the left Storyline (for `add`: into the right one). */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  readonly pointer: string;
  /** The value on the left; absent for `add`. */
  readonly left?: Json;
  /** The value on the right; absent for `remove`. */
  readonly right?: Json;
}

/**
 * What a divergence is about, the first that applies: `missing` (a turn only on the left), `extra` (only on the right), then for two turns
 * that stand for each other `operation` (who acts, or which tools are called), `input` (prompt, request or arguments), `error`, `output`.
 */
export type DivergenceClass = 'missing' | 'extra' | 'operation' | 'input' | 'error' | 'output';

/**
 * One run of the alignment; `left` and `right` are turn positions (0-based), `count` turns each.
 *
 * - `equal`: turns that agree but for volatile fields.
 * - `changed`: always one turn; stand for each other but differ.
 * - `removed`: only on the left; `right` is where they would stand.
 * - `inserted`: only on the right; `left` is where they would stand.
 * - `moved`: the same turns at another place: `left` there, `right` here.
 *
 * `repeats` marks removed or inserted turns that say again what the `count` turns before them on their side say (a retry).
 */
export interface AlignmentRun {
  readonly kind: 'equal' | 'changed' | 'removed' | 'inserted' | 'moved';
  readonly left: number;
  readonly right: number;
  readonly count: number;
  readonly repeats?: true;
  /** For `changed`: the class and the differences. */
  readonly class?: DivergenceClass;
  readonly changes?: readonly Change[];
}

/** The first place where two Storylines part. */
export interface Divergence {
  readonly class: DivergenceClass;
  readonly kind: Exclude<AlignmentRun['kind'], 'equal'>;
  /** Turn positions; for `missing` and `extra` the other side's position is where the turn would stand. */
  readonly left: number;
  readonly right: number;
  /** Never empty. */
  readonly changes: readonly Change[];
}

/** The whole comparison of two Storylines. */
export interface StorylineDiff {
  readonly equal: boolean;
  readonly profile: EqualityProfile;
  /** The patterns that were left out of the comparison. */
  readonly ignored: readonly string[];
  /** Differences outside the turns: task, prompt, agent … */
  readonly head: readonly Change[];
  /** Runs in order; together they cover every turn of both sides exactly once. */
  readonly alignment: readonly AlignmentRun[];
  /** Turns by kind, over the whole alignment. */
  readonly counts: { readonly [kind in AlignmentRun['kind']]: number };
  /** Where the turns part first; absent when only the head differs or nothing does. */
  readonly first?: Divergence;
}
