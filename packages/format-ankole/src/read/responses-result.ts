import { appendPointer, getOwn, type JsonObject } from '@pchronicle/storyline-core';
import { unwrapOutput } from '../encoded/envelope.ts';
import { textOf, without } from '../members.ts';
import { type FamilyItem, outcomeKeyOf } from '../provider/families.ts';
import type { Tally } from '../tally.ts';
import { kept } from './kept-item.ts';
import { blankTurn, type Draft } from './parts.ts';

/** The result of a call; one that the members of a result would hide is kept whole. */
export function readResult(
  item: JsonObject,
  { family, id, idKey, scope }: FamilyItem,
  pointer: string,
  found: Tally,
): Draft {
  const literal = id === '' ? undefined : id;
  const type = textOf(item, 'type');
  // A few have their outcome in their status alone.
  const outcome = [outcomeKeyOf(type ?? ''), 'output'].find((key) => Object.hasOwn(item, key));
  const output = outcome === undefined ? null : (getOwn(item, outcome) ?? null);
  const unwrapped =
    typeof output === 'string' && !Object.hasOwn(item, 'envelope') ? unwrapOutput(output) : undefined;
  if (unwrapped !== undefined)
    found.add(
      'info',
      'ankole/unwrapped-output',
      appendPointer(pointer, 'output'),
      'the output stands in the pseudo tag that rows of before August 2026 have; it was taken off, and comes back',
    );
  const result = {
    ...(type === 'function_call_output' ? {} : { type: type ?? null }),
    content: unwrapped?.text ?? output,
    ...(unwrapped === undefined ? {} : { envelope: unwrapped.envelope }),
    ...without(
      item,
      'type',
      ...(outcome === undefined ? [] : [outcome]),
      ...(literal === undefined ? [] : [idKey]),
    ),
  };
  // `content` is the result's own name for its output: a member of that name would hide it.
  if (Object.hasOwn(item, 'content') || Object.hasOwn(item, 'source_call_id')) return kept(item);
  const turn = blankTurn('tool');
  turn.observation = { results: [result] };
  const draft = { result, literal, pointer: appendPointer(pointer, idKey), scope, family };
  return { turn, calls: [], results: [draft] };
}
