import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
} from '@pchronicle/storyline-core';
import { isNonFinite } from '../python/number.ts';
import { transformJson } from '../python/transform.ts';

/**
 * The one key of a tag. JSON has no NaN and no infinities, Forkline writes them: in a Storyline and in strict JSON they are
 * `{"$nonfinite": "NaN"}` (decision F1). An object of Python's that has just this key is told apart as `{"$nonfinite": [object]}`.
 */
export const TAG = '$nonfinite';

/** A value without bare non-finite numbers, and how many there were. */
export interface Tagged {
  readonly value: Json;
  readonly count: number;
}

const NOTHING = 0;
const LOOK_ALIKE = -1;

/** How many non-finite numbers a value holds; -1 for none, but an object that looks like a tag. No recursion. */
function survey(root: Json): number {
  if (typeof root !== 'object' || root === null) return isNonFinite(root) ? 1 : NOTHING;
  let count = 0;
  let lookAlike = false;
  let open: object[] | undefined;
  for (let next: object | undefined = root; next !== undefined; next = open?.pop()) {
    if (isJsonNumber(next)) {
      if (isNonFinite(next)) count += 1;
      continue;
    }
    if (!Array.isArray(next) && Object.hasOwn(next, TAG)) lookAlike = true;
    // An inherited key, which no JSON has, would only be looked at in vain.
    for (const key in next) {
      const member = (next as JsonObject)[key];
      if (typeof member === 'object' && member !== null) {
        if (open === undefined) open = [member];
        else open.push(member);
      }
    }
  }
  return count > 0 ? count : lookAlike ? LOOK_ALIKE : NOTHING;
}

/**
 * Replaces NaN and the infinities by their tags. With `fromPython` (values from a database or in compatibility mode) objects
 * that look like a tag are set apart, so that {@link untagNonFinite} gives every value back. The same object where nothing is to do.
 */
export function tagNonFinite(value: Json, fromPython: boolean): Tagged {
  const found = survey(value);
  if (found === NOTHING || (found === LOOK_ALIKE && !fromPython)) return { value, count: 0 };
  const tagged = transformJson(value, undefined, (one) => {
    if (isJsonNumber(one) && isNonFinite(one)) return { value: { [TAG]: one.raw } };
    if (fromPython && isTagShaped(one)) {
      // The wrapper and the array around it are ours; what stands inside is looked at once more.
      return { value: { [TAG]: [{ [TAG]: tagNonFinite((one as JsonObject)[TAG] ?? null, true).value }] } };
    }
    return { descend: undefined };
  });
  return { value: tagged, count: Math.max(0, found) };
}

/** Turns tags back into the numbers that they stand for, and look-alikes into what they were. The same object where nothing is to do. */
export function untagNonFinite(value: Json): Json {
  if (survey(value) === NOTHING) return value;
  return transformJson<undefined>(value, undefined, (one) => {
    if (!isTagShaped(one)) return { descend: undefined };
    const held = (one as JsonObject)[TAG];
    if (held === 'NaN' || held === 'Infinity' || held === '-Infinity') return { value: new JsonNumber(held) };
    if (isJsonArray(held) && held.length === 1 && isTagShaped(held[0])) {
      const inner = (held[0] as JsonObject)[TAG] ?? null;
      return { value: { [TAG]: untagNonFinite(inner) } };
    }
    return { descend: undefined };
  });
}

function isTagShaped(value: Json | undefined): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, TAG)) return false;
  return Object.keys(value).length === 1;
}
