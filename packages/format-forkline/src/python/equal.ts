import { isJsonArray, isJsonObject, isNumeric, type Json } from '@pchronicle/storyline-core';
import { numberOf } from './number.ts';
import { typeName } from './repr.ts';

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
 * as they are. NaN equals NaN, because Python's parser hands out one shared object (forkline-notes §10).
 */
export function pythonEqual(left: Json, right: Json): boolean {
  return equalBy(left, right, (a, b) => {
    const [x, y] = [pythonNumber(a), pythonNumber(b)];
    if (x === undefined || y === undefined) return false;
    return sameNumber(x, y) || (Number.isNaN(x) && Number.isNaN(y));
  });
}

/** Equality by type and value (the profile `typed`): 1 and `1.0` differ; key order is irrelevant. */
export function typedEqual(left: Json, right: Json): boolean {
  return equalBy(left, right, (a, b) => {
    const [x, y] = [pythonNumber(a), pythonNumber(b)];
    return x !== undefined && y !== undefined && typeName(a) === typeName(b) && sameNumber(x, y);
  });
}

/** Equality of containers by their members, key order aside; scalars that are not the same value are asked for. No recursion. */
function equalBy(left: Json, right: Json, sameScalar: (left: Json, right: Json) => boolean): boolean {
  const pairs: [Json, Json][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (isJsonArray(a)) {
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
    } else if (!sameScalar(a, b)) return false;
  }
  return true;
}
