import { arbitraryStoryline } from '@pchronicle/conformance';
import { describeFormat } from '@pchronicle/conformance/vitest';
import { getOwn, type Storyline } from '@pchronicle/storyline-core';
import { normaliseOpenaiMessages, openaiMessages } from '../src/index.ts';
import { arbitraryRows } from './support/arbitrary-rows.ts';
import { readCases, textOf } from './support/cases.ts';

const [first, ...samples] = readCases('conformance')
  .filter((one) => ['import', 'roundtrip'].includes(textOf(one, 'op')))
  .map((one) => getOwn(one, 'input') ?? null)
  .map((input, index) => ({
    name: `case ${index}`,
    document: Array.isArray(input) ? { session_steps: input } : input,
  }));
if (first === undefined) throw new Error('there are no samples');

function answersOnce(story: Storyline): boolean {
  return story.turns.some(
    (turn) =>
      turn.src === 'agent' &&
      turn.copied !== true &&
      ((typeof turn.msg === 'string' && /^[a-z]/i.test(turn.msg)) || (turn.tool_calls ?? []).length > 0),
  );
}

describeFormat(openaiMessages, {
  samples: [first, ...samples],
  documents: arbitraryRows('any'),
  normalise: normaliseOpenaiMessages,
  // One without an agent turn that says something gives no row at all.
  storylines: arbitraryStoryline({ turnIds: 'increasing' }).filter(answersOnce),
  numRuns: Number(process.env.RUNS ?? 50),
});
