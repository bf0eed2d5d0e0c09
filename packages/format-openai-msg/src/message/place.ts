import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parsePointer,
  setOwn,
} from '@pchronicle/storyline-core';

/** Parents that are arrays when they have to be made. */
const LISTS = new Set(['tool_calls']);

/**
 * Puts a value at a pointer inside an object under construction, in place of what may be there, and says whether there was a place
 * (decision G12): missing parents are made, `tool_calls` as a list. `owned` holds the containers that may be changed; others are copied.
 */
export function placeAt(root: MutableJsonObject, pointer: string, value: Json, owned: Set<Json>): boolean {
  const tokens = parsePointer(pointer);
  const last = tokens?.pop();
  if (tokens === undefined || last === undefined) return false;
  let parent: Json = root;
  for (const token of tokens) {
    const present: Json | undefined = childOf(parent, token);
    let child: Json;
    if (present === undefined) child = LISTS.has(token) ? [] : {};
    else if (owned.has(present)) child = present;
    else child = copy(present);
    if (child !== present) {
      if (!setChild(parent, token, child)) return false;
      owned.add(child);
    }
    parent = child;
  }
  return setChild(parent, last, value);
}

/** A copy of a container, one level deep; other values as they are. */
export function copy(value: Json): Json {
  if (isJsonArray(value)) return [...value];
  return isJsonObject(value) ? ({ ...value } satisfies JsonObject) : value;
}

function childOf(parent: Json, token: string): Json | undefined {
  if (isJsonArray(parent)) return /^(0|[1-9]\d{0,9})$/.test(token) ? parent[Number(token)] : undefined;
  return isJsonObject(parent) ? getOwn(parent, token) : undefined;
}

function setChild(parent: Json, token: string, value: Json): boolean {
  if (isJsonArray(parent)) {
    const index = /^(0|[1-9]\d{0,9})$/.test(token) ? Number(token) : -1;
    if (index < 0 || index > parent.length) return false;
    (parent as Json[])[index] = value;
    return true;
  }
  if (!isJsonObject(parent)) return false;
  setOwn(parent as MutableJsonObject, token, value);
  return true;
}
