import { appendPointer } from '@pchronicle/storyline-core';
import type { Tally } from '../tally.ts';
import { previousOf, type Round } from './rounds.ts';

/** Reports rows that continue a row which is not here: a page between two is missing, or an older one. The store never leaves such a row. */
export function reportMissing(rounds: readonly Round[], found: Tally): void {
  const ids = new Set(rounds.map(({ id }) => id));
  for (const round of rounds) {
    const previous = previousOf(round);
    if (previous === null || ids.has(previous)) continue;
    found.add(
      'warning',
      'ankole/missing-row',
      appendPointer(round.pointer, round.shape === 'row' ? 'previous_message_id' : 'previous_response_id'),
      `this continues the row ${JSON.stringify(previous.slice(0, 80))}, which is not here; a page may be missing`,
    );
  }
}
