import {
  type AnyFormat,
  exportDocument,
  exportDocuments,
  exportValue,
  type Format,
  type Issue,
  type Json,
  type JsonObject,
  joinDocuments,
  type Outer,
  type Report,
  type Storyline,
  storyCollection,
  storylineFormat,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { toyEntries, toyRows } from './toy-formats.ts';

function story(session: string, head: Partial<Storyline> = {}): Storyline {
  return {
    schema_version: 'storyline/v1',
    session,
    agent: { id: 'a' },
    turns: [{ id: 1, src: 'user', msg: session }],
    ...head,
  };
}

const foreign: Partial<Storyline> = {
  unknown_fields: { sources: { elsewhere: { source_document_id: 'd', fields: { '/x': [1] } } } },
  unknown_key_counts: { elsewhere: { '/x': 1 } },
};

async function joined(
  format: AnyFormat,
  outer: Outer,
  stories: readonly Storyline[],
  indent = 0,
): Promise<{ text: string; issues: Issue[]; whole: boolean }> {
  const issues: Issue[] = [];
  let text = '';
  const pieces = joinDocuments(outer, exportDocuments(format, storyCollection(stories), { outer, indent }), {
    indent,
    issue: (issue) => issues.push(issue),
  });
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { text, issues, whole: next.value };
    text += next.value;
  }
}

