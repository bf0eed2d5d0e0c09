import { SHAPES } from '../generated/storyline-shape.generated.ts';
import type { Report } from '../issue.ts';
import { isInteger } from '../json/number.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { describeJson } from './describe-json.ts';
import type { ShapeName, Slot } from './shape.ts';
import { parseTime } from './time.ts';

/** A rule of one shape beyond its keys: gives the canonical object, `null` where it equals absence, `undefined` after an error. */
export type Rule = (object: JsonObject, pointer: string) => JsonObject | null | undefined;

/** The rules by shape. */
export type Rules = { readonly [name in ShapeName]?: Rule };

/**
 * Checks an object against its shape and gives it in canonical form: optional keys that hold null dropped, the rules of inner
 * shapes applied. The same object comes back when nothing has to change. `undefined` after an error: `storyline/wrong-type`,
 * `storyline/missing-key`, `storyline/unknown-key`, `storyline/empty-text`, `storyline/not-positive`, `storyline/bad-time`.
 *
 * It nests as deep as the shapes do, never as deep as the input.
 */
export function readShape(
  value: unknown,
  name: ShapeName,
  pointer: string,
  rules: Rules,
  report: Report,
): JsonObject | null | undefined {
  if (!isPlainObject(value)) {
    report(
      'error',
      'storyline/wrong-type',
      pointer,
      `${place(pointer)} is ${describeJson(value)}; an object is expected`,
    );
    return undefined;
  }
  const { open, keys } = SHAPES[name];
  let failed = false;
  let changes: Map<string, Json | undefined> | undefined;
  for (const key of Object.keys(value)) {
    const found: unknown = value[key];
    if (!Object.hasOwn(keys, key)) {
      if (open === true) continue;
      failed = true;
      report(
        'error',
        'storyline/unknown-key',
        appendPointer(pointer, key),
        `${JSON.stringify(key)} is not a key of ${place(pointer)}; its keys are ${Object.keys(keys).join(', ')}`,
      );
      continue;
    }
    const slot = keys[key] as Slot;
    if (found === undefined || (found === null && slot.nullable === true && slot.required !== true)) {
      changes ??= new Map();
      changes.set(key, undefined);
      continue;
    }
    const read = readSlot(found, slot, pointer, key, rules, report);
    if (read === undefined) {
      failed = true;
    } else if (read === null ? slot.required !== true : read !== found) {
      changes ??= new Map();
      changes.set(key, read ?? undefined);
    }
  }
  for (const key of requiredOf(name)) {
    if (Object.hasOwn(value, key) && value[key] !== undefined) continue;
    failed = true;
    report('error', 'storyline/missing-key', pointer, `${place(pointer)} has no ${key}; it is required`);
  }
  if (failed) return undefined;
  const canonical = changes === undefined ? value : change(value, changes);
  const rule = rules[name];
  return rule === undefined ? canonical : rule(canonical, pointer);
}

/** A copy of an object with some keys replaced, or dropped where the new value is `undefined`. */
export function change(object: JsonObject, changes: ReadonlyMap<string, Json | undefined>): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const value = changes.has(key) ? changes.get(key) : object[key];
    if (value !== undefined) setOwn(copy, key, value);
  }
  return copy;
}

const required = new Map<ShapeName, readonly string[]>();

function requiredOf(name: ShapeName): readonly string[] {
  let keys = required.get(name);
  if (keys === undefined) {
    keys = Object.entries(SHAPES[name].keys).flatMap(([key, slot]) => (slot.required === true ? [key] : []));
    required.set(name, keys);
  }
  return keys;
}

/** The canonical value of a slot; `null` for one that equals absence (or a null that is a value), `undefined` after an error. */
function readSlot(
  value: unknown,
  slot: Slot,
  parent: string,
  key: string,
  rules: Rules,
  report: Report,
): Json | undefined {
  const at = (): string => appendPointer(parent, key);
  const fail = (expected: string): undefined => {
    report(
      'error',
      'storyline/wrong-type',
      at(),
      `${at()} is ${describeJson(value)}; ${expected} is expected`,
    );
  };
  switch (slot.type) {
    case 'any':
      return isJsonLike(value) ? value : fail('a JSON value');
    case 'string':
      if (typeof value !== 'string') return fail('a text');
      if (slot.filled === true && value === '') {
        report('error', 'storyline/empty-text', at(), `${at()} is ""; a text that is not empty is expected`);
        return undefined;
      }
      return value;
    case 'boolean':
      return typeof value === 'boolean' ? value : fail('true or false');
    case 'integer': {
      const number = value as Json;
      if (!isInteger(number)) return fail('an integer');
      if (slot.positive === true && !(Number(number) > 0)) {
        report(
          'error',
          'storyline/not-positive',
          at(),
          `${at()} is ${describeJson(value)}; an integer above 0 is expected`,
        );
        return undefined;
      }
      return number;
    }
    case 'time': {
      const time = parseTime(value as Json);
      if (!('fault' in time)) return value as Json;
      report('error', 'storyline/bad-time', at(), `${at()} is ${describeJson(value)}; ${time.fault}`);
      return undefined;
    }
    case 'array':
      return Array.isArray(value) ? readArray(value, slot, at(), key, rules, report) : fail('an array');
    case 'object': {
      const pointer = at();
      if (slot.map !== true && slot.shape !== undefined)
        return readShape(value, slot.shape, pointer, rules, report);
      if (!isPlainObject(value)) return fail('an object');
      return slot.shape === undefined ? value : readMap(value, slot.shape, pointer, rules, report);
    }
  }
}

/** Every element of the array, in its shape, or texts where there is none; the same array when no element changes. */
function readArray(
  array: readonly unknown[],
  slot: Slot,
  pointer: string,
  key: string,
  rules: Rules,
  report: Report,
): Json | undefined {
  let failed = false;
  let copy: Json[] | undefined;
  for (let index = 0; index < array.length; index += 1) {
    const element = array[index];
    if (slot.shape === undefined) {
      if (typeof element === 'string') continue;
      failed = true;
      report(
        'error',
        'storyline/wrong-type',
        `${pointer}/${index}`,
        `an element of ${key} is ${describeJson(element)}; a text is expected`,
      );
      continue;
    }
    const read = readShape(element, slot.shape, `${pointer}/${index}`, rules, report);
    if (read === undefined) failed = true;
    else if (read !== element) {
      copy ??= [...(array as readonly Json[])];
      copy[index] = read;
    }
  }
  return failed ? undefined : (copy ?? (array as Json));
}

/** Every member of a map, in its shape; members that equal absence are dropped, and so is a map that then has none. */
function readMap(
  map: JsonObject,
  shape: ShapeName,
  pointer: string,
  rules: Rules,
  report: Report,
): Json | undefined {
  let failed = false;
  const changes = new Map<string, Json | undefined>();
  for (const key of Object.keys(map)) {
    const member = map[key];
    const read = readShape(member, shape, appendPointer(pointer, key), rules, report);
    if (read === undefined) failed = true;
    else if (read !== member) changes.set(key, read ?? undefined);
  }
  if (failed) return undefined;
  return changes.size === 0 ? map : change(map, changes);
}

function isPlainObject(value: unknown): value is JsonObject {
  return isJsonObject(value as Json);
}

/** What a JSON value can be at its outside; a cheap look, not a walk. */
function isJsonLike(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'object' && (Array.isArray(value) || isJsonNumber(value) || isPlainObject(value));
}

function place(pointer: string): string {
  return pointer === '' ? 'the Storyline' : pointer;
}
