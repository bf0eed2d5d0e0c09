import { CLOSE_ARRAY, CLOSE_OBJECT, decodeUtf8, OPEN_ARRAY, OPEN_OBJECT, skipBlank } from './bytes.ts';
import { type Brackets, collectExotics } from './exotic.ts';
import { BLANK, CLOSE, MEMBERS, OPEN, type Plan } from './plan.ts';
import { type Json, JsonNumber, type MutableJsonObject, setOwn } from './value.ts';

/** What {@link parsePlan} answers. */
export interface PlannedResult {
  readonly value: Json;
  /** Whether some object has a key twice. */
  readonly duplicates: boolean;
}

const ARRAY: Brackets = [OPEN_ARRAY, CLOSE_ARRAY];
const OBJECT: Brackets = [OPEN_OBJECT, CLOSE_OBJECT];

/** Thrown here, caught here: something is wrong or too unusual, the careful parser must look. */
const REFUSED = new Error('refused');

/**
 * Parses the bytes of one value by the plan of a scan whose position `base` is their first byte: native JSON.parse reads pieces, and
 * only what is bigger than a piece is assembled here. `undefined` when something is wrong. Nothing wrong is ever accepted: what the
 * scan did not check stands in a piece or between two of them, and is refused there.
 */
export function parsePlan(
  bytes: Uint8Array,
  plan: Plan,
  base: number,
  keepFloats: boolean,
): PlannedResult | undefined {
  try {
    return follow(bytes, plan, base, keepFloats);
  } catch (error) {
    // A SyntaxError of JSON.parse, a TypeError of the UTF-8 decoder, or our own refusal.
    if (error instanceof SyntaxError || error instanceof TypeError || error === REFUSED) return undefined;
    throw error;
  }
}

function follow(bytes: Uint8Array, plan: Plan, base: number, keepFloats: boolean): PlannedResult {
  const { steps, numbers } = plan;
  const exotics = collectExotics(bytes, keepFloats);
  for (let index = 0; index < numbers.length; index += 2) {
    exotics.add((numbers[index] as number) - base, (numbers[index + 1] as number) - base);
  }
  if (steps.length === 0) {
    const value = exotics.parse(0, bytes.length);
    return { value, duplicates: countKeys(value) < plan.members };
  }
  const open: (Json[] | MutableJsonObject)[] = [];
  let root: Json = null;
  let end = 0;
  let keys = 0;
  let duplicates = false;
  const add = (target: MutableJsonObject, key: string, value: Json): void => {
    if (Object.hasOwn(target, key)) duplicates = true;
    setOwn(target, key, value);
  };
  const addMembers = (target: Json[] | MutableJsonObject, from: number, to: number): void => {
    if (Array.isArray(target)) {
      const values = exotics.parse(from, to, ARRAY) as Json[];
      if (values.length === 0) throw REFUSED;
      for (const value of values) target.push(value);
      keys += countKeys(values);
      return;
    }
    const object = exotics.parse(from, to, OBJECT) as MutableJsonObject;
    const names = Object.keys(object);
    if (names.length === 0) throw REFUSED;
    for (const name of names) add(target, name, object[name] as Json);
    keys += countKeys(object);
  };
  const openContainer = (from: number, bracket: number): void => {
    const parent = open[open.length - 1];
    const target: Json[] | MutableJsonObject = bytes[bracket] === OPEN_ARRAY ? [] : {};
    open.push(target);
    if (parent === undefined || Array.isArray(parent)) {
      requireBlank(bytes, parent === undefined ? 0 : from, bracket);
      if (parent === undefined) root = target as Json;
      else parent.push(target as Json);
      return;
    }
    const [key] = Object.keys(JSON.parse(`{${decodeUtf8(bytes, from, bracket)}[]}`) as object);
    if (key === undefined) throw REFUSED;
    keys += 1;
    add(parent, key, target as Json);
  };
  for (let index = 0; index < steps.length; index += 3) {
    const from = (steps[index + 1] as number) - base;
    const to = (steps[index + 2] as number) - base;
    const target = open[open.length - 1];
    if (steps[index] === OPEN) openContainer(from, to);
    else if (steps[index] === BLANK) requireBlank(bytes, from, to);
    else if (target === undefined) throw REFUSED;
    else if (steps[index] === MEMBERS) addMembers(target, from, to);
    else if (steps[index] === CLOSE) {
      if ((bytes[from] === CLOSE_ARRAY) !== Array.isArray(target)) throw REFUSED;
      open.pop();
      end = from + 1;
    }
  }
  requireBlank(bytes, end, bytes.length);
  return { value: root, duplicates: duplicates || keys < plan.members };
}

function requireBlank(bytes: Uint8Array, from: number, to: number): void {
  if (skipBlank(bytes, from, to) !== to) throw REFUSED;
}

/** How many members all objects of a value have. */
function countKeys(root: Json): number {
  if (typeof root !== 'object' || root === null) return 0;
  let count = 0;
  const pending: object[] = [root];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (container instanceof JsonNumber) continue;
    if (Array.isArray(container)) {
      for (const member of container)
        if (typeof member === 'object' && member !== null) pending.push(member as object);
      continue;
    }
    for (const key in container) {
      count += 1;
      const member = (container as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  return count;
}
