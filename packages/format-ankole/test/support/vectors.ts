import { readdirSync, readFileSync } from 'node:fs';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseJson,
  setOwn,
} from '@pchronicle/storyline-core';

/** One case of a vector file, its placeholders expanded. */
export interface VectorCase {
  readonly name: string;
  readonly input: Json;
  readonly expected: Json;
}

const folder = new URL('../../fixtures/vectors/', import.meta.url);

/** Names of the vector files that are here. */
export const vectorFiles: readonly string[] = readdirSync(folder).sort();

/** The cases of the vector file whose name starts with this number. */
export function vectorCases(number: string): readonly VectorCase[] {
  const file = vectorFiles.find((name) => name.startsWith(`${number}-`));
  if (file === undefined) throw new Error(`there is no vector ${number}`);
  const vector = parseJson(readFileSync(new URL(file, folder))).value;
  const cases = isJsonObject(vector ?? null) ? getOwn(vector as JsonObject, 'cases') : undefined;
  if (!isJsonArray(cases) || cases.length === 0) throw new Error(`${file} has no cases`);
  const inputs = new Map<string, Json>();
  return cases.map((one) => {
    const name = String(getOwn(one as JsonObject, 'name'));
    const input = expand(getOwn(one as JsonObject, 'input') ?? null, inputs);
    inputs.set(name, input);
    return { name, input, expected: getOwn(one as JsonObject, 'expected') ?? null };
  });
}

/** Expands `{"$repeat": …}`, and `{"$same": name}` whose other members are added to that case's input. */
function expand(value: Json, inputs: ReadonlyMap<string, Json>): Json {
  if (isJsonArray(value)) return value.map((element) => expand(element, inputs));
  if (!isJsonObject(value)) return value;
  const repeat = getOwn(value, '$repeat');
  if (isJsonObject(repeat)) return String(getOwn(repeat, 'text')).repeat(Number(getOwn(repeat, 'times')));
  const copy: MutableJsonObject = {};
  const same = getOwn(value, '$same');
  if (typeof same === 'string') {
    const other = inputs.get(same);
    if (!isJsonObject(other ?? null)) throw new Error(`there is no case ${same} before this one`);
    Object.assign(copy, other as JsonObject);
  }
  for (const key of Object.keys(value))
    if (key !== '$same') setOwn(copy, key, expand(value[key] as Json, inputs));
  return copy;
}

/** A value with every text that holds JSON, under `arguments` or `content`, replaced by that JSON: key order in it says nothing. */
export function withParsedTexts(value: Json): Json {
  if (isJsonArray(value)) return value.map(withParsedTexts);
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key] as Json;
    const parsed =
      (key === 'arguments' || key === 'content') && typeof member === 'string' && /^[[{"]/.test(member)
        ? parseJson(member).value
        : undefined;
    setOwn(copy, key, parsed ?? withParsedTexts(member));
  }
  return copy;
}
