import { join } from 'node:path';
import { arbitraryMutation } from '@pchronicle/conformance';
import { getOwn, isJsonObject, type Json, type JsonObject, stringify } from '@pchronicle/storyline-core';
import Ajv2020 from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actf, importActf } from '../src/index.ts';
import * as shapes from '../src/shapes.ts';
import { arbitraryActf } from './generate-actf.ts';
import { casesOf, object, readJson } from './support/cases.ts';

const schema = object(readJson(join(import.meta.dirname, '../src/schema/actf.schema.json')));
const ajv = new Ajv2020.default({ allErrors: true, strict: true, allowUnionTypes: true });
const validate = ajv.compile(JSON.parse(stringify(schema)));

/** Codes of what a schema can say about a document; all others are about how its values go together. */
const shapeCodes = [
  'actf/missing-key',
  'actf/wrong-type',
  'actf/blank-text',
  'actf/not-positive',
  'actf/bad-time',
  'actf/schema-version',
  'actf/no-attempts',
];

/** Whether schema and reader agree about a document; numbers as doubles, since that is all ajv knows. */
function agree(document: Json): boolean | undefined {
  const plain = JSON.parse(stringify(document).replaceAll('1e400', '1e300')) as Json;
  if (!isJsonObject(plain)) return undefined;
  const { _storyline: _, ...rest } = plain;
  const codes = importActf(rest)
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);
  const faults = codes.filter((code) => shapeCodes.includes(code));
  if (validate(rest)) {
    // A time that the pattern accepts may still not exist (month 13).
    expect(faults.filter((code) => code !== 'actf/bad-time')).toEqual([]);
    return true;
  }
  // Attempts are not looked at when there are more or fewer of them than the root says.
  if (!codes.includes('actf/attempts-tried'))
    expect(faults, JSON.stringify(validate.errors?.[0])).not.toEqual([]);
  return false;
}

describe('the JSON Schema and the reader agree', () => {
  test('about the conformance cases', () => {
    const verdicts = casesOf('actf')
      .filter(({ op, at }) => op !== 'export' && at === undefined)
      .map(({ input }) => agree(input));
    expect(verdicts.filter((verdict) => verdict === true).length).toBeGreaterThan(50);
    expect(verdicts.filter((verdict) => verdict === false).length).toBeGreaterThan(10);
  });

  test('about generated documents', () => {
    fc.assert(
      fc.property(arbitraryActf(), (document) => agree(document) === true),
      { numRuns: 100 },
    );
  });

  test('about damaged documents', () => {
    let refused = 0;
    fc.assert(
      fc.property(arbitraryMutation(arbitraryActf()), (document) => {
        if (agree(document) === false) refused += 1;
      }),
      { numRuns: 200 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});

test('the schema and the reader know the same keys', () => {
  const keysAt = (...path: readonly string[]): readonly string[] => {
    let at: Json = schema;
    for (const key of path) at = getOwn(object(at), key) ?? null;
    return Object.keys(object(getOwn(object(at), 'properties'))).sort();
  };
  const known = (shape: object): readonly string[] => Object.keys(shape).sort();
  const step = ['$defs', 'step', 'properties'] as const;
  expect(keysAt()).toEqual([...known(shapes.ROOT), 'attempts'].sort());
  expect(keysAt('$defs', 'attempt')).toEqual(known(shapes.ATTEMPT));
  expect(keysAt('$defs', 'trajectory')).toEqual(known(shapes.TRAJECTORY));
  expect(keysAt('$defs', 'step')).toEqual(known(shapes.STEP));
  expect(keysAt(...step, 'assistant_content')).toEqual(known(shapes.CONTENT));
  expect(keysAt(...step, 'metric')).toEqual(known(shapes.METRIC));
  expect(keysAt(...step, 'observation', 'items')).toEqual(known(shapes.OBSERVATION));
  expect(keysAt('$defs', 'tool')).toEqual(known(shapes.TOOL));
  expect(keysAt('$defs', 'tool', 'properties', 'function')).toEqual(known(shapes.FUNCTION));
  expect((schema as JsonObject).$id).toBe(actf.schema.id);
});
