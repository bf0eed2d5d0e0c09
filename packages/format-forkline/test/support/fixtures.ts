import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '@pchronicle/storyline-core';
import { expect } from 'vitest';
import { parsePythonJson, pythonJson } from '../../src/python/index.ts';

/** A file of the vectors, as text. */
export function fixtureText(path: string): string {
  return readFileSync(fixturePath(path), 'utf8');
}

/** The path of a file of the vectors. */
export function fixturePath(path: string): string {
  return new URL(`../../fixtures/${path}`, import.meta.url).pathname;
}

/** JSON as Python reads it; fails the test when it is none. */
export function python(text: string): Json {
  const parsed = parsePythonJson(text);
  if ('fault' in parsed) throw new Error(`${parsed.fault.message}: ${text.slice(0, 80)}`);
  return parsed.value;
}

/** A JSON file of the vectors, floats apart from integers. */
export function fixture<T = JsonObject>(path: string): T {
  return python(fixtureText(path)) as unknown as T;
}

/** Compares two values with their number types, through Python's JSON text. */
export function expectSame(actual: unknown, expected: unknown): void {
  expect(pythonJson(actual as Json)).toBe(pythonJson(expected as Json));
}

/** Prints how many comparisons a vector made; the total is asserted, so that a vector cannot shrink unseen. */
export function counted(vector: string, count: number, expected: number): void {
  console.log(`vector ${vector}: ${count} comparisons`);
  expect(count).toBe(expected);
}
