import { readdirSync, readFileSync } from 'node:fs';
import {
  getOwn,
  getPointer,
  type Issue,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
} from '@pchronicle/storyline-core';

/** Reads a JSON file with the exact parser. */
export function readExact(url: URL): Json {
  const { value, issues } = parseJson(readFileSync(url));
  if (value === undefined) throw new Error(`${url.pathname}: ${issues[0]?.message}`);
  return value;
}

/** The cases of a folder under fixtures/, as they were handed to us. */
export function readCases(folder: string): readonly JsonObject[] {
  const base = new URL(`../../fixtures/${folder}/`, import.meta.url);
  const names = readdirSync(base)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return names.map((name) => {
    const value = readExact(new URL(name, base));
    if (!isJsonObject(value)) throw new Error(`${name} is no object`);
    return value;
  });
}

/** A text member of a case. */
export function textOf(one: JsonObject, key: string): string {
  const value = getOwn(one, key);
  return typeof value === 'string' ? value : '';
}

/** The expectations of a case as [pointer, wanted value or undefined for absent, or-value]. */
export function pointersOf(
  one: JsonObject,
): readonly { pointer: string; wanted: readonly (Json | undefined)[] }[] {
  const list = getOwn(one, 'expected_pointers');
  if (!isJsonArray(list)) return [];
  return list.map((entry) => {
    const object = entry as JsonObject;
    const pointer = textOf(object, 'pointer');
    if (getOwn(object, 'absent') === true) return { pointer, wanted: [undefined] };
    const or = getOwn(object, 'absent_or');
    return { pointer, wanted: or === undefined ? [getOwn(object, 'value')] : [undefined, or] };
  });
}

/** The value at a pointer of a result. */
export function at(result: Json, pointer: string): Json | undefined {
  return getPointer(result, pointer);
}

/** All that an issue says, as text. */
export function wordsOf(issues: readonly Issue[]): string {
  return issues
    .map((issue) => `${issue.at.source ?? ''} ${issue.at.pointer} ${issue.code} ${issue.message}`)
    .join('\n');
}
