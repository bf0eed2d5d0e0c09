import {
  callsInText,
  type Json,
  memberOf,
  missingMembers,
  missingTurns,
  type Patterned,
  type Report,
  type Storyline,
  type Turn,
  tellByKind,
} from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import { decodeContent } from '../message/content.ts';
import { resultsOf } from './messages.ts';
import type { RowOutline } from './outline.ts';

/**
 * Names what of a Storyline its rows do not give back (decision G14), by what the reader made of them: no loss is missed and none
 * invented. One issue for each pointer with array positions as `*`; a result that no row has by itself, those behind the last response with
 * their turn.
 */
export function reportRowLosses(
  story: Storyline,
  rows: readonly RowOutline[],
  reread: Storyline | undefined,
  report: Report,
): void {
  const again = reread?.turns ?? [];
  const { missing, moved } = missingTurns(story.turns, again);
  const answered = new Set(again.flatMap(resultsOf).map(callOf));
  const isFound = (result: Json): boolean => answered.has(callOf(result));
  const last = rows[rows.length - 1]?.index ?? 0;
  // Any turn of a place is one before the last response.
  const results: Patterned[] = [];
  for (const [index, turn] of story.turns.entries())
    for (const [at, result] of resultsOf(turn).entries()) {
      const list = (turns: number | string): string => `/turns/${turns}/observation/results/`;
      if (!isFound(result))
        results.push({ pointer: list(index) + at, pattern: `${list(index < last ? '*' : index)}*` });
    }
  /** Whether a place holds something besides results that are told one by one. */
  const isOpen = ({ pointer }: Patterned): boolean => {
    const [, index, , only] = RESULTS.exec(pointer) ?? [];
    const all = index === undefined ? [] : resultsOf(story.turns[Number(index)] as Turn);
    return all.length === 0 || all.some((result, at) => Number(only ?? at) === at && isFound(result));
  };
  const lost = [...missingMembers(story, reread, ['origin', 'turns']), ...results, ...missing.filter(isOpen)];
  if ((story.origin?.format ?? SOURCE) !== SOURCE) lost.unshift({ pointer: '/origin', pattern: '/origin' });
  if (moved !== undefined) {
    const message = `the ${story.turns.length} turns are read back as ${again.length}: a row holds one request and one response`;
    report('loss', 'openai-msg/turns-rearranged', '/turns', message);
  }
  tellByKind(lost, (pointer, subject, pattern) => {
    report('loss', 'core/not-expressible', pointer, `${subject} does not come back: ${reasonOf(pattern)}`);
  });
  const invented = rows.flatMap(({ response: { msg, tool_calls: calls = [] }, index }) =>
    calls.length === 0 && callsInText(decodeContent(msg)).length > 0
      ? [{ pointer: `/turns/${index}`, pattern: '/turns/*' }]
      : [],
  );
  tellByKind(invented, (pointer, subject) => {
    const message = `${subject} makes no call, but its text reads as one`;
    report('loss', 'openai-msg/text-spells-call', pointer, message);
  });
}

/** A place where a turn has results. */
const RESULTS = /^\/turns\/(\d+)\/observation(\/results\/(\d+))?/;

function reasonOf(pattern: string): string {
  if (/\/prompt(\/|$)/.test(pattern)) return 'prompts are read back as turns';
  if (RESULTS.test(pattern)) return 'no row follows the last response';
  if (pattern === '/turns/*/observation/results/*') return 'it names no call before it';
  if (/^\/turns\/\*\/(observation|tool_calls\/\*\/result)/.test(pattern))
    return 'a result is read in the next row, if there is one';
  if (pattern === '/turns/*/msg') return 'a text of content parts is written as parts';
  if (pattern === '/turns/*/id') return 'turn ids are counted from the steps of the rows';
  if (pattern === '/turns/*/kind') return 'a kind is told from role and calls';
  return 'rows have no place for it';
}

function callOf(result: Json): Json | undefined {
  return memberOf(result, 'source_call_id');
}
