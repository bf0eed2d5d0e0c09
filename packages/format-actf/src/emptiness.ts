import { isJsonObject, type Json } from '@pchronicle/storyline-core';

/** Whether a text is missing or has nothing but white space. */
export function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === '';
}

/** Whether a value is missing, null or an object without keys. */
export function isVoid(value: Json | undefined): boolean {
  return value === undefined || value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Whether a value equals absence inside `task.result`: void or "" (storyline-v1 §4, decision G16). */
export function isAbsent(value: Json | undefined): boolean {
  return value === '' || isVoid(value);
}

/** Whether a value is a text that is not empty. */
export function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
