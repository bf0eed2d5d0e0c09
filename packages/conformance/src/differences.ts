import { appendPointer, equalJson, isJsonArray, isJsonObject, type Json } from '@pchronicle/storyline-core';
import { membersOf } from './pointers.ts';

/** One place in which two documents differ; a side that has no such member is `undefined`. */
export interface Difference {
  readonly pointer: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** The smallest places in which two documents differ: numbers by mathematical value, key order ignored (decision G1). */
export function differences(left: Json, right: Json): readonly Difference[] {
  const found: Difference[] = [];
  const pending: (readonly [pointer: string, left: Json | undefined, right: Json | undefined])[] = [
    ['', left, right],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, a, b] = next;
    if (a !== undefined && b !== undefined) {
      if (equalJson(a, b)) continue;
      if ((isJsonArray(a) && isJsonArray(b)) || (isJsonObject(a) && isJsonObject(b))) {
        const members = new Map<string, [Json | undefined, Json | undefined]>();
        for (const [token, value] of membersOf(a)) members.set(token, [value, undefined]);
        for (const [token, value] of membersOf(b)) members.set(token, [members.get(token)?.[0], value]);
        for (const [token, [x, y]] of members) pending.push([appendPointer(pointer, token), x, y]);
        continue;
      }
    }
    found.push({ pointer, left: a, right: b });
  }
  return found.sort((x, y) => (x.pointer < y.pointer ? -1 : 1));
}
