import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, parseJson } from '@pchronicle/storyline-core';
import { expect, onTestFailed } from 'vitest';
import { differences } from '../../../../../packages/conformance/src/index.ts';

/** Folder of the repository. */
export const root = join(import.meta.dirname, '../../../../..');

/** Folder of the real public files, which are never committed; tests over them are skipped without it. */
export const corpus = process.env.PCHRONICLE_CORPUS;

/** Parses text exactly, or bytes. */
export function exact(text: string | Uint8Array): Json {
  const { value, issues } = parseJson(text, { keepFloats: true, nonFinite: 'keep' });
  if (value === undefined) throw new Error(issues[0]?.message);
  return value;
}

/** Reads a JSON file exactly. */
export function readJson(path: string): Json {
  return exact(readFileSync(path));
}

/** Reads a JSON file of the corpus. */
export function readCorpus(path: string): Json {
  return readJson(join(corpus ?? '', path));
}

/** Fails with the first differences between what was found and what was expected; numbers by mathematical value, key order ignored. */
export function expectEqual(found: Json | undefined, wanted: Json, what = ''): void {
  if (found === undefined) throw new Error(`${what}: there is nothing`);
  const different = differences(wanted, found);
  // A whole document is too long to be shown, so the assertion compares the first places that differ.
  expect(different.slice(0, 5), what).toEqual([]);
}

const seed = Number(process.env.PCHRONICLE_SEED ?? Date.now() % 0x7fffffff);

/** Parameters for `count` generated documents: others each time, unless PCHRONICLE_SEED says which. A test that fails says which they were. */
export function generated(count: number): { readonly numRuns: number; readonly seed: number } {
  onTestFailed(() => console.error(`to see the same documents again: PCHRONICLE_SEED=${seed}`));
  return { numRuns: count, seed };
}
