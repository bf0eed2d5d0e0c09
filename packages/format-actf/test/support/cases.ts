import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getOwn, isJsonObject, type Json, type JsonObject, parseJson } from '@pchronicle/storyline-core';

/** Folder of this package's fixtures. */
export const fixtures = join(import.meta.dirname, '../../fixtures');

/** One conformance case, read with the exact parser. */
export interface Case {
  readonly name: string;
  readonly op: string;
  readonly at: string | undefined;
  readonly input: Json;
  readonly expected: Json | undefined;
  readonly pointers: readonly {
    readonly pointer: string;
    readonly value?: Json;
    readonly absent?: true;
    readonly absent_or?: Json;
  }[];
  readonly errorContains: readonly string[];
  readonly lossy: boolean;
}

/** Reads a JSON file exactly. */
export function readJson(path: string): Json {
  const { value, issues } = parseJson(readFileSync(path));
  if (value === undefined) throw new Error(`${path}: ${issues[0]?.message}`);
  return value;
}

/** All cases of a folder of fixtures. */
export function casesOf(folder: string): readonly Case[] {
  return readdirSync(join(fixtures, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const value = readJson(join(fixtures, folder, file));
      if (!isJsonObject(value)) throw new Error(`${file} is no object`);
      const text = (key: string): string | undefined => getOwn(value, key) as string | undefined;
      return {
        name: text('name') ?? file,
        op: text('op') ?? '',
        at: text('at'),
        input: getOwn(value, 'input') ?? null,
        expected: getOwn(value, 'expected'),
        pointers: (getOwn(value, 'expected_pointers') ?? []) as unknown as Case['pointers'],
        errorContains: (getOwn(value, 'expected_error_contains') ?? []) as readonly string[],
        lossy: getOwn(value, 'lossy') === true,
      };
    });
}

/** A JSON object. */
export function object(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('an object was expected');
  return value;
}
