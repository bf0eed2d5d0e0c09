import { appendPointer } from '@pchronicle/storyline-core';
import type { Tally } from '../tally.ts';
import { conversationOf, previousOf, type Round } from './round.ts';

/**
 * Reports rows that continue a row which is not here (a page between two is missing, or an older one: the store never leaves such a row), and
 * rows that continue each other in a circle. Each row is looked at once.
 */
export function reportChainFaults(rounds: readonly Round[], found: Tally): void {
  const byId = new Map(rounds.map((round) => [round.id, round]));
  /** By row, the walk that came by first. */
  const walks = new Map<string, number>();
  rounds.forEach((start, walk) => {
    let round = start;
    while (!walks.has(round.id)) {
      walks.set(round.id, walk);
      const previous = previousOf(round);
      if (previous === null) return;
      const next = byId.get(previous);
      if (next === undefined) {
        found.add(
          'warning',
          'ankole/missing-row',
          anchorOf(round),
          whyMissing(round, JSON.stringify(previous.slice(0, 80))),
        );
        return;
      }
      if (walks.get(previous) === walk)
        found.add(
          'warning',
          'ankole/chain-cycle',
          anchorOf(round),
          `this continues the row ${JSON.stringify(previous.slice(0, 80))}, which continues this one: the rows form a circle`,
        );
      round = next;
    }
  });
}

function whyMissing(round: Round, previous: string): string {
  const isNamed = conversationOf(round) !== undefined;
  if (round.shape === 'row')
    return `this continues the row ${previous}, which is not here; a page may be missing (pages are joined when they are given together)`;
  return `this continues the Response ${previous}, which is not here${isNamed ? ', or is one of another conversation' : '; it names no conversation, so nothing else joins the two'}`;
}

function anchorOf({ pointer, shape }: Round): string {
  return appendPointer(pointer, shape === 'row' ? 'previous_message_id' : 'previous_response_id');
}
