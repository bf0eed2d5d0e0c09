import {
  getOwn,
  isJsonObject,
  type ResidualBuilder,
  setOwn,
  type ToolCall,
} from '@pchronicle/storyline-core';
import type { Tally } from '../tally.ts';
import type { Draft, DraftCall, MutableTurn } from './parts.ts';

/**
 * Gives turns their numbers, calls their ids and results the call they answer (decision G11): literal ids are reserved first, the first
 * call of an id keeps it, a later one gets `@{turn id}` appended. Where an id differs from the source's, that is kept as a residual.
 */
export function finishTurns(
  drafts: readonly Draft[],
  residual: ResidualBuilder,
  found: Tally,
): readonly MutableTurn[] {
  const taken = new Set<string>();
  for (const { calls } of drafts)
    for (const { literal } of calls) if (literal !== undefined) taken.add(literal);
  const given = new Set<string>();
  const byPair = new Map<string, string>();
  /** Scopes in which an id was used. */
  const scopes = new Set<string>();
  const sources = new Map<string, string>();
  drafts.forEach(({ turn, calls, results }, index) => {
    turn.id = index + 1;
    calls.forEach((draft, position) => {
      const id = freeId(draft, turn.id as number, position, taken, given);
      given.add(id);
      draft.call.tcid = id;
      const { literal } = draft;
      if (literal !== undefined && literal !== id) keepLiteral(draft, literal, scopes, residual);
      if (literal !== undefined && literal !== '' && literal !== id) {
        const message = `the call id ${JSON.stringify(literal.slice(0, 80))} was used before; this call is ${JSON.stringify(id.slice(0, 100))} in the Storyline`;
        found.add('info', 'ankole/repeated-call-id', draft.pointer, message);
      }
      if (literal === undefined) return;
      scopes.add(scopeKey(draft.scope, literal));
      sources.set(id, sourceIdOf(draft.call));
      for (const key of keysOf(draft, literal)) byPair.set(key, id);
    });
    for (const draft of results) {
      const { literal, result, pointer } = draft;
      if (literal === undefined) {
        found.add('warning', 'ankole/result-without-id', pointer, 'this result names no call; it is kept');
        continue;
      }
      const answered = keysOf(draft, literal)
        .map((key) => byPair.get(key))
        .find((id) => id !== undefined);
      if (answered === undefined) {
        const message = `the result for ${JSON.stringify(literal.slice(0, 80))} answers no call before it; it is kept`;
        found.add('info', 'ankole/orphan-result', pointer, message);
      } else if (sources.get(answered) !== literal) residual.add(pointer, literal);
      setOwn(result, 'source_call_id', answered ?? literal);
    }
  });
  return drafts.map(({ turn }) => turn);
}

/** The id that the source has for a call: its `extra.source_id` where that is another than its `tcid`. */
export function sourceIdOf({ tcid, extra }: Pick<ToolCall, 'tcid' | 'extra'>): string {
  const id = isJsonObject(extra) ? getOwn(extra, 'source_id') : undefined;
  return typeof id === 'string' ? id : tcid;
}

/**
 * Keeps the source's id of a call that has another here: with the call, where the source itself means one id by both (so a model sees it
 * as one), else as a residual.
 */
function keepLiteral(
  { call, scope, pointer }: DraftCall,
  literal: string,
  scopes: ReadonlySet<string>,
  residual: ResidualBuilder,
): void {
  if (literal === '' || !scopes.has(scopeKey(scope, literal))) {
    residual.add(pointer, literal);
    return;
  }
  call.extra = { ...(isJsonObject(call.extra) ? call.extra : {}), source_id: literal };
}

function scopeKey(scope: string, id: string): string {
  return `${JSON.stringify(scope)}${id}`;
}

/** What a result looks for, best first: its scope and family, its scope, any call of the id. */
function keysOf({ scope, family }: Pick<DraftCall, 'scope' | 'family'>, id: string): readonly string[] {
  return [`${JSON.stringify([scope, family])}${id}`, `${JSON.stringify([scope])}${id}`, `[]${id}`];
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
