import { equalNumbers } from './number.ts';
import { isJsonArray, isNumeric, type Json, type JsonObject } from './value.ts';

/** Whether two JSON values are equal: the order of keys does not matter, numbers compare by mathematical value, strings by code unit. */
export function equalJson(left: Json, right: Json): boolean {
  const pending: Json[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop() as Json;
    const a = pending.pop() as Json;
    if (a === b) continue;
    if (
      typeof a !== 'object' ||
      typeof b !== 'object' ||
      a === null ||
      b === null ||
      isNumeric(a) ||
      isNumeric(b)
    ) {
      if (equalNumbers(a, b)) continue;
      return false;
    }
    if (isJsonArray(a) || isJsonArray(b)) {
      if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
      for (let index = 0; index < a.length; index += 1) pending.push(a[index] as Json, b[index] as Json);
    } else if (!pushMembers(a as JsonObject, b as JsonObject, pending)) return false;
  }
  return true;
}

function pushMembers(a: JsonObject, b: JsonObject, pending: Json[]): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    pending.push(a[key] as Json, b[key] as Json);
  }
  return true;
}
