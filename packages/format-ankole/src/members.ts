import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseTime,
  setOwn,
} from '@pchronicle/storyline-core';

/** A member that is a text. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** A member that is a text with something in it. */
export function filledText(object: JsonObject, key: string): string | undefined {
  const value = textOf(object, key);
  return value === '' ? undefined : value;
}

/** A value that is an object; empty for any other. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A value that is a list; empty for any other. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

/** A member that is an object; empty where there is none. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  return objectOf(getOwn(object, key));
}

/** A copy without some members. */
export function without(object: JsonObject, ...keys: readonly string[]): MutableJsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    if (!keys.includes(key)) setOwn(copy, key, object[key] as Json);
  }
  return copy;
}

/** A copy with some members only, in their order in the object. */
export function only(object: JsonObject, keys: readonly string[]): MutableJsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    if (keys.includes(key)) setOwn(copy, key, object[key] as Json);
  }
  return copy;
}

/** Puts all members of one object into another. */
export function assignOwn(target: MutableJsonObject, from: JsonObject): MutableJsonObject {
  for (const key of Object.keys(from)) setOwn(target, key, from[key] as Json);
  return target;
}

/** Whether an object has no members. */
export function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** A time that the time slots take: RFC 3339 text. */
export function timeText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !('fault' in parseTime(value)) ? value : undefined;
}
