import { readFileSync } from 'node:fs';
import {
  collectIssues,
  getPointer,
  type Issue,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  readStoryline,
  setOwn,
} from '@pchronicle/storyline-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, anyText, anyWireStoryline, walk } from '../arbitrary-storyline.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../src/schema/storyline.schema.json', import.meta.url), 'utf8'),
) as object;
const validates = new Ajv2020({ strict: false, ownProperties: true }).compile(schema);

/** Rules that a JSON Schema cannot say. */
const SEMANTIC = new Set([
  'storyline/empty-task',
  'storyline/duplicate-turn-id',
  'storyline/duplicate-tool-call-id',
  'storyline/counts-mismatch',
  'storyline/bad-residual-pointer',
]);

function isShape(issue: Issue, document: Json): boolean {
  if (issue.code !== 'storyline/bad-time') return !SEMANTIC.has(issue.code);
  const value = getPointer(document, issue.at.pointer);
  return typeof value !== 'string' && typeof value !== 'number';
}

/** The document with JS numbers only: what ajv sees. */
function plain(value: Json): Json {
  if (isJsonNumber(value)) return Number.isFinite(Number(value)) ? Number(value) : 1;
  if (isJsonArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, plain(value[key] as Json));
  return copy;
}

/** The document with the value at a path replaced, or dropped where the new one is `undefined`. */
function replaced(value: Json, path: readonly (string | number)[], to: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (isJsonArray(value)) {
    const inner = replaced(value[Number(step)] as Json, rest, to);
    const copy = [...value];
    copy.splice(Number(step), 1, ...(inner === undefined ? [] : [inner]));
    return copy;
  }
  const copy: MutableJsonObject = {};
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const inner = key === step ? replaced(member, rest, to) : member;
    if (inner !== undefined) setOwn(copy, key, inner);
  }
  return copy;
}

const mutated = fc
  .tuple(
    anyWireStoryline,
    fc.nat(),
    fc.oneof(
      fc.constant(undefined),
      fc.constantFrom<Json>(
        null,
        '',
        0,
        -1,
        1.5,
        true,
        [],
        {},
        [''],
        { system: '' },
        { system: '', user: '' },
        { '': 1 },
      ),
      anyJson,
    ),
    fc.option(anyText),
  )
  .map(([wire, at, to, newKey]): Json => {
    const document = plain(wire);
    const paths = [...walk(document)];
    const path = paths[at % paths.length] ?? [];
    const old = path.reduce<Json>((value, step) => (value as JsonObject)[step] as Json, document);
    if (newKey !== null && isJsonObject(old)) {
      const grown: MutableJsonObject = { ...old };
      setOwn(grown, newKey, to === undefined ? null : plain(to));
      return replaced(document, path, grown) ?? null;
    }
    return replaced(document, path, to === undefined ? undefined : plain(to)) ?? null;
  });

describe('the published JSON Schema and the reader agree', () => {
  test('on valid documents', () => {
    fc.assert(
      fc.property(anyWireStoryline, (wire) => {
        expect(validates(plain(wire)), JSON.stringify(validates.errors)).toBe(true);
      }),
    );
  });

  test('on documents with one thing changed', () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(mutated, (document) => {
        const { report, issues } = collectIssues();
        const story = readStoryline(document, report);
        const valid = validates(document);
        if (story !== undefined)
          expect(valid, `accepted, but ${JSON.stringify(validates.errors)}`).toBe(true);
        if (issues.some((issue) => isShape(issue, document)))
          expect(valid, JSON.stringify(issues)).toBe(false);
        if (story === undefined) {
          expect(issues.some((issue) => issue.severity === 'error')).toBe(true);
          refused += 1;
        } else accepted += 1;
      }),
      { numRuns: 1500 },
    );
    // Both sides of the law were met.
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  });
});
