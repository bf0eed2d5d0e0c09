import { equalJson, getPointer, type Json, stringify } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { importActf } from '../src/index.ts';
import { type Case, casesOf } from './support/cases.ts';

const cases = casesOf('actf');
const of = (op: string, at?: string): readonly Case[] =>
  cases.filter((one) => one.op === op && one.at === at);

function imported(input: Json): Json {
  const { storylines, issues } = importActf(input);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  return storylines as unknown as Json;
}

function check(result: Json, one: Case): void {
  if (one.expected !== undefined) expect(stringify(result)).toBe(stringify(result));
  if (one.expected !== undefined && !equalJson(result, one.expected)) expect(result).toEqual(one.expected);
  for (const { pointer, value, absent, absent_or: either } of one.pointers) {
    const found = getPointer(result, pointer);
    if (absent === true) expect(found, pointer).toBeUndefined();
    else if (either !== undefined)
      expect(found === undefined || equalJson(found, either), pointer).toBe(true);
    else if (found === undefined || value === undefined || !equalJson(found, value))
      expect(found, pointer).toEqual(value);
  }
}

describe('import', () => {
  test.each(of('import'))('$name', (one) => {
    check(imported(one.input), one);
  });
});
describe('reject', () => {
  test.each(of('reject'))('$name', (one) => {
    const { storylines, issues } = importActf(one.input);
    expect(storylines).toEqual([]);
    const errors = issues.filter((issue) => issue.severity === 'error');
    console.log(
      one.name,
      errors.map((e) => `${e.code} ${e.at.pointer} ${e.message}`),
    );
    for (const text of one.errorContains)
      expect(
        errors
          .map((e) => `${e.message} ${e.at.pointer}`)
          .join('\n')
          .toLowerCase(),
      ).toContain(text.toLowerCase());
  });
});
