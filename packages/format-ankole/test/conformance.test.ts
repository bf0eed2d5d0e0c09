import { describeFormat } from '@pchronicle/conformance/vitest';
import { getOwn, isJsonArray, type Json, type JsonObject } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ankole, normaliseAnkole } from '../src/index.ts';
import { chatml, itemRows, jobPage, page } from './support/generate.ts';
import { writtenBack } from './support/round-trip.ts';
import { vectorCases } from './support/vectors.ts';

const [conversation] = vectorCases('21');
const pages = getOwn(vectorCases('24')[0]?.input as JsonObject, 'pages');
const [bare] = vectorCases('04');
const job = isJsonArray(pages) ? (pages[0] ?? null) : null;

describeFormat(ankole, {
  samples: [
    { name: 'a page of a conversation', document: conversation?.input ?? null },
    { name: 'a page of a job', document: job },
    { name: 'two pages of a job', document: pages ?? null },
    { name: 'a ChatML document', document: bare?.input ?? null },
  ],
  documents: fc.oneof<fc.Arbitrary<Json>[]>(page, chatml, jobPage),
  normalise: normaliseAnkole,
  numRuns: 60,
});

describe('G1: what comes in goes out', () => {
  test('rows of one turn', () => {
    fc.assert(
      fc.property(itemRows, (rows) => {
        expect(writtenBack(rows)).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });

  test('pages of one conversation in an array, rows and a conversation object among them', () => {
    fc.assert(
      fc.property(page, page, (first, second) => {
        const rows = (getOwn(second, 'messages') as Json[]).map((row) => ({ ...(row as JsonObject) }));
        const document = [first, { conversation: { id: 'conv', kind: 'job', odd: 1 } }, ...rows];
        expect(writtenBack(document)).toEqual(document);
      }),
      { numRuns: 60 },
    );
  });
});
