import {
  appendPointer,
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
} from '@pchronicle/storyline-core';

/** A part of a value that another value does not have, or has differently. */
export interface Missing {
  readonly pointer: string;
  /** The pointer with `*` for array positions. */
  readonly pattern: string;
}

/** The largest parts of `left` that are not in `right`: whole members where they are missing, single values where they differ. */
export function missingFrom(left: Json, right: Json | undefined, base: Missing): readonly Missing[] {
  const missing: Missing[] = [];
  const pending: (readonly [Json, Json | undefined, Missing])[] = [[left, right, base]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [a, b, at] = next;
    if (b !== undefined && equalJson(a, b)) continue;
    if (isJsonArray(a) && isJsonArray(b) && a.length > 0 && a.length <= b.length) {
      a.forEach((value, index) => {
        pending.push([value, b[index], { pointer: `${at.pointer}/${index}`, pattern: `${at.pattern}/*` }]);
      });
    } else if (isJsonObject(a) && isJsonObject(b) && Object.keys(a).length > 0) {
      for (const key of Object.keys(a)) {
        const inside = { pointer: appendPointer(at.pointer, key), pattern: appendPointer(at.pattern, key) };
        pending.push([a[key] as Json, getOwn(b, key), inside]);
      }
    } else missing.push(at);
  }
  return missing;
}
