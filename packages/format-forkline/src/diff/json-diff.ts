import { appendPointer, isJsonArray, isJsonObject, isNumeric, type Json } from '@pchronicle/storyline-core';
import { compareCodePoints } from '../python/compare-code-points.ts';
import { pythonNumber, sameNumber } from '../python/equal.ts';

/** One difference between two JSON values, as Forkline lists it; `path` is Forkline's (keys unescaped, so `a.b` may mean two things). */
export type JsonDifference =
  | { readonly op: 'remove'; readonly path: string; readonly old: Json; readonly pointer?: string }
  | { readonly op: 'add'; readonly path: string; readonly value: Json; readonly pointer?: string }
  | {
      readonly op: 'replace';
      readonly path: string;
      readonly old: Json;
      readonly new: Json;
      readonly pointer?: string;
    };

/** Options of {@link jsonDiff}. */
export interface JsonDiffOptions {
  /** Also give the RFC 6901 pointer of every difference, which is unambiguous; default false, as Forkline. */
  readonly pointers?: boolean;
}

type Kind = 'null' | 'number' | 'string' | 'array' | 'object';

function kindOf(value: Json): Kind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean' || isNumeric(value)) return 'number';
  return isJsonArray(value) ? 'array' : 'object';
}

/** A comparison or a finished difference that waits for its turn. */
type Task =
  | { readonly difference: JsonDifference }
  | { readonly old: Json; readonly new: Json; readonly path: string; readonly pointer: string };

/**
 * Forkline's `json_diff` (forkline-notes §8): removed keys, added keys, then common ones; arrays index by index with the tail removed or
 * added; booleans and numbers are one kind and compare by value; NaN differs from itself. No recursion.
 */
export function jsonDiff(old: Json, changed: Json, options: JsonDiffOptions = {}): readonly JsonDifference[] {
  const differences: JsonDifference[] = [];
  const pointers = options.pointers === true;
  const at = (pointer: string): { pointer?: string } => (pointers ? { pointer } : {});
  const todo: Task[] = [{ old, new: changed, path: '$', pointer: '' }];
  for (let task = todo.pop(); task !== undefined; task = todo.pop()) {
    if ('difference' in task) {
      differences.push(task.difference);
      continue;
    }
    const { old: a, new: b, path, pointer } = task;
    const kind = kindOf(a);
    if (kind !== kindOf(b) || ((kind === 'string' || kind === 'number') && !sameScalar(a, b))) {
      differences.push({ op: 'replace', path, old: a, new: b, ...at(pointer) });
    } else if (isJsonArray(a) && isJsonArray(b)) {
      const tasks: Task[] = [];
      for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
        const inner = `${path}[${index}]`;
        const place = pointers ? appendPointer(pointer, index) : '';
        const [left = null, right = null] = [a[index], b[index]];
        if (index >= b.length)
          tasks.push({ difference: { op: 'remove', path: inner, old: left, ...at(place) } });
        else if (index >= a.length)
          tasks.push({ difference: { op: 'add', path: inner, value: right, ...at(place) } });
        else if (left !== right) tasks.push({ old: left, new: right, path: inner, pointer: place });
      }
      pushReversed(todo, tasks);
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const removed: Task[] = [];
      const added: Task[] = [];
      const common: Task[] = [];
      const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(compareCodePoints);
      for (const key of keys) {
        const inner = `${path}.${key}`;
        const place = pointers ? appendPointer(pointer, key) : '';
        const inOld = Object.hasOwn(a, key);
        const inNew = Object.hasOwn(b, key);
        const [left = null, right = null] = [a[key], b[key]];
        if (!inNew) removed.push({ difference: { op: 'remove', path: inner, old: left, ...at(place) } });
        else if (!inOld) added.push({ difference: { op: 'add', path: inner, value: right, ...at(place) } });
        else if (left !== right) common.push({ old: left, new: right, path: inner, pointer: place });
      }
      pushReversed(todo, common);
      pushReversed(todo, added);
      pushReversed(todo, removed);
    }
  }
  return differences;
}

function pushReversed(todo: Task[], tasks: readonly Task[]): void {
  for (let index = tasks.length - 1; index >= 0; index -= 1) {
    const task = tasks[index];
    if (task !== undefined) todo.push(task);
  }
}

function sameScalar(a: Json, b: Json): boolean {
  if (typeof a === 'string') return a === b;
  const left = pythonNumber(a);
  const right = pythonNumber(b);
  return left !== undefined && right !== undefined && sameNumber(left, right);
}
