import { getOwn } from '../json/value.ts';
import type { ToolCall, Turn } from '../storyline.ts';
import { objectOf } from './chain-state.ts';

/** Calls by the id that the source has for them. */
export function callsBySource(turns: readonly Turn[]): Map<string, ToolCall[]> {
  const calls = new Map<string, ToolCall[]>();
  for (const call of turns.flatMap((turn) => turn.tool_calls ?? [])) {
    const id = sourceIdOf(call);
    const known = calls.get(id) ?? [];
    known.push(call);
    calls.set(id, known);
  }
  return calls;
}

/** The id that the source itself has for a call, where one id of it stands for several calls: `extra.source_id`. */
export function sourceIdOf({ tcid, extra }: ToolCall): string {
  const id = getOwn(objectOf(extra) ?? {}, 'source_id');
  return typeof id === 'string' ? id : tcid;
}
