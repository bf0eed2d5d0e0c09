import { isJsonNumber, type Json } from '@pchronicle/storyline-core';
import { membersOf } from './pointers.ts';

/** Freezes a value and all it holds, so that whoever writes into it throws. */
export function deepFreeze<T>(value: T): T {
  const pending: Json[] = [value as Json];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || isJsonNumber(next) || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const [, member] of membersOf(next)) pending.push(member);
  }
  return value;
}