async function gathered<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('export', () => {
  test('entries: root, records by key, a line break at the end', () => {
    const { text, issues } = exportDocument(toyEntries, [story('b', { run: 'r' }), story('a', { run: 'r' })]);
    expect(issues).toEqual([]);
    expect(text).toBe(
      '{"run":"r","items":{"a":{"turns":[{"id":1,"src":"user","msg":"a"}]},"b":{"turns":[{"id":1,"src":"user","msg":"b"}]}}}\n',
    );
  });

  test('indented text is that of JSON.stringify, in every container', async () => {
    const stories = [story('a', { run: 'r', ...foreign }), story('b', { run: 's' })];
    for (const format of [toyEntries, storylineFormat] as AnyFormat[]) {
      for (const outer of ['document', 'array'] as const) {
        const some = outer === 'document' ? stories.slice(0, 1) : stories;
        const { text, whole } = await joined(format, outer, some, 2);
        expect(whole).toBe(true);
        expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
        expect(exportDocument(format, some, { outer, indent: 2 }).text).toBe(text);
      }
    }
    for (const outer of ['document', 'array'] as const) {
      const { text } = await joined(toyRows, outer, [story('a', { ...foreign }), story('b')], 2);
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    }
    const empty = await joined(toyRows, 'document', [story('a', { turns: [] })], 2);
    expect(empty.text).toBe('');
    expect(empty.issues).toMatchObject([{ code: 'core/nothing-written', severity: 'error' }]);
    const one = await joined(toyRows, 'document', [story('a', { turns: [] }), story('b')]);
    expect(JSON.parse(one.text).rows).not.toEqual([]);
    expect(one.issues).toMatchObject([{ code: 'core/nothing-written', severity: 'loss' }]);
  });

  test('lines: a document a line, or a row a line', async () => {
    expect((await joined(storylineFormat, 'lines', [story('a'), story('b')])).text.split('\n')).toEqual([
      JSON.stringify(story('a')),
      JSON.stringify(story('b')),
      '',
    ]);
    expect((await joined(toyRows, 'lines', [story('a'), story('b')])).text).toBe(
      '{"s":"a","n":0,"turn":{"id":1,"src":"user","msg":"a"}}\n{"s":"b","n":0,"turn":{"id":1,"src":"user","msg":"b"}}\n',
    );
  });

  test('several documents become an array where the format has one', () => {
    expect(exportValue(storylineFormat, [story('a'), story('b')]).value).toEqual([story('a'), story('b')]);
    expect(exportValue(storylineFormat, [story('a')]).value).toEqual(story('a'));
    expect(exportValue(storylineFormat, [story('a'), story('b')], { outer: 'lines' }).value).toEqual([
      story('a'),
      story('b'),
    ]);
  });

  test('O17: several documents in one plain document are an error that names -o FOLDER, and no text', async () => {
    const { text, issues, whole } = await joined(storylineFormat, 'document', [story('a'), story('b')]);
    expect([text, whole]).toEqual(['', false]);
    expect(issues).toMatchObject([{ code: 'core/several-documents', severity: 'error' }]);
    expect(issues[0]?.message).toContain('-o FOLDER');
    expect(exportDocument(storylineFormat, [story('a'), story('b')], { outer: 'document' }).issues).toEqual(
      issues,
    );
    expect(
      exportDocument(toyRows, [story('a', { run: '1' }), story('b', { run: '2' })]).issues[0]?.code,
    ).toBe('core/several-documents');
  });

  test('no document: an error for a document, an empty array for an array', async () => {
    expect((await joined(storylineFormat, 'document', [])).issues.map((issue) => issue.code)).toEqual([
      'core/no-documents',
    ]);
    expect((await joined(storylineFormat, 'array', [])).text).toBe('[]\n');
    expect(exportDocument(storylineFormat, []).issues.map((issue) => issue.code)).toEqual([
      'core/no-documents',
    ]);
  });

  test('G7: a document that fails leaves nothing behind; the others are written', async () => {
    const bad = story('bad', { agent: {} as Storyline['agent'] });
    for (const outer of ['array', 'lines'] as const) {
      const { text, issues, whole } = await joined(storylineFormat, outer, [story('a'), bad, story('b')]);
      expect(whole).toBe(true);
      const expected = exportDocument(storylineFormat, [story('a'), story('b')], { outer });
      expect(text).toBe(expected.text);
      expect(issues).toMatchObject([{ code: 'storyline/missing-key', at: { pointer: '/agent', record: 2 } }]);
    }
    expect(exportDocument(storylineFormat, [bad])).toMatchObject({
      text: '',
      issues: [{ code: 'storyline/missing-key' }],
    });
  });

  test('garbage handed in is an issue, not an exception', () => {
    for (const garbage of [null, 1, 'x', [], { turns: 5 }, { turns: [null] }, undefined]) {
      const head = { ...(garbage as object | null), turns: undefined };
      const collection = {
        heads: () => [head as unknown as Storyline],
        read: () => garbage as unknown as Storyline,
      };
      expect(collection.read()).toBe(garbage);
      const { issues } = exportDocument(toyEntries, [garbage as unknown as Storyline]);
      expect(issues.some((issue) => issue.severity === 'error')).toBe(true);
    }
  });

  test('records with one key would be read back as one: an error', () => {
    for (const format of [toyEntries, toyRows] as AnyFormat[]) {
      const { text, issues } = exportDocument(format, [
        story('a', { trajectory: 'x' }),
        story('a', { trajectory: 'y' }),
      ]);
      expect(text).toBe('');
      expect(issues.filter((issue) => issue.severity === 'error')).toMatchObject([
        { code: 'core/duplicate-record-key', at: { record: 2 } },
      ]);
    }
  });

  test('a root that already has an envelope is an error', () => {
    const taken: Format<object> = {
      ...toyEntries,
      writer: { ...toyEntries.writer, root: () => ({ _storyline: 1 }) } as never,
    };
    expect(exportDocument(taken, [story('a')]).issues[0]?.code).toBe('core/envelope-taken');
  });
});

