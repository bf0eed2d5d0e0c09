import {
  type AnyFormat,
  canonicalJson,
  exportDocument,
  exportValue,
  getPointer,
  importDocument,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  parseJson,
  type Report,
  type Storyline,
  storylineFormat,
  storylineToJson,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStoryline } from '../arbitrary-storyline.ts';
import { toyEntries, toyRows } from './toy-formats.ts';

const formats: readonly AnyFormat[] = [storylineFormat, toyEntries, toyRows];

function exact(storylines: readonly Storyline[]): string[] {
  return storylines.map((story) => canonicalJson(storylineToJson(story)));
}

function throughText(format: AnyFormat, stories: readonly Storyline[]): { back: string[]; codes: string[] } {
  const { text, issues } = exportDocument(format, stories, { carry: true });
  const imported = importDocument(format, text);
  const severe = [...issues, ...imported.issues].filter(
    (issue) => issue.severity === 'error' || issue.severity === 'loss',
  );
  return { back: exact(imported.storylines), codes: severe.map((issue) => issue.code) };
}

const story: Storyline = {
  schema_version: 'storyline/v1',
  session: 's',
  agent: { id: 'a', model: 'm' },
  turns: [{ id: 1, src: 'user', msg: 'q', nllm: 1 }],
  notes: 'n',
};

