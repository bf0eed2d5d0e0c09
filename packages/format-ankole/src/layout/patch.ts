import {
  equalJson,
  formatPointer,
  getOwn,
  getPointer,
  hashJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseArrayIndex,
  parsePointer,
  setOwn,
} from '@pchronicle/storyline-core';
import { listOf } from '../members.ts';

/** What stood in the place of an absent member, when a change was noted. */
const ABSENT = '-';

/** A place where two values are compared; its pointer is only written when they differ. */
interface Pair {
  readonly above: Pair | undefined;
  readonly token: string | number;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/**
 * The changes that make one value of another: `[pointer, digest of what is there, value]`, the value left out for a member that goes.
 * Lists of different lengths are replaced whole. No recursion.
 */
export function changesBetween(from: Json, to: Json): readonly Json[] {
  const changes: Json[] = [];
  const pending: Pair[] = [];
  const compare = (
    above: Pair | undefined,
    token: string | number,
    left: Json | undefined,
    right: Json | undefined,
  ): void => {
    if (left !== right) pending.push({ above, token, left, right });
  };
  compare(undefined, '', from, to);
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const { left, right } = pair;
    if (left !== undefined && right !== undefined) {
      if (isJsonArray(left) && isJsonArray(right) && left.length === right.length) {
        for (let at = left.length - 1; at >= 0; at -= 1) compare(pair, at, left[at], right[at]);
        continue;
      }
      if (isJsonObject(left) && isJsonObject(right)) {
        for (const key of Object.keys(left)) compare(pair, key, left[key], getOwn(right, key));
        for (const key of Object.keys(right))
          if (!Object.hasOwn(left, key)) compare(pair, key, undefined, right[key]);
        continue;
      }
      if (equalJson(left, right)) continue;
    }
    const pointer = pointerOf(pair);
    changes.push(right === undefined ? [pointer, digestOf(left)] : [pointer, digestOf(left), right]);
  }
  return changes;
}

function pointerOf(pair: Pair): string {
  const tokens: (string | number)[] = [];
  for (let at = pair; at.above !== undefined; at = at.above) tokens.push(at.token);
  return formatPointer(tokens.reverse());
}

function digestOf(value: Json | undefined): string {
  return value === undefined ? ABSENT : hashJson(value).slice(0, 8);
}

/**
 * Makes noted changes in a value that is all its caller's own; one whose place is gone or holds something else than when it was noted
 * is passed over, and counted: there the Storyline was edited.
 */
export function applyChanges(
  root: Json,
  changes: Json | undefined,
): { readonly value: Json; readonly ignored: number } {
  const holder: MutableJsonObject = { root };
  let ignored = 0;
  for (const change of listOf(changes)) {
    const [pointer, digest, value] = listOf(change);
    const tokens = typeof pointer === 'string' ? parsePointer(`/root${pointer}`) : undefined;
    if (tokens === undefined || typeof pointer !== 'string') continue;
    const last = tokens.pop() ?? '';
    const parent = tokens.length === 0 ? holder : getPointer(holder, `/root${parentOf(pointer)}`);
    const present = getPointer(holder, `/root${pointer}`);
    if (digestOf(present) !== digest || !putMember(parent, last, value)) ignored += 1;
  }
  return { value: getOwn(holder, 'root') ?? null, ignored };
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** Puts or removes a member; false where there is no place for it. */
function putMember(parent: Json | undefined, token: string, value: Json | undefined): boolean {
  if (isJsonObject(parent)) {
    if (value === undefined) delete (parent as MutableJsonObject)[token];
    else setOwn(parent as MutableJsonObject, token, value);
    return true;
  }
  const index = parseArrayIndex(token);
  if (!isJsonArray(parent) || index === undefined || index >= parent.length || value === undefined)
    return false;
  (parent as Json[])[index] = value;
  return true;
}

/** A copy that can be written into without touching what it was made of; no recursion. */
export function deepCopy(root: Json): Json {
  const holder: MutableJsonObject = {};
  const pending: (readonly [value: Json, put: (copy: Json) => void])[] = [
    [root, (copy) => setOwn(holder, 'root', copy)],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, put] = next;
    if (isJsonArray(value)) {
      const copy: Json[] = [...value];
      put(copy);
      copy.forEach((element, index) => {
        if (typeof element === 'object' && element !== null)
          pending.push([
            element,
            (inner) => {
              copy[index] = inner;
            },
          ]);
      });
    } else if (isJsonObject(value)) {
      const copy: MutableJsonObject = {};
      put(copy);
      for (const key of Object.keys(value)) {
        const member: Json = (value as JsonObject)[key] as Json;
        setOwn(copy, key, member);
        if (typeof member === 'object' && member !== null)
          pending.push([member, (inner) => setOwn(copy, key, inner)]);
      }
    } else put(value);
  }
  return getOwn(holder, 'root') ?? null;
}
