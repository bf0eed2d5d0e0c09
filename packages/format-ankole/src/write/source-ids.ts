import type { Json, Turn } from '@pchronicle/storyline-core';
import { sourceIdOf } from '../read/turn-list.ts';

/** The source's id for a call id of the Storyline; anything else stays. */
export type SourceIds = (id: Json) => Json;

/** The ids that the source has for calls which are named otherwise in the Storyline. */
export function sourceIds(turns: readonly Turn[]): SourceIds {
  const renamed = new Map<Json, string>();
  for (const { tool_calls: calls } of turns) {
    for (const call of calls ?? []) {
      const id = sourceIdOf(call);
      if (id !== call.tcid) renamed.set(call.tcid, id);
    }
  }
  return (id) => renamed.get(id) ?? id;
}
