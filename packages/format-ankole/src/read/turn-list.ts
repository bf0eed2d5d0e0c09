import {
  getOwn,
  type JsonObject,
  type ResidualBuilder,
  setOwn,
  type ToolCall,
} from '@pchronicle/storyline-core';
import { objectOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { type DraftRow, linearRows, pairResults } from './pair-results.ts';
import type { Draft, DraftCall, DraftResult, MutableCall, MutableTurn } from './parts.ts';

/**
 * Gives turns their numbers, calls their ids and results the call they answer (decision G11): literal ids are reserved first, the first
 * call of an id keeps it, a later one gets `@{turn id}` appended. Where an id differs from the source's, that is kept as a residual. A
 * result whose call is not on its chain keeps the source's reference.
 */
export function finishTurns(
  drafts: readonly Draft[],
  residual: ResidualBuilder,
  found: Tally,
  rows: readonly DraftRow[] = linearRows(drafts),
): readonly MutableTurn[] {
  const taken = new Set<string>();
  for (const { calls } of drafts)
    for (const { literal } of calls) if (literal !== undefined) taken.add(literal);
  const given = new Set<string>();
  /** Scopes and families in which an id was used. */
  const used = new Set<string>();
  drafts.forEach(({ turn, calls }, index) => {
    turn.id = index + 1;
    calls.forEach((draft, position) => {
      const id = freeId(draft, turn.id as number, position, taken, given);
      given.add(id);
      draft.call.tcid = id;
      if (draft.own !== undefined) draft.own.source_call_id = id;
      const { literal } = draft;
      if (literal === undefined) return;
      const isRepeated = literal !== '' && used.has(useKey(draft, literal));
      used.add(useKey(draft, literal));
      if (literal === id) return;
      if (isRepeated) draft.call.extra = withSourceId(draft.call, literal);
      else residual.add(draft.pointer, literal);
      if (literal !== '') {
        const message = `the call id ${JSON.stringify(literal.slice(0, 80))} was used before; this call is ${JSON.stringify(id.slice(0, 100))} in the Storyline`;
        found.add('info', 'ankole/repeated-call-id', draft.pointer, message);
      }
    });
  });
  const answered = pairResults(rows);
  for (const { results } of drafts)
    for (const draft of results) nameCall(draft, answered.get(draft)?.call, residual, found);
  return drafts.map(({ turn }) => turn);
}

/** Puts into a result which call it answers. */
function nameCall(
  { literal, result, pointer }: DraftResult,
  call: MutableCall | undefined,
  residual: ResidualBuilder,
  found: Tally,
): void {
  if (call !== undefined) {
    if (literal !== undefined && sourceIdOf(call) !== literal) residual.add(pointer, literal);
    setOwn(result, 'source_call_id', call.tcid);
  } else if (literal === undefined)
    found.add('warning', 'ankole/result-without-id', pointer, 'this result names no call; it is kept');
  else {
    const message = `the result for ${JSON.stringify(literal.slice(0, 80))} answers no call before it; it is kept`;
    found.add('info', 'ankole/orphan-result', pointer, message);
    setOwn(result, 'source_call_id', literal);
  }
}

/** The id that the source has for a call: its `extra.source_id` where that is another than its `tcid`. */
export function sourceIdOf({ tcid, extra }: Pick<ToolCall, 'tcid' | 'extra'>): string {
  const id = getOwn(objectOf(extra), 'source_id');
  return typeof id === 'string' ? id : tcid;
}

/** The extra of a call where the source itself means one id by several calls, so a model sees them as one. */
function withSourceId({ extra }: MutableCall, literal: string): JsonObject {
  return { ...objectOf(extra), source_id: literal };
}

function useKey({ scope, family }: DraftCall, id: string): string {
  return `${JSON.stringify([scope, family])}${id}`;
}

function freeId(
  { literal }: DraftCall,
  turn: number,
  position: number,
  taken: ReadonlySet<string>,
  given: ReadonlySet<string>,
): string {
  const isUsable = literal !== undefined && literal !== '';
  if (isUsable && !given.has(literal)) return literal;
  let id = isUsable ? literal : `call-${turn}-${position + 1}`;
  while (given.has(id) || taken.has(id)) id += `@${turn}`;
  return id;
}
