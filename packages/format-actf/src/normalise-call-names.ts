import type { JsonArray, JsonObject } from '@pchronicle/storyline-core';
import { callPositions } from './normalise-content.ts';

/** Document-wide names of all calls by place: one that repeats an id gets the number of its message appended until nothing has that name. */
export function nameCalls(
  events: JsonArray,
  roles: readonly (string | undefined)[],
  pointer: string,
): ReadonlyMap<string, string> {
  const calls: { readonly place: string; readonly id: string; readonly number: number }[] = [];
  let number = 0;
  events.forEach((event, index) => {
    if (roles[index] === undefined) return;
    number += 1;
    const { content } = (event as { readonly message: JsonObject }).message;
    if (roles[index] !== 'assistant') return;
    for (const position of callPositions(content)) {
      const { id } = (content as readonly { readonly id: string }[])[position] as { readonly id: string };
      calls.push({ place: `${pointer}/${index}/message/content/${position}`, id, number });
    }
  });
  const taken = new Set(calls.map(({ id }) => id));
  const met = new Set<string>();
  return new Map(
    calls.map(({ place, id, number: own }) => {
      let name = id;
      if (met.has(id)) {
        do name += `@${own}`;
        while (taken.has(name));
        taken.add(name);
      }
      met.add(id);
      return [place, name] as const;
    }),
  );
}
