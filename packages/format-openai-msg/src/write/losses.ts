import {
  missingMembers,
  missingTurns,
  type Report,
  type Storyline,
  tellByKind,
} from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import type { RowOutline } from './outline.ts';

/**
 * Names what of a Storyline its rows do not give back (decision G14), by what the reader made of them: no loss is missed and none
 * invented. One issue for each pointer with array positions as `*`.
 */
export function reportRowLosses(
  story: Storyline,
  rows: readonly RowOutline[],
  reread: Storyline | undefined,
  report: Report,
): void {
  const again = reread?.turns ?? [];
  const { missing, moved } = missingTurns(story.turns, again);
  const lost = [...missingMembers(story, reread, ['origin', 'turns']), ...missing];
  if (story.origin !== undefined && story.origin.format !== SOURCE)
    lost.unshift({ pointer: '/origin', pattern: '/origin' });
  if (moved !== undefined) {
    const message = `the ${story.turns.length} turns are read back as ${again.length} (${moved} of them again, with new ids): a row holds one request and one response`;
    report('loss', 'openai-msg/turns-rearranged', '/turns', message);
  }
  tellByKind(lost, (pointer, subject, pattern) => {
    report('loss', 'core/not-expressible', pointer, `${subject} does not come back: ${reasonOf(pattern)}`);
  });
  const responses = again.filter(({ copied, src }) => src === 'agent' && copied !== true);
  const invented = rows.flatMap(({ response, index }, ordinal) =>
    (response.tool_calls ?? []).length === 0 && responses[ordinal]?.tool_calls !== undefined
      ? [{ pointer: `/turns/${index}`, pattern: '/turns/*' }]
      : [],
  );
  tellByKind(invented, (pointer, subject) => {
    const message = `${subject} makes no call, but its text spells one, which is read back as a call`;
    report('loss', 'openai-msg/text-spells-call', pointer, message);
  });
}

function reasonOf(pattern: string): string {
  if (/\/prompt(\/|$)/.test(pattern)) return 'prompts are read back as turns';
  if (/^\/turns\/\*\/(observation|tool_calls\/\*\/result)(\/|$)/.test(pattern))
    return 'a result is read in the row after its call; behind the last response there is no row';
  if (pattern === '/turns/*/msg') return 'a text of content parts is written as parts';
  if (pattern === '/turns/*/id') return 'turn ids are counted from the steps of the rows';
  if (pattern === '/turns/*/kind') return 'a kind is told from role and calls';
  return 'rows have no place for it';
}
