import type { StorylineDiff } from '@pchronicle/storyline-core';
import { countOf, formatCount } from '../terminal/numbers.ts';

/** One line about a comparison: `turn 5: extra · 9 equal, 2 inserted`. */
export function verdict(diff: StorylineDiff): string {
  if (diff.equal) return `equal, ${countOf(diff.counts.equal, 'turn')}`;
  const parts = [countsInWords(diff)];
  if (diff.head.length > 0) parts.push(`${countOf(diff.head.length, 'difference')} outside the turns`);
  return [whereInWords(diff), parts.filter((part) => part !== '').join(', ')]
    .filter((part) => part !== '')
    .join(' · ');
}

/** `turn 5: output at /turns/4/msg`: the first divergence, turns counted from 1 on the left (on the right for an extra one). */
export function whereInWords({ first, head }: StorylineDiff): string {
  if (first === undefined)
    return head[0] === undefined ? '' : `outside the turns at ${head[0].pointer || 'the root'}`;
  const turn = formatCount((first.class === 'extra' ? first.right : first.left) + 1);
  const what = first.kind === 'moved' ? 'moved' : first.class;
  return first.kind === 'changed'
    ? `turn ${turn}: ${what} at ${first.changes[0]?.pointer ?? ''}`
    : `turn ${turn}: ${what}`;
}

/** `9 equal, 2 inserted`. */
export function countsInWords({ counts }: StorylineDiff): string {
  return (['equal', 'changed', 'removed', 'inserted', 'moved'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${formatCount(counts[kind])} ${kind}`)
    .join(', ');
}
