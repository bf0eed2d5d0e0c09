import { isJsonArray, isJsonObject, type Json } from '@pchronicle/storyline-core';
import { sortedKeys } from '../python/compare-code-points.ts';
import { pythonNumber, sameNumber } from '../python/equal.ts';
import { typeName } from '../python/repr.ts';

/** One field that differs between a recorded and a replayed event. */
export interface FieldDifference {
  readonly path: string;
  readonly expected: Json;
  readonly actual: Json;
}

/** What Forkline prints for a side that lacks a key. */
const MISSING = '<missing>';
const TIME_KEYS = new Set(['created_at', 'ts', 'timestamp']);

/** A comparison or a finished difference that waits for its turn. */
type Task =
  | { readonly expected: Json; readonly actual: Json; readonly path: string }
  | { readonly difference: FieldDifference };

/**
 * Forkline's deep comparison for replays (the profile `typed`): exact types first (`1`, `1.0` and `true` all differ), then values;
 * NaN differs from itself. Time fields are passed over wholly when asked. No recursion.
 */
export function compareFields(
  expected: Json,
  actual: Json,
  path: string,
  ignoreTimestamps: boolean,
): readonly FieldDifference[] {
  const found: FieldDifference[] = [];
  const todo: Task[] = [{ expected, actual, path }];
  for (let task = todo.pop(); task !== undefined; task = todo.pop()) {
    if ('difference' in task) {
      found.push(task.difference);
      continue;
    }
    const { expected: a, actual: b, path: at } = task;
    const type = typeName(a);
    const otherType = typeName(b);
    if (type !== otherType) {
      found.push({ path: at, expected: `type:${type}`, actual: `type:${otherType}` });
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const tasks: Task[] = [];
      for (const key of sortedKeys({ ...nullMap(a), ...nullMap(b) })) {
        if (ignoreTimestamps && TIME_KEYS.has(key)) continue;
        const inner = `${at}.${key}`;
        const [left = null, right = null] = [a[key], b[key]];
        if (!Object.hasOwn(a, key))
          tasks.push({ difference: { path: inner, expected: MISSING, actual: right } });
        else if (!Object.hasOwn(b, key))
          tasks.push({ difference: { path: inner, expected: left, actual: MISSING } });
        else tasks.push({ expected: left, actual: right, path: inner });
      }
      for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) todo.push(task);
    } else if (isJsonArray(a) && isJsonArray(b)) {
      if (a.length !== b.length) found.push({ path: `${at}.(length)`, expected: a.length, actual: b.length });
      for (let index = Math.min(a.length, b.length) - 1; index >= 0; index -= 1) {
        todo.push({ expected: a[index] ?? null, actual: b[index] ?? null, path: `${at}[${index}]` });
      }
    } else if (!sameScalar(a, b)) found.push({ path: at, expected: a, actual: b });
  }
  return found;
}

/** Own keys on an object without a prototype, so that `__proto__` is a key like any other. */
function nullMap(object: object): object {
  const keys = Object.create(null) as { [key: string]: true };
  for (const key of Object.keys(object)) keys[key] = true;
  return keys;
}

function sameScalar(a: Json, b: Json): boolean {
  const left = pythonNumber(a);
  const right = pythonNumber(b);
  return left !== undefined && right !== undefined ? sameNumber(left, right) : a === b;
}
