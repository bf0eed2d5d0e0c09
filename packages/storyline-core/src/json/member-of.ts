import { getOwn, isJsonObject, type Json } from './value.ts';

/** The member of a value that is an object; `undefined` when it is none, or has no such member of its own. */
export function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? getOwn(value, key) : undefined;
}
