import {
  arbitraryJson,
  arbitraryStoryline,
  type Difference,
  differences,
  pointersOf,
} from '@pchronicle/conformance';
import { type Json, parseJson, type Storyline, storylineToJson, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportActf, importActf, normaliseActf } from '../src/index.ts';
import { arbitraryActf } from './generate-actf.ts';
import { accepted, back } from './support/documents.ts';

const show = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : stringify(value).slice(0, 200);

function mustBeNone(found: readonly Difference[]): void {
  const lines = found
    .slice(0, 5)
    .map(({ pointer, left, right }) => `${pointer}: ${show(left)} ≠ ${show(right)}`);
  if (found.length > 0) throw new Error(lines.join('\n'));
}

test('the generator reaches every corner: all sources of residuals, all notable issues', () => {
  const sources = new Set<string>();
  const codes = new Set<string>();
  for (const document of fc.sample(arbitraryActf(), 400)) {
    const { storylines, issues } = accepted(document);
    for (const one of storylines)
      for (const source of Object.keys(one.unknown_fields?.sources ?? {})) sources.add(source);
    for (const { code } of issues) codes.add(code);
  }
  expect([...sources].sort()).toEqual(['actf', 'actf-layout', 'openai-msg', 'openclaw', 'vendor']);
  expect([...codes].sort()).toEqual([
    'actf/openclaw-events',
    'actf/reused-tool-id',
    'actf/stand-in-time',
    'actf/unexpected-tool-value',
    'actf/unmatched-tool-result',
    'actf/unused-argument-form',
    'actf/unused-function-name',
    'core/unknown-key',
  ]);
});

test('G1: what is imported and exported is the normal form', () => {
  const property = fc.property(arbitraryActf(), (document) => {
    mustBeNone(differences(normaliseActf(document), back(document).document));
  });
  fc.assert(property, { numRuns: 200 });
});

test('G1: the normal form is its own normal form', () => {
  const property = fc.property(arbitraryActf(), (document) => {
    const normal = normaliseActf(document);
    mustBeNone(differences(normal, normaliseActf(normal)));
  });
  fc.assert(property, { numRuns: 200 });
});

test('G1: normalising never throws, and leaves its argument as it is', () => {
  const property = fc.property(arbitraryJson({ depth: 5 }), arbitraryActf(), (json, document) => {
    normaliseActf(json);
    const before = stringify(document);
    normaliseActf(document);
    expect(stringify(document)).toBe(before);
  });
  fc.assert(property, { numRuns: 100 });
});

test('a second writing is the first, issues included', () => {
  const property = fc.property(arbitraryActf(), (document) => {
    const first = back(document);
    const second = exportActf(accepted(first.document).storylines);
    mustBeNone(differences(first.document, parseJson(second.text).value ?? null));
  });
  fc.assert(property, { numRuns: 100 });
});

/** Storylines with residuals of ACTF that nobody vouches for: any pointer of the document, any value. */
const vandalised = fc
  .tuple(
    arbitraryActf(),
    fc.array(fc.tuple(fc.nat(), arbitraryJson({ depth: 1 })), { minLength: 1, maxLength: 3 }),
  )
  .map(([document, edits]): readonly Storyline[] => {
    const { storylines } = importActf(document);
    const places = pointersOf(document).filter(
      (pointer) => pointer !== '' && !pointer.startsWith('/_storyline'),
    );
    const fields = Object.fromEntries(
      edits.map(([at, value]) => [places[at % places.length] ?? '/x', value]),
    );
    return storylines.map((one) => {
      const { unknown_key_counts: _, unknown_fields: known, ...rest } = one;
      const own = known?.sources.actf ?? { source_document_id: one.run ?? '', fields: {} };
      const actf = { ...own, fields: { ...own.fields, ...fields } };
      return { ...rest, unknown_fields: { sources: { ...known?.sources, actf } } };
    });
  });

test('exporting never throws: it gives a document that is read again, or says why not', () => {
  const any = fc.array(arbitraryStoryline({ turns: 3 }), { maxLength: 3 });
  const grouped = fc
    .array(arbitraryStoryline({ turnIds: 'increasing' }), { minLength: 2, maxLength: 3 })
    .map((stories) => stories.map((one, index) => ({ ...one, run: 'R', attempt_id: `a${index}` })));
  let written = 0;
  const property = fc.property(fc.oneof(any, grouped, vandalised), (storylines) => {
    const { text, issues } = exportActf(storylines);
    const errors = issues.filter(({ severity }) => severity === 'error');
    expect(text === '').toBe(errors.length > 0);
    if (text === '') return;
    written += 1;
    const again = importActf(text);
    expect(again.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(again.storylines).toHaveLength(storylines.length);
  });
  fc.assert(property, { numRuns: 200 });
  expect(written).toBeGreaterThan(20);
});

test('G14: with carry, any Storylines of one document come back exactly', () => {
  const stories = fc
    .array(arbitraryStoryline({ turnIds: 'increasing' }), { minLength: 1, maxLength: 3 })
    .map((list) => list.map((one, index) => ({ ...one, run: 'R', attempt_id: `a${index}` })));
  let written = 0;
  const property = fc.property(stories, (storylines) => {
    const { text, issues } = exportActf(storylines, { carry: true });
    if (issues.some(({ severity }) => severity === 'error')) return;
    written += 1;
    mustBeNone(
      differences(storylines.map(storylineToJson), importActf(text).storylines.map(storylineToJson)),
    );
  });
  fc.assert(property, { numRuns: 100 });
  expect(written).toBeGreaterThan(30);
});
