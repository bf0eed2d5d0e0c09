import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/value.ts';
import type { Change } from './diff-result.ts';
import { type EqualityProfile, identityText } from './profile.ts';

/** Differences listed for one pair of values; more are summed up by one `replace` of their parent. */
const MOST_CHANGES = 1_000;

/** Lists where two values differ, in document order: members by key, elements by position. No recursion. */
export function listChanges(left: Json, right: Json, pointer: string, profile: EqualityProfile): Change[] {
  const changes: Change[] = [];
  const pending: { left: Json | undefined; right: Json | undefined; pointer: string }[] = [
    { left, right, pointer },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { left: a, right: b, pointer: at } = next;
    if (a === undefined) changes.push({ op: 'add', pointer: at, right: b as Json });
    else if (b === undefined) changes.push({ op: 'remove', pointer: at, left: a });
    else if (changes.length + pending.length < MOST_CHANGES && isJsonObject(a) && isJsonObject(b)) {
      pushMembers(a, b, at, pending);
    } else if (changes.length + pending.length < MOST_CHANGES && isJsonArray(a) && isJsonArray(b)) {
      for (let index = Math.max(a.length, b.length) - 1; index >= 0; index -= 1) {
        pending.push({ left: a[index], right: b[index], pointer: `${at}/${index}` });
      }
    } else if (a !== b && identityText(a, profile) !== identityText(b, profile)) {
      changes.push({ op: 'replace', pointer: at, left: a, right: b });
    }
  }
  return changes;
}

function pushMembers(
  a: JsonObject,
  b: JsonObject,
  at: string,
  pending: { left: Json | undefined; right: Json | undefined; pointer: string }[],
): void {
  const keys = [...Object.keys(a), ...Object.keys(b).filter((key) => !Object.hasOwn(a, key))];
  for (const key of keys.reverse()) {
    pending.push({
      left: Object.hasOwn(a, key) ? a[key] : undefined,
      right: Object.hasOwn(b, key) ? b[key] : undefined,
      pointer: appendPointer(at, key),
    });
  }
}
