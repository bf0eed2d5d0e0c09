import {
  canonicalJson,
  exportDocument,
  importDocument,
  JsonNumber,
  type Outer,
  type Storyline,
  storylineFormat,
  storylineToJson,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStoryline } from '../arbitrary-storyline.ts';

const exact = (stories: readonly Storyline[]): string[] =>
  stories.map((story) => canonicalJson(storylineToJson(story)));

describe('Storyline files', () => {
  test('G1, G2, G3: any Storylines come back exactly, in every container', () => {
    fc.assert(
      fc.property(
        fc.array(anyStoryline, { minLength: 1, maxLength: 3 }),
        fc.constantFrom<Outer>('array', 'lines', 'document'),
        fc.constantFrom(0, 2),
        (some, outer, indent) => {
          const stories = outer === 'document' ? some.slice(0, 1) : some;
          const { text, issues } = exportDocument(storylineFormat, stories, { outer, indent });
          expect(issues).toEqual([]);
          const back = importDocument(storylineFormat, text);
          expect(back.issues.filter((issue) => issue.severity !== 'info')).toEqual([]);
          expect(exact(back.storylines)).toEqual(exact(stories));
        },
      ),
    );
  });

  test('G19: numbers that JSON cannot write stand in an auxiliary source, only when there are any', () => {
    const numbers = ['NaN', 'Infinity', '-Infinity'].map((raw) => new JsonNumber(raw));
    const story: Storyline = {
      schema_version: 'storyline/v1',
      session: 's',
      agent: { id: 'a', extra: { 'a/b': numbers } },
      turns: [{ id: 1, src: 'agent', msg: numbers[0] ?? null }],
      unknown_fields: { sources: { forkline: { source_document_id: 'd', fields: { '/x': numbers } } } },
      unknown_key_counts: { forkline: { '/x': 1 } },
    };
    const { text, issues } = exportDocument(storylineFormat, [story]);
    expect(issues).toEqual([]);
    const written = JSON.parse(text) as Storyline;
    expect(written.unknown_fields?.sources['storyline-numbers']?.fields).toEqual({
      '/agent/extra/a~1b/0': 'NaN',
      '/agent/extra/a~1b/1': 'Infinity',
      '/agent/extra/a~1b/2': '-Infinity',
      '/turns/0/msg': 'NaN',
      '/unknown_fields/sources/forkline/fields/~1x/0': 'NaN',
      '/unknown_fields/sources/forkline/fields/~1x/1': 'Infinity',
      '/unknown_fields/sources/forkline/fields/~1x/2': '-Infinity',
    });
    expect(exact(importDocument(storylineFormat, text).storylines)).toEqual(exact([story]));
  });

  test('G19: an auxiliary source that does not fit is kept as it is', () => {
    for (const fields of [{ '/turns/7/msg': 'NaN' }, { '/notes': 5 }, { '/notes': '1' }]) {
      const story: Storyline = {
        schema_version: 'storyline/v1',
        session: 's',
        agent: { id: 'a' },
        turns: [],
        unknown_fields: { sources: { 'storyline-numbers': { source_document_id: 's', fields } } },
        unknown_key_counts: {
          'storyline-numbers': Object.fromEntries(Object.keys(fields).map((pointer) => [pointer, 1])),
        },
      };
      expect(importDocument(storylineFormat, JSON.stringify(story)).storylines).toEqual([story]);
    }
  });

  test('G10: nothing is repaired; the good ones of an array go through (G7)', () => {
    const good = { schema_version: 'storyline/v1', session: 's', agent: { id: 'a' }, turns: [] };
    const { storylines, issues } = importDocument(
      storylineFormat,
      JSON.stringify([good, { ...good, session: '' }, good]),
    );
    expect(storylines).toEqual([good, good]);
    expect(issues.map(({ code, at }) => [code, at.record, at.pointer])).toEqual([
      ['storyline/empty-text', 2, '/session'],
    ]);
  });
});
