import {
  missingMembers,
  type Patterned,
  type Report,
  type Storyline,
  type Turn,
  tellByKind,
} from '@pchronicle/storyline-core';

/**
 * Reports what of a Storyline does not come back from the artifact written for it (decision G14), by comparing it with its rereading:
 * one loss a kind of place. What the reader adds is no loss.
 */
export function reportLosses(storyline: Storyline, reread: Storyline, own: boolean, report: Report): void {
  tellByKind(missing(storyline, reread, own), (pointer, subject, pattern) => {
    const why =
      pattern === '/turns'
        ? 'some turns become several events, or one does not come back'
        : 'an artifact has no place for it';
    report('loss', 'forkline/not-expressible', pointer, `${subject} does not come back as it is: ${why}`);
  });
}

function* missing(storyline: Storyline, reread: Storyline, own: boolean): Generator<Patterned> {
  const isRearranged = storyline.turns.length !== reread.turns.length;
  // Where an artifact of ours comes from does not change; the version in its origin was migrated.
  yield* missingMembers(storyline, reread, [...(own ? ['origin'] : []), ...(isRearranged ? ['turns'] : [])]);
  if (isRearranged) {
    yield { pointer: '/turns', pattern: '/turns' };
    yield* unusedMembers(storyline.turns);
  }
}

/** Members of a turn that no event has a place for, whatever becomes of the turn. */
const UNUSED = [
  'kind',
  'finished_at',
  'reason',
  'effort',
  'nllm',
  'latency_ms',
  'ttft_ms',
  'copied',
  'prompt',
] as const;

function* unusedMembers(turns: readonly Turn[]): Generator<Patterned> {
  for (const [index, turn] of turns.entries())
    for (const key of UNUSED)
      if (turn[key] !== undefined) yield { pointer: `/turns/${index}/${key}`, pattern: `/turns/*/${key}` };
}
