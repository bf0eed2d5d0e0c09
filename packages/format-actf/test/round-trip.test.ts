import { differences } from '@pchronicle/conformance';
import { type Json, parseJson, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportActf, importActf, normaliseActf } from '../src/index.ts';
import { arbitraryActf } from './generate-actf.ts';

function roundTrip(document: Json): Json {
  const { storylines, issues } = importActf(document);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  const exported = exportActf(storylines);
  expect(exported.issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  return parseJson(exported.text).value as Json;
}

test('G1: what is imported and exported is the normal form', () => {
  fc.assert(
    fc.property(arbitraryActf(), (document) => {
      const found = differences(normaliseActf(document), roundTrip(document));
      if (found.length > 0)
        throw new Error(
          found
            .slice(0, 4)
            .map(
              (d) =>
                `${d.pointer}: normal ${d.left === undefined ? '-' : stringify(d.left)} found ${d.right === undefined ? '-' : stringify(d.right)}`,
            )
            .join('\n'),
        );
    }),
    { numRuns: Number(process.env.RUNS ?? 200) },
  );
});

test('G1: normalise is idempotent', () => {
  fc.assert(
    fc.property(arbitraryActf(), (document) => {
      const normal = normaliseActf(document);
      expect(differences(normal, normaliseActf(normal))).toEqual([]);
    }),
    { numRuns: Number(process.env.RUNS ?? 200) },
  );
});
