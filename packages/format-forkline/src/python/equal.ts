import { isJsonArray, isJsonObject, isNumeric, type Json } from '@pchronicle/storyline-core';
import { numberOf } from './number.ts';

/** A scalar as Python compares it: booleans are the numbers 0 and 1. `undefined` for what is no number. */
export function pythonNumber(value: Json): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return isNumeric(value) ? numberOf(value) : undefined;
}

/** Whether two numbers are equal in value; an int and a float are compared exactly, NaN equals nothing. */
export function sameNumber(left: number | bigint, right: number | bigint): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: == between BigInt and double compares mathematical values
  return left == right;
}

/**
 * Python's `==` on parsed JSON (the profile `python-eq`): `true`, 1 and `1.0` are equal, key order is irrelevant, strings are compared
 * as they are. NaN equals NaN, because Python's parser hands out one shared object (forkline-notes §10). No recursion.
 */
export function pythonEqual(left: Json, right: Json): boolean {
  const pairs: [Json, Json][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    const numberA = pythonNumber(a);
    if (numberA !== undefined) {
      const numberB = pythonNumber(b);
      if (numberB === undefined) return false;
      if (!sameNumber(numberA, numberB) && !(Number.isNaN(numberA) && Number.isNaN(numberB))) return false;
    } else if (isJsonArray(a)) {
      if (!isJsonArray(b) || a.length !== b.length) return false;
      for (let index = 0; index < a.length; index += 1) pairs.push([a[index] ?? null, b[index] ?? null]);
    } else if (isJsonObject(a)) {
      if (!isJsonObject(b)) return false;
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pairs.push([a[key] ?? null, b[key] ?? null]);
      }
    } else return false;
  }
  return true;
}