describe('the driver', () => {
  const writerThat = (writer: object): AnyFormat => ({
    ...(toyEntries as AnyFormat),
    writer: { ...toyEntries.writer, ...writer } as never,
  });

  test('a writer that throws fails its document; the others go on', async () => {
    const moody = writerThat({
      group: (head: Storyline) => head.session,
      write(storyline: Storyline) {
        if (storyline.session === 'b') throw new RangeError('oops');
        return [{ key: storyline.session, value: null }];
      },
    });
    const { text, issues, whole } = await joined(moody, 'lines', [story('a'), story('b'), story('c')]);
    expect([text, whole]).toEqual(['{"items":{"a":null}}\n{"items":{"c":null}}\n', true]);
    expect(issues).toMatchObject([
      { code: 'core/writer-fault', severity: 'error', message: expect.stringContaining('RangeError: oops') },
    ]);
    for (const broken of [
      writerThat({ write: () => [{ value: 1 }] }),
      writerThat({
        frame: () => {
          throw 1;
        },
      }),
    ]) {
      expect(exportDocument(broken, [story('a')])).toMatchObject({
        text: '',
        issues: [{ code: 'core/writer-fault' }],
      });
    }
  });

  test('broken input of the collection goes through', async () => {
    const broken = { heads: () => [story('a')], read: () => Promise.reject(new Error('disk')) };
    const [document] = await gathered(exportDocuments(toyEntries, broken));
    await expect(gathered(document?.text() ?? [])).rejects.toThrow('disk');
  });

  test('reads each Storyline once, twice with carry, and in the order of the document', async () => {
    for (const carry of [false, true]) {
      const reads: number[] = [];
      const stories = ['c', 'a', 'b'].map((session) => story(session, foreign));
      const collection = {
        heads: () => stories,
        read(index: number) {
          reads.push(index);
          return Promise.resolve(stories[index] as Storyline);
        },
      };
      const [document, ...others] = await gathered(exportDocuments(toyEntries, collection, { carry }));
      expect([document?.indexes, document?.count, others]).toEqual([[1, 2, 0], 1, []]);
      const text = (await gathered(document?.text() ?? [])).join('');
      expect(reads).toEqual(carry ? [1, 2, 0, 1, 2, 0] : [1, 2, 0]);
      expect(`${text}\n`).toBe(exportDocument(toyEntries, stories, { carry }).text);
    }
  });

  test('more than 1,000 issues of one code are counted', () => {
    const chatty = writerThat({
      write(storyline: Storyline, _frame: unknown, report: Report) {
        for (let index = 0; index < 2_500; index += 1)
          report('loss', 'toy/lost', `/turns/${index}`, 'one of many losses');
        return [{ key: storyline.session, value: null }];
      },
    });
    const { text, issues } = exportDocument(chatty, [story('a')]);
    expect(text).not.toBe('');
    expect(issues.length).toBe(1_001);
    expect(issues.at(-1)).toMatchObject({
      code: 'core/more-issues',
      severity: 'loss',
      message: expect.stringMatching(/^1500 more/),
    });
    expect(exportDocument(chatty, [story('a')], { strict: true }).text).toBe('');
  });

  test('the text of a document can be pulled once', async () => {
    const [document] = await gathered(exportDocuments(toyEntries, storyCollection([story('a')])));
    await gathered(document?.text() ?? []);
    await expect(gathered(document?.text() ?? [])).rejects.toThrow('once');
  });

  test('a long document that fails late spoils its file, and says so', async () => {
    const long = story('a', { turns: [{ id: 1, src: 'user', msg: 'x'.repeat(33 * 1024 * 1024) }] });
    const bad = story('b', { turns: [{ id: 1, src: '', msg: 1 }] });
    const { issues, whole, text } = await joined(toyEntries, 'array', [long, bad, story('c', { run: 'r' })]);
    expect(whole).toBe(false);
    expect(text.length).toBeGreaterThan(33 * 1024 * 1024);
    expect(issues.map((issue) => issue.code)).toEqual(['storyline/empty-text', 'core/document-cut']);
    // A document that is short enough to be held back spoils nothing.
    const other = await joined(toyEntries, 'array', [
      { ...long, turns: [{ id: 1, src: 'user', msg: 'x' }] },
      bad,
      story('c', { run: 'r' }),
    ]);
    expect([other.whole, other.text]).toEqual([
      true,
      exportDocument(toyEntries, [story('c', { run: 'r' })], { outer: 'array' }).text,
    ]);
  });

  test('a format without a writer, or without such a container, is a mistake of the caller', () => {
    const { writer: _, ...readOnly } = toyEntries as AnyFormat;
    expect(() => exportDocument(readOnly, [story('a')])).toThrow('has no writer');
    const noLines: AnyFormat = { ...(toyEntries as AnyFormat), containers: [toyEntries.containers[0]] };
    expect(() => exportDocument(noLines, [story('a')], { outer: 'lines' })).toThrow(
      'no container that the driver can write as lines',
    );
    const external: AnyFormat = {
      ...noLines,
      containers: [
        {
          kind: 'external',
          magic: new Uint8Array(),
          open: () => {
            throw new Error();
          },
        },
      ],
    };
    expect(() => exportDocument(external, [story('a')])).toThrow('no container that the driver can write');
  });
});

