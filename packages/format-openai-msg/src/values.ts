import { isJsonArray, type Json } from '@pchronicle/storyline-core';

/** Whether a value is one of the empty forms that stand for a missing one: null, `[]`, `{}`. */
export function isEmptyForm(value: unknown): boolean {
  return (value ?? null) === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

/** An object that has members; `undefined` for one without. */
export function unlessEmpty<T extends object>(value: T): T | undefined {
  return isEmptyForm(value) ? undefined : value;
}

/** The elements of a list; none for anything else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

/** A text that is not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
