import { getOwn } from '../json/value.ts';
import type { ToolCall, Turn } from '../storyline.ts';
import { objectOf } from './chain-state.ts';

/** By id of the source, the ids that calls of it have here. */
export function idsBySource(turns: readonly Turn[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const call of turns.flatMap((turn) => turn.tool_calls ?? [])) {
    const known = ids.get(sourceIdOf(call));
    if (known === undefined) ids.set(sourceIdOf(call), [call.tcid]);
    else known.push(call.tcid);
  }
  return ids;
}

/** The id that the source itself has for a call, where one id of it stands for several calls: `extra.source_id`. */
export function sourceIdOf({ tcid, extra }: ToolCall): string {
  const id = getOwn(objectOf(extra) ?? {}, 'source_id');
  return typeof id === 'string' ? id : tcid;
}