describe('envelope of foreign residuals (G13)', () => {
  const envelope = (carrier: string): JsonObject => ({
    unknown_fields: {
      version: 1,
      by_trajectory: {
        [carrier]: { sources: { elsewhere: { source_document_id: 'd', fields: { '/x': [1] } } } },
      },
    },
  });

  test('G13: entries carry it at the entry, rows at the first row of the story only', () => {
    const two: Storyline['turns'] = [
      { id: 1, src: 'user', msg: 1 },
      { id: 2, src: 'user', msg: 2 },
    ];
    expect(exportValue(toyEntries, [story('x/y', foreign), story('b')]).value).toMatchObject({
      _storyline: envelope('/items/x~1y'),
    });
    expect(
      exportValue(toyRows, [story('a', { turns: two }), story('b', { turns: two, ...foreign })]).value,
    ).toMatchObject({
      _storyline: envelope('/rows/2'),
    });
  });

  test('no foreign residuals, no envelope; own residuals never travel in it', () => {
    const own: Partial<Storyline> = {
      unknown_fields: { sources: { 'toy-entries': { source_document_id: 'd', fields: { '/x': 1 } } } },
      unknown_key_counts: { 'toy-entries': { '/x': 1 } },
    };
    expect(exportValue(toyEntries, [story('a', own)]).value).not.toHaveProperty('_storyline');
  });

  test('G13: an array or lines of rows cannot hold it: a loss that names the object container', () => {
    for (const outer of ['array', 'lines'] as const) {
      const { text, issues } = exportDocument(toyRows, [story('a', foreign)], { outer });
      expect(text).not.toContain('elsewhere');
      expect(issues).toMatchObject([
        { code: 'core/no-envelope', severity: 'loss', at: { pointer: '/unknown_fields/sources/elsewhere' } },
      ]);
      expect(issues[0]?.message).toContain('object container');
    }
  });

  test('G7: a Storyline that rows cannot hold does not take the others of its document along', async () => {
    const bad = { ...story('b'), turns: [1, 1].map((id) => ({ id, src: 'x', msg: null })) };
    const { text, issues, whole } = await joined(toyRows, 'document', [story('a'), bad, story('c')]);
    expect(whole).toBe(true);
    expect(issues.filter(({ severity }) => severity === 'error').map(({ at }) => at.record)).toEqual([2]);
    expect(new Set(JSON.parse(text).rows.map(({ s }: { s: string }) => s))).toEqual(new Set(['a', 'c']));
    const none = await joined(toyRows, 'document', [bad]);
    expect(none.text).toBe('');
    expect(none.issues.every(({ code }) => code.startsWith('storyline/'))).toBe(true);
  });

  test('G14: under strict a loss fails the document', () => {
    expect(exportDocument(toyRows, [story('a', foreign)], { outer: 'array', strict: true }).text).toBe('');
    expect(exportDocument(toyRows, [story('a')], { outer: 'array', strict: true }).text).not.toBe('');
  });
});

test('G14: losses are counted by pointer, with one of its kind named exactly', () => {
  const turns = Array.from({ length: 100_000 }, (_, id) => ({ id, src: 'user', msg: null as Json, nllm: 1 }));
  const { issues } = exportDocument(toyRows, [story('a', { turns, notes: 'n' })]);
  expect(
    issues.map(({ code, severity, at, message }) => ({
      code,
      severity,
      pointer: at.pointer,
      counted: message.includes('100000 times'),
    })),
  ).toEqual([
    { code: 'core/not-expressible', severity: 'loss', pointer: '/turns/*/nllm', counted: true },
    { code: 'core/not-expressible', severity: 'loss', pointer: '/notes', counted: false },
  ]);
});
