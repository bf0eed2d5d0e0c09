import { join } from 'node:path';
import { differences } from '@pchronicle/conformance';
import {
  equalJson,
  getPointer,
  type Issue,
  type Json,
  parseJson,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { exportActf, importActf, normaliseActf } from '../src/index.ts';
import { type Case, casesOf, fixtures, object, readJson } from './support/cases.ts';

const cases = casesOf('actf');
const of = (op: string): readonly Case[] => cases.filter((one) => one.op === op);

/** Case name → code and pointer of the error that rejects it. */
const rejections = object(readJson(join(fixtures, 'rejections.json')));

function errorsAmong(issues: readonly Issue[]): readonly Issue[] {
  return issues.filter((issue) => issue.severity === 'error');
}

function imported(input: Json): Json {
  const { storylines, issues } = importActf(input);
  expect(errorsAmong(issues)).toEqual([]);
  return storylines.map(storylineToJson);
}

function exported(storylines: Json): Json {
  const { text, issues } = exportActf(storylines as unknown as readonly Storyline[]);
  expect(errorsAmong(issues)).toEqual([]);
  return parseJson(text).value ?? null;
}

function compare(result: Json, { expected, pointers }: Case): void {
  expect(expected !== undefined || pointers.length > 0).toBe(true);
  if (expected !== undefined) expect(differences(expected, result)).toEqual([]);
  for (const { pointer, value, absent, absent_or: either } of pointers) {
    const found = getPointer(result, pointer);
    if (absent === true) expect(found, pointer).toBeUndefined();
    else if (either !== undefined)
      expect(found === undefined || equalJson(found, either), pointer).toBe(true);
    else expect(differences(value as Json, found ?? null), pointer).toEqual([]);
  }
}

describe('import', () => {
  // What a case marks contested or silent is settled by decisions.md: A1-A5, A9, A12, A15 and A18, and all cases stand as written.
  test.each(of('import'))('$name', (one) => compare(imported(one.input), one));
});

describe('export', () => {
  // G17: a counter without a source is null. A10: attempts_tried is the number written.
  test.each(of('export'))('$name', (one) => compare(exported(one.input), one));
});

describe('round trip', () => {
  test.each(of('roundtrip'))('$name', (one) => {
    const first = imported(one.input);
    const document = exported(first);
    compare(document, one);
    expect(differences(normaliseActf(one.input), document)).toEqual([]);
    if (!one.lossy) expect(differences(first, imported(document))).toEqual([]);
  });
});

describe('reject', () => {
  test.each(of('reject'))('$name', (one) => {
    const { issues, ...result } =
      one.at === 'export' ? exportActf(one.input as unknown as readonly Storyline[]) : importActf(one.input);
    expect(result).toEqual(one.at === 'export' ? { text: '' } : { storylines: [] });
    const errors = errorsAmong(issues);
    expect(errors.map(({ code, at }) => ({ code, pointer: at.pointer }))).toEqual(rejections[one.name]);
    const said = errors.map(({ message, at }) => `${message} ${at.pointer}`.toLowerCase()).join('\n');
    for (const text of one.errorContains) expect(said).toContain(text.toLowerCase());
  });

  test('every rejection has its code and pointer, and every one in the table is a case', () => {
    expect(Object.keys(rejections).sort()).toEqual(
      of('reject')
        .map((one) => one.name)
        .sort(),
    );
  });
});

test('every case is run', () => {
  expect(cases.length).toBeGreaterThan(80);
  expect(cases.filter((one) => !['import', 'export', 'roundtrip', 'reject'].includes(one.op))).toEqual([]);
});
