import type { JsonObject } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import { alignSequences } from './align-sequences.ts';
import { buildAlignment } from './build-alignment.ts';
import { comparator } from './comparable.ts';
import type { AlignmentRun, Divergence, StorylineDiff } from './diff-result.ts';
import { listChanges } from './list-changes.ts';
import { type FacetTexts, likeness } from './pair-changed.ts';
import { type EqualityProfile, identityText } from './profile.ts';
import { slideGaps } from './slide-gaps.ts';
import { classifyPair, facetsOf } from './turn-facets.ts';
import { DEFAULT_VOLATILE } from './volatile.ts';

/** How {@link diffStorylines} compares. */
export interface DiffOptions {
  /** Default `typed`. */
  readonly profile?: EqualityProfile;
  /** Pointers to leave out (`*` stands for any position or key); default {@link DEFAULT_VOLATILE}. Texts that are no pointers are ignored. */
  readonly ignore?: readonly string[];
}

/**
 * Compares two Storylines of any format: aligns their turns, finds removed, inserted, repeated, moved and changed ones, and says
 * where and how they part first. Neither side is changed. Time grows with the length and with the square of a bounded number of edits only.
 */
export function diffStorylines(left: Storyline, right: Storyline, options: DiffOptions = {}): StorylineDiff {
  const profile = options.profile ?? 'typed';
  const ignored = options.ignore ?? DEFAULT_VOLATILE;
  const compare = comparator(ignored);
  const head = listChanges(compare.head(left), compare.head(right), '', profile);

  const ids = new Map<string, number>();
  const idsOf = (storyline: Storyline): Int32Array =>
    Int32Array.from(storyline.turns, (turn) => {
      const text = identityText(compare.turn(turn), profile);
      const known = ids.get(text);
      if (known !== undefined) return known;
      ids.set(text, ids.size);
      return ids.size - 1;
    });
  const leftIds = idsOf(left);
  const rightIds = idsOf(right);
  const turnAt = (storyline: Storyline, at: number): JsonObject => {
    const turn = storyline.turns[at];
    return turn === undefined ? {} : compare.turn(turn);
  };
  const texts = facetTexts(profile);
  const matches = slideGaps(alignSequences(leftIds, rightIds), leftIds, rightIds);
  const runs = buildAlignment(matches, {
    left: leftIds,
    right: rightIds,
    likeness: (l, r) =>
      likeness(
        texts('left', l, () => turnAt(left, l)),
        texts('right', r, () => turnAt(right, r)),
      ),
  });
  const alignment = runs.map(
    (run): AlignmentRun =>
      run.kind === 'changed'
        ? { ...run, ...classifyPair(turnAt(left, run.left), turnAt(right, run.right), run.left, profile) }
        : run,
  );
  const first = firstDivergence(alignment, left, right);
  return {
    equal: head.length === 0 && first === undefined,
    profile,
    ignored,
    head,
    alignment,
    counts: countTurns(alignment),
    ...(first === undefined ? {} : { first }),
  };
}

/** Facet texts of turns, made once each. */
function facetTexts(profile: EqualityProfile) {
  const cache = new Map<string, FacetTexts>();
  return (side: 'left' | 'right', at: number, turn: () => JsonObject): FacetTexts => {
    const key = `${side}${at}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const value = turn();
    const { operation, input, error, output } = facetsOf(value);
    const made: FacetTexts = {
      src: String(value.src),
      operation: identityText(operation, profile),
      input: identityText(input, profile),
      error: identityText(error, profile),
      output: identityText(output, profile),
    };
    cache.set(key, made);
    return made;
  };
}

function firstDivergence(
  alignment: readonly AlignmentRun[],
  left: Storyline,
  right: Storyline,
): Divergence | undefined {
  const run = alignment.find((candidate) => candidate.kind !== 'equal');
  if (run === undefined || run.kind === 'equal') return undefined;
  const { kind, left: l, right: r } = run;
  const gone = {
    op: 'remove' as const,
    pointer: `/turns/${l}`,
    left: left.turns[l] as unknown as JsonObject,
  };
  const come = { op: 'add' as const, pointer: `/turns/${r}`, right: right.turns[r] as unknown as JsonObject };
  if (kind === 'changed')
    return { class: run.class ?? 'output', kind, left: l, right: r, changes: run.changes ?? [] };
  if (kind === 'removed') return { class: 'missing', kind, left: l, right: r, changes: [gone] };
  if (kind === 'inserted') return { class: 'extra', kind, left: l, right: r, changes: [come] };
  return { class: 'operation', kind, left: l, right: r, changes: [gone, come] };
}

function countTurns(alignment: readonly AlignmentRun[]): StorylineDiff['counts'] {
  const counts = { equal: 0, changed: 0, removed: 0, inserted: 0, moved: 0 };
  for (const run of alignment) counts[run.kind] += run.count;
  return counts;
}