describe('carry (G14): the way back is exact', () => {
  for (const format of formats) {
    test(`${format.id}: for any Storyline, alone`, () => {
      fc.assert(
        fc.property(anyStoryline, (original) => {
          // A Storyline without turns gives no row, which is told as a loss.
          fc.pre(format !== toyRows || original.turns.length > 0);
          const { back, codes } = throughText(format, [original]);
          expect(codes).toEqual([]);
          expect(back).toEqual(exact([original]));
        }),
      );
    });

    test(`${format.id}: for several Storylines in one document`, () => {
      fc.assert(
        fc.property(
          fc.uniqueArray(anyStoryline, { selector: (one) => one.session, minLength: 2, maxLength: 4 }),
          (some) => {
            const stories = some.map(({ run: _, ...one }) => one).filter((one) => one.turns.length > 0);
            const { back, codes } = throughText(format, stories);
            expect(codes).toEqual(stories.length === 0 ? ['core/no-documents', ...codes.slice(1)] : []);
            expect([...back].sort()).toEqual(exact(stories).sort());
          },
        ),
        { numRuns: 50 },
      );
    });
  }

  test('what the target expresses is not carried; what it does not is, whole, with null for what is to be absent', () => {
    const { text, issues } = exportDocument(toyEntries, [story], { carry: true });
    const value = parseJson(text).value as JsonObject;
    const block = getPointer(value, '/_storyline/unknown_fields/by_trajectory/~1items~1s/sources/storyline');
    expect(block).toEqual({
      source_document_id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      fields: { '/agent': story.agent, '/turns': story.turns, '/notes': 'n' },
    });
    expect(issues.map(({ code, severity, at }) => [code, severity, at.pointer])).toEqual([
      ['core/not-expressible', 'info', '/agent/model'],
      ['core/not-expressible', 'info', '/turns/0/nllm'],
      ['core/not-expressible', 'info', '/notes'],
    ]);
    // toy-rows has no place for the run, so its reader gives none; toy-entries reads one from its root.
    const { text: other } = exportDocument(
      toyRows,
      [{ ...story, agent: { id: 'toy' }, notes: 'n', turns: [{ id: 1, src: 'user', msg: 'q' }] }],
      { carry: true },
    );
    expect(other).toContain('"fields":{"/notes":"n"}');
  });

  test('nothing is carried when nothing differs', () => {
    const plain: Storyline = {
      schema_version: 'storyline/v1',
      session: 's',
      agent: { id: 'toy' },
      turns: [{ id: 1, src: 'user', msg: 'q' }],
    };
    for (const format of formats)
      expect(exportDocument(format, [plain], { carry: true }).text).not.toContain('_storyline');
  });

  test('an edited document stands as it is, with a warning', () => {
    for (const [format, edit] of [
      [toyEntries, (text: string) => text.replace('"msg":"q"', '"msg":"edited"')],
      [toyEntries, (text: string) => text.replace('{"items"', '{"run":"added","items"')],
      [toyRows, (text: string) => text.replace('"msg":"q"', '"msg":"edited"')],
    ] as [AnyFormat, (text: string) => string][]) {
      const { text } = exportDocument(format, [story], { carry: true });
      const edited = edit(text);
      expect(edited).not.toBe(text);
      const { storylines, issues } = importDocument(format, edited);
      expect(issues).toMatchObject([{ code: 'core/carry-ignored', severity: 'warning' }]);
      expect(storylines[0]?.notes).toBeUndefined();
      expect(storylines[0]?.unknown_fields).toBeUndefined();
    }
  });

  test('white space, key order and the order of rows are no edit', () => {
    const two: Storyline = { ...story, turns: [...story.turns, { id: 2, src: 'agent', msg: 1 }] };
    const { value } = exportValue(toyRows, [two], { carry: true });
    const { rows, _storyline } = value as { rows: JsonObject[]; _storyline: JsonObject };
    const shuffled = JSON.stringify(
      {
        _storyline,
        rows: [...rows].reverse().map((row) => Object.fromEntries(Object.entries(row).reverse())),
      },
      null,
      3,
    );
    expect(exact(importDocument(toyRows, shuffled).storylines)).toEqual(exact([two]));
  });

  test('a block that makes no valid Storyline, or names no member, is ignored with a warning', () => {
    const { value } = exportValue(toyEntries, [story], { carry: true });
    for (const fields of [
      { '/session': null },
      { '/turns': 5 },
      { '/agent/model': 'x' },
      { '': 1 },
      { '/turns/9/nllm': '1' },
      { '/x': 1 },
    ] as JsonObject[]) {
      const damaged = structuredClone(value) as {
        _storyline: {
          unknown_fields: { by_trajectory: { [key: string]: { sources: { storyline: { fields: Json } } } } };
        };
      };
      const carrier = damaged._storyline.unknown_fields.by_trajectory['/items/s'];
      if (carrier === undefined) throw new Error('no carrier');
      carrier.sources.storyline.fields = fields;
      const { storylines, issues } = importDocument(toyEntries, JSON.stringify(damaged));
      expect(
        issues.map((issue) => issue.code),
        JSON.stringify(fields),
      ).toEqual(['core/carry-ignored']);
      expect(storylines[0]?.agent).toEqual({ id: 'toy' });
    }
  });

  test('numbers that JSON or the format would change come back: NaN, infinities, kept floats', () => {
    const numbers = ['NaN', 'Infinity', '-Infinity', '1.0', '1e2', '-0.0', '1e400'].map(
      (raw) => new JsonNumber(raw),
    );
    const original: Storyline = {
      ...story,
      turns: [{ id: 1, src: 'user', msg: numbers, extra: { 'a/b': numbers } }],
      meta: numbers,
    };
    for (const format of formats) {
      const { text } = exportDocument(format, [original], { carry: true });
      expect(() => JSON.parse(text)).not.toThrow();
      expect(exact(importDocument(format, text).storylines)).toEqual(exact([original]));
    }
  });

  test('without carry, NaN in a target is a loss', () => {
    const { text, issues } = exportDocument(toyRows, [
      { ...story, turns: [{ id: 1, src: 'user', msg: new JsonNumber('NaN') }] },
    ]);
    expect(text).toContain('"msg":null');
    expect(issues.filter((issue) => issue.code === 'core/non-finite-number')).toMatchObject([
      { severity: 'loss' },
    ]);
  });

  test('a container without a root object cannot carry: a loss', () => {
    const { issues } = exportDocument(toyRows, [story], { carry: true, outer: 'lines' });
    expect(issues.map(({ code, severity }) => [code, severity])).toContainEqual(['core/no-carry', 'loss']);
    expect(
      issues
        .filter((issue) => issue.code === 'core/not-expressible')
        .every((issue) => issue.severity === 'loss'),
    ).toBe(true);
  });

  test('a block that another implementation passed through survives beside a new one', () => {
    const passed: Storyline = {
      ...story,
      unknown_fields: {
        sources: { storyline: { source_document_id: 'sha256:0', fields: { '/notes': 'old' } } },
      },
      unknown_key_counts: { storyline: { '/notes': 1 } },
    };
    for (const format of formats) expect(throughText(format, [passed]).back).toEqual(exact([passed]));
  });

  test('a format that does not read back what it wrote is told', () => {
    const throwing = (): never => {
      throw new RangeError('oops');
    };
    const refusing = (_part: unknown, report: Report): never[] => {
      report('error', 'toy/refused', '/items', 'the toy refuses its own words');
      return [];
    };
    for (const [reader, why] of [
      [{ toStorylines: () => [] }, 'it gives 0 Storylines'],
      [{ toStorylines: throwing }, 'RangeError: oops'],
      [{ frame: () => undefined }, 'it gives 0 Storylines'],
      [{ toStorylines: refusing }, 'the toy refuses its own words (toy/refused at /items)'],
    ] as [object, string][]) {
      const deaf = { ...toyEntries, reader: { ...toyEntries.reader, ...reader } } as unknown as AnyFormat;
      const { text, issues } = exportDocument(deaf, [story], { carry: true });
      expect(text).toBe('');
      const errors = issues.filter((issue) => issue.severity === 'error');
      expect(errors).toMatchObject([{ code: 'core/not-rereadable', message: expect.stringContaining(why) }]);
      expect(isJsonObject(exportValue(deaf, [story]).value)).toBe(true);
    }
    const { reader: _, ...mute } = toyEntries;
    expect(exportDocument(mute as unknown as AnyFormat, [story], { carry: true }).issues.at(-1)?.code).toBe(
      'core/not-rereadable',
    );
  });
});
