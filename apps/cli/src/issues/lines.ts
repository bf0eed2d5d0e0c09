import type { Severity } from '@pchronicle/storyline-core';
import { formatCount } from '../terminal/numbers.ts';
import type { Style } from '../terminal/style.ts';
import { issueLine } from './place.ts';
import type { IssueTally } from './tally.ts';

const WORDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  loss: 'loss',
  info: 'note',
};

/** A tally as lines for a person, gravest first: each kept issue, then how many more like it there were. */
export function* tallyLines(
  tally: IssueTally,
  style: Style,
  severities: readonly Severity[] = ['error', 'warning', 'loss', 'info'],
): Generator<string> {
  for (const group of tally.groups()) {
    if (!severities.includes(group.severity)) continue;
    const word = WORDS[group.severity];
    for (const issue of group.examples) yield `${style[group.severity](word)}: ${issueLine(issue)}`;
    const more = group.count - group.examples.length;
    if (more > 0) yield style.faint(`  … and ${formatCount(more)} more ${group.code}`);
  }
}
