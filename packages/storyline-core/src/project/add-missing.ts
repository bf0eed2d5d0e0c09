import { type Json, type MutableJsonObject, setOwn } from '../json/value.ts';
import { objectOf } from './chain-state.ts';

/** Adds members that a message does not have. */
export function addMissing(message: MutableJsonObject, more: Json | undefined): MutableJsonObject {
  const given = objectOf(more) ?? {};
  for (const key of Object.keys(given))
    if (!Object.hasOwn(message, key)) setOwn(message, key, given[key] as Json);
  return message;
}
