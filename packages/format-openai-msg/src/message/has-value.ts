import { getOwn, isJsonArray, isJsonNumber, isJsonObject, type Json } from '@pchronicle/storyline-core';

/**
 * Whether a content or refusal says anything: null and "" do not; an array does when an element does; an object does when its
 * `text` does, or, without a `text`, when it has any key; numbers and booleans do (RFC-0009, output selection).
 */
export function hasValue(content: Json | undefined): boolean {
  const pending: (Json | undefined)[] = [content];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === undefined || value === null || value === '') continue;
    if (isJsonArray(value)) {
      for (const element of value) pending.push(element);
    } else if (isJsonObject(value)) {
      if (Object.hasOwn(value, 'text')) pending.push(getOwn(value, 'text'));
      else if (Object.keys(value).length > 0) return true;
    } else return true;
  }
  return false;
}

/** Whether a value is one of the empty forms that stand for a missing one: null, `[]`, `{}`. */
export function isEmptyForm(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (isJsonArray(value)) return value.length === 0;
  return typeof value === 'object' && !isJsonNumber(value) && Object.keys(value).length === 0;
}
