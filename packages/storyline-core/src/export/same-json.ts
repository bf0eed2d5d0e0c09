import { canonicalNumber } from '../json/number.ts';
import { isJsonArray, isJsonObject, isNumeric, type Json } from '../json/value.ts';

/** Whether two values have the same canonical JSON (decision G20): as `equalJson`, but a kept 1.0 differs from 1. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  const pending: (Json | undefined)[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (isNumeric(a) && isNumeric(b)) {
      if (canonicalNumber(a) !== canonicalNumber(b)) return false;
    } else if (isJsonArray(a) && isJsonArray(b)) {
      if (a.length !== b.length) return false;
      for (let index = 0; index < a.length; index += 1) pending.push(a[index], b[index]);
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pending.push(a[key], b[key]);
      }
    } else return false;
  }
  return true;
}
