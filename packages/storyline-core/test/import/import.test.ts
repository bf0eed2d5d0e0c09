import { describe, expect, test } from 'vitest';
import type { AnyFormat, ExternalDocument, Reader } from '../../src/format.ts';
import { importStorylines } from '../../src/import/import.ts';
import { importDocument } from '../../src/import/import-document.ts';
import { tallyUnknownKeys } from '../../src/import/unknown-keys.ts';
import { IssueError } from '../../src/issue.ts';
import { JsonNumber } from '../../src/json/value.ts';
import { bytesSource } from '../../src/source/bytes.ts';
import type { Storyline } from '../../src/storyline.ts';
import { DOCUMENTS, ENTRIES, ROWS, testFormat, valuesOf } from './formats.ts';
import { eventsOf, eventsOfText, summarise, syntheticSource } from './sources.ts';

const documents = testFormat(DOCUMENTS);
const entries = testFormat(ENTRIES);
const rows = testFormat(ROWS);
const lines = async (text: string, format: AnyFormat, options = {}) =>
  summarise(await eventsOfText(text, format, options));

describe('G7: a bad document in a batch', () => {
  test('array: an element that does not parse is rejected alone, with its bytes', async () => {
    const text = '[{"a":1}, {"b" 2}, {"fail":3}, {"c":4}]';
    const events = await eventsOfText(text, documents);
    expect(summarise(events)).toStrictEqual([
      'document 0',
      'storyline none ',
      'end true 1 1-8',
      'document 1',
      'error json/syntax /b @15',
      'end false 0 10-17',
      'document 2',
      'error toy/fail /fail @27',
      'end false 0 19-29',
      'document 3',
      'storyline none ',
      'end true 1 31-38',
    ]);
    const places = events.flatMap((event) => (event.type === 'issue' ? [event.issue.at] : []));
    expect(places).toStrictEqual([
      { source: 'file', record: 2, line: 1, column: 16, offset: 15, pointer: '/b' },
      { source: 'file', record: 3, line: 1, column: 28, offset: 27, pointer: '/fail' },
    ]);
  });
  test('a key of broken UTF-8 or with a wrong escape says so at its byte, in the root and inside', async () => {
    const faults = [
      ['{"a\xffb":1,"attempts":{}}', 'json/invalid-utf8', 3],
      ['{"attempts":{"a\xff":1}}', 'json/invalid-utf8', 15],
      ['{"a\\qb":1,"attempts":{}}', 'json/syntax', 3],
    ] as const;
    for (const [text, code, offset] of faults) {
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const events = await eventsOf(bytesSource('file', bytes), entries);
      const issues = events.flatMap((event) => (event.type === 'issue' ? [event.issue] : []));
      expect(issues.map((issue) => [issue.code, issue.at.offset])).toEqual([[code, offset]]);
    }
  });
  test('array: where the structure breaks, what stands before is imported and the rest is one issue', async () => {
    for (const text of [
      '[{"a":1},{"b":2} {"c":3},{"d":4}]',
      '[{"a":1},{"b":2},,{"c":3}]',
      '[{"a":1},{"b":2}',
    ]) {
      const events = summarise(await eventsOfText(text, documents));
      expect(events.slice(0, 6)).toStrictEqual([
        'document 0',
        'storyline none ',
        'end true 1 1-8',
        'document 1',
        'storyline none ',
        'end true 1 9-16',
      ]);
      expect(events.slice(6).map((line) => line.split(' ')[0])).toStrictEqual(['document', 'error', 'end']);
    }
  });
  test('lines: line, record and column of the place', async () => {
    const events = await eventsOfText('{"a":1}\n\n  {"b":\n{"c":[1,{"fail":1}]}\n{"x":[{"d":x}]}', documents);
    expect(events.flatMap((event) => (event.type === 'issue' ? [event.issue.at] : []))).toStrictEqual([
      { source: 'file', record: 2, line: 3, column: 8, offset: 16, pointer: '/b' },
      { source: 'file', record: 4, line: 5, column: 12, offset: 49, pointer: '/x/0/d' },
    ]);
  });
  test('a document is one unit: one bad attempt rejects it, and all its faults are told', async () => {
    const text = '{"attempts":{"1":{"fail":1},"2":{"ok":1},"3":{"fail":1},"4":{"a":x}}}';
    expect(await lines(text, entries)).toStrictEqual([
      'document 0',
      'error toy/fail /attempts/1/fail @25',
      'error toy/fail /attempts/3/fail @53',
      'error json/syntax /attempts/4/a @65',
      'end false 0 0-69',
    ]);
  });
  test('with salvage the good records are kept, with an issue each for the others', async () => {
    const text = '{"attempts":{"1":{"fail":1},"2":{"ok":1},"4":{"a":x}}}';
    expect(await lines(text, entries, { salvage: true })).toStrictEqual([
      'document 0',
      'error toy/fail /attempts/1/fail @25',
      'warning core/record-dropped /attempts/1 @17',
      'storyline 2 /attempts/2',
      'error json/syntax /attempts/4/a @50',
      'warning core/record-dropped /attempts/4 @45',
      'end true 1 0-54',
    ]);
    // In memory, a document that is no JSON gives nothing.
    expect(importDocument(entries, text, { salvage: true }).storylines).toStrictEqual([]);
    const json = text.replace('x', '0');
    expect(importDocument(entries, json, { salvage: true }).storylines.map(valuesOf)).toStrictEqual([
      [{ ok: 1 }],
      [{ a: 0 }],
    ]);
    expect(importDocument(entries, json).storylines).toStrictEqual([]);
  });
  test('salvage keeps the attempts before a truncation, but nothing of a document whose frame is rejected', async () => {
    expect(await lines('{"attempts":{"1":{"a":1},"2":{"b":', entries, { salvage: true })).toStrictEqual([
      'document 0',
      'error json/truncated /attempts/2/b @34',
      'storyline 1 /attempts/1',
      'error json/truncated /attempts/2/b @34',
      'warning core/record-dropped /attempts/2 @29',
      'end true 1 0-34',
    ]);
    expect(await lines('{"failFrame":1,"attempts":{"1":{"a":1}}}', entries, { salvage: true })).toStrictEqual(
      ['document 0', 'error toy/frame /failFrame @13', 'end false 0 0-40'],
    );
  });
  test('rows: a row that does not parse rejects its session, one without session only itself', async () => {
    const text =
      '{"session":"a","step":1}\n{"session":"b","step":1,"x":tru}\n{"step":\n{"session":"a","step":2}\n{"session":"b","step":2}\n{"session":"c","step":1}';
    expect(await lines(text, rows)).toStrictEqual([
      'document 0 a',
      'storyline a /rows/0',
      'end true 1 0-24 67-91',
      'document 1 b',
      'error json/syntax /rows/1/x @53',
      'end false 0 25-57 92-116',
      'document 2',
      'error json/truncated /rows/2/step @66',
      'end false 0 58-66',
      'document 3 c',
      'storyline c /rows/5',
      'end true 1 117-141',
    ]);
  });
  test('rows: what is wrong with the root rejects the file', async () => {
    expect(await lines('{"rows":[{"session":"a"}],"x":[1,}', rows)).toStrictEqual([
      'document 0',
      'error json/syntax /x/1 @33',
      'end false 0 0-34',
    ]);
    expect(await lines('{"rows":[{"session":"a"}],"failFrame":1}', rows)).toStrictEqual([
      'document 0',
      'error toy/frame /failFrame @38',
      'end false 0 0-40',
    ]);
  });
});

describe('A14: the root members of a big document', () => {
  test('are handed over whole, wherever they stand, without the records and the envelope', () => {
    const roots: unknown[] = [];
    const spying = testFormat(ENTRIES, {
      reader: {
        ...(entries.reader as Reader<never, never>),
        frame: (document) => {
          roots.push({ ...document });
          return {};
        },
      },
    });
    importDocument(
      spying,
      '{"a":1,"attempts":{"10":1,"2":2},"b":{"c":[9007199254740993]},"_storyline":{"unknown_fields":{"version":1,"by_trajectory":{}}}}',
      { source: 'f' },
    );
    importDocument(spying, '{"attempts":{}}', { source: 'f' });
    importDocument(spying, '{"attempts":[1],"a":1}', { source: 'f' });
    importDocument(spying, '{"a":1}', { source: 'f' });
    const at = { source: 'f', offset: 0, pointer: '' };
    expect(roots).toStrictEqual([
      { root: { a: 1, b: { c: [new JsonNumber('9007199254740993')] } }, keys: ['10', '2'], source: 'f', at },
      { root: { attempts: {} }, keys: [], source: 'f', at },
      { root: { attempts: [1], a: 1 }, keys: [], source: 'f', at },
      { root: { a: 1 }, keys: [], source: 'f', at },
    ]);
  });
});

describe('G5: duplicate keys', () => {
  test('of the root, of the map of records and of a record: the last one wins, with a warning each', async () => {
    const text = '{"x":1,"attempts":{"a":{"old":1},"a":{"v":1,"v":2}},"x":2}';
    const { storylines, issues } = importDocument(entries, text);
    expect(storylines.map(valuesOf)).toStrictEqual([[{ v: 2 }]]);
    expect(issues.map(({ code, severity, at }) => [code, severity, at.pointer, at.offset])).toStrictEqual([
      ['json/duplicate-key', 'warning', '/attempts/a', 33],
      ['json/duplicate-key', 'warning', '/attempts/a/v', 44],
      ['json/duplicate-key', 'warning', '/x', 52],
    ]);
  });
  test('the map of records itself twice', () => {
    const { storylines, issues } = importDocument(entries, '{"attempts":{"a":1,"b":2},"attempts":{"b":3}}');
    expect(storylines.map(valuesOf)).toStrictEqual([[3]]);
    expect(issues.map(({ at }) => at.pointer)).toStrictEqual(['/attempts']);
    expect(
      importDocument(rows, '{"rows":[{"session":"a"}],"rows":[{"session":"b"}]}').storylines.map(
        ({ session }) => session,
      ),
    ).toStrictEqual(['b']);
  });
});

describe('G6: non-finite tokens', () => {
  test('are errors by default, null with a warning each when asked for, kept where the format wants them', () => {
    const text = '[{"a":NaN},{"b":1}]';
    expect(importDocument(documents, text).storylines.map(valuesOf)).toStrictEqual([[{ b: 1 }]]);
    const lenient = importDocument(documents, text, { nonFinite: 'null' });
    expect(lenient.storylines.map(valuesOf)).toStrictEqual([[{ a: null }], [{ b: 1 }]]);
    expect(lenient.issues.map(({ code, severity }) => [code, severity])).toStrictEqual([
      ['json/non-finite', 'warning'],
    ]);
    const keeping = testFormat(DOCUMENTS, { nonFinite: 'keep', keepFloats: true });
    const kept = importDocument(keeping, '{"a":NaN,"b":1.0}');
    expect(kept.storylines.map(valuesOf)).toStrictEqual([
      [{ a: new JsonNumber('NaN'), b: new JsonNumber('1.0') }],
    ]);
    expect(kept.issues).toStrictEqual([]);
  });
});

describe('G9: unknown keys', () => {
  const withResiduals = (fields: (pointer: string) => Record<string, number>): AnyFormat => {
    const inner = entries.reader as Reader<unknown, unknown>;
    const reader: Reader<unknown, unknown> = {
      ...inner,
      *toStorylines(part, report) {
        for (const story of inner.toStorylines(part, report)) {
          const sources = {
            actf: { source_document_id: 'd', fields: fields(`/attempts/${story.session}`) },
            other: { source_document_id: 'd', fields: { '/x': 1 } },
          };
          yield { ...story, unknown_fields: { sources } } as Storyline;
        }
      },
    };
    return testFormat(ENTRIES, { id: 'actf', reader: reader as never });
  };
  test('one warning for each normalised pointer with its count; the root key that all stories repeat counts once', () => {
    const format = withResiduals((pointer) => ({
      '/vendor': 1,
      [`${pointer}/trajectory/steps/0/x`]: 1,
      [`${pointer}/trajectory/steps/1/x`]: 1,
    }));
    const { issues } = importDocument(format, '[{"attempts":{"a":1,"b":2}},{"attempts":{"a":1}}]', {
      source: 'f',
    });
    expect(
      issues.map(({ code, severity, at, message }) => [
        code,
        severity,
        at,
        message.match(/\d+ times|once/)?.[0],
      ]),
    ).toStrictEqual([
      [
        'core/unknown-key',
        'warning',
        { source: 'f', pointer: '/attempts/a/trajectory/steps/*/x' },
        '4 times',
      ],
      [
        'core/unknown-key',
        'warning',
        { source: 'f', pointer: '/attempts/b/trajectory/steps/*/x' },
        '2 times',
      ],
      ['core/unknown-key', 'warning', { source: 'f', pointer: '/vendor' }, '2 times'],
    ]);
  });
});

describe('G9: a flood of unknown keys', () => {
  test('is told for a thousand pointers, and summed up for the others', () => {
    const tally = tallyUnknownKeys('toy');
    const fields = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`/attempts/a/k${index}`, 1]),
    );
    const story = {
      unknown_fields: { sources: { toy: { source_document_id: 'd', fields } } },
    } as unknown as Storyline;
    tally.add(story, ['/attempts/a']);
    tally.add(story, ['/attempts/a']);
    const issues = tally.issues('f');
    expect(issues.length).toBe(1001);
    expect(issues[0]?.message).toContain('2 times');
    expect([issues.at(-1)?.code, issues.at(-1)?.message.match(/^\d+/)?.[0]]).toStrictEqual([
      'core/more-issues',
      '1000',
    ]);
  });
  // Looking through all rows for each residual would take longer than a test may.
  test('a session of 300,000 rows with a residual each is counted', () => {
    const rows = Array.from({ length: 300_000 }, (_, index) => `/rows/${index}`);
    const fields = Object.fromEntries(rows.map((row) => [`${row}/x`, 1]));
    const story = {
      unknown_fields: { sources: { toy: { source_document_id: 'd', fields } } },
    } as unknown as Storyline;
    const tally = tallyUnknownKeys('toy');
    tally.add(story, rows);
    expect(tally.issues('f').at(-1)?.message).toMatch(/^299000 more unknown keys /);
  }, 30_000);
});

describe('G13: the _storyline envelope', () => {
  const envelope = (carriers: Record<string, unknown>) =>
    JSON.stringify({ unknown_fields: { version: 1, by_trajectory: carriers } });
  const block = (value: number) => ({
    sources: { other: { source_document_id: 'd', fields: { '/x': value } } },
  });
  const residualsOf = (stories: readonly Storyline[]) =>
    stories.map(({ unknown_fields }) => unknown_fields?.sources.other?.fields['/x']);
  test('entries carry it at their pointer', () => {
    const text = `{"_storyline":${envelope({ '/attempts/a~1b': block(7) })},"attempts":{"a/b":1,"c":2}}`;
    const { storylines, issues } = importDocument(entries, text);
    expect(issues).toStrictEqual([]);
    expect(residualsOf(storylines)).toStrictEqual([7, undefined]);
  });
  test('rows: a block on every row is read and merged', () => {
    const text = `{"rows":[{"session":"s"},{"session":"t"},{"session":"s"}],"_storyline":${envelope({ '/rows/0': block(7), '/rows/2': block(7) })}}`;
    expect(residualsOf(importDocument(rows, text).storylines)).toStrictEqual([7, undefined]);
  });
  test('a document carries it at its root', () => {
    const { storylines } = importDocument(documents, `{"a":1,"_storyline":${envelope({ '': block(7) })}}`);
    expect(residualsOf(storylines)).toStrictEqual([7]);
    expect(storylines.map(valuesOf)).toStrictEqual([[{ a: 1 }]]);
  });
  test.each([
    [
      'an entry',
      entries,
      `{"attempts":{"a":1},"_storyline":${envelope({ '/attempts/b': block(1) })}}`,
      'core/envelope-unbound',
      '/_storyline/unknown_fields/by_trajectory/~1attempts~1b',
    ],
    [
      'a row',
      rows,
      `{"rows":[{"session":"s"}],"_storyline":${envelope({ '/rows/1': block(1) })}}`,
      'core/envelope-unbound',
      '/_storyline/unknown_fields/by_trajectory/~1rows~11',
    ],
    [
      'the root',
      documents,
      `{"a":1,"_storyline":${envelope({ '/x': block(1) })}}`,
      'core/envelope-unbound',
      '/_storyline/unknown_fields/by_trajectory/~1x',
    ],
    [
      'a wrong version',
      entries,
      '{"attempts":{"a":1},"_storyline":{"unknown_fields":{"version":2,"by_trajectory":{}}}}',
      'storyline/envelope-version',
      '/_storyline/unknown_fields/version',
    ],
    ['null', documents, '{"a":1,"_storyline":null}', 'storyline/envelope-shape', '/_storyline'],
  ])('%s that is bound to nothing or broken is an error', (_, format, text, code, pointer) => {
    const { storylines, issues } = importDocument(format, text);
    expect(storylines).toStrictEqual([]);
    expect(issues.map((issue) => [issue.code, issue.at.pointer])).toStrictEqual([[code, pointer]]);
  });
  test('carriers that the reader names are used instead of the default', () => {
    const reader = { ...(entries.reader as Reader<unknown, unknown>), carriers: () => ['/attempts/a/inner'] };
    const text = `{"attempts":{"a":1},"_storyline":${envelope({ '/attempts/a/inner': block(7) })}}`;
    const { storylines, issues } = importDocument(testFormat(ENTRIES, { reader: reader as never }), text);
    expect([residualsOf(storylines), issues]).toStrictEqual([[7], []]);
  });
});

describe('G18: limits, on bytes that exist nowhere', () => {
  const MB = 1024 * 1024;
  const long = { byte: 0x78, length: 40 * MB };
  const events = async (source: ReturnType<typeof syntheticSource>, format: AnyFormat, options = {}) => {
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const told: string[] = [];
    for await (const event of importStorylines(source, format, options)) {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      if (event.type !== 'progress') told.push(...summarise([event]));
    }
    expect(peak - before).toBeLessThan(24 * MB);
    return told;
  };
  test('a string of 300 MB is refused by default, without being held', async () => {
    const source = syntheticSource(['{"a":"', { byte: 0x78, length: 300 * MB }, '"}']);
    expect(await events(source, documents)).toStrictEqual([
      'document 0',
      'error core/value-too-large  @5',
      `end false 0 0-${300 * MB + 8}`,
    ]);
  });
  test('a long string in an element, an entry, a row, a root member and a key', async () => {
    const limits = { stringBytes: 8 * MB };
    const inPlace = (parts: Parameters<typeof syntheticSource>[0], format: AnyFormat) =>
      events(syntheticSource(parts), format, { limits });
    expect((await inPlace(['[{"a":"', long, '"},{"b":1}]'], documents)).slice(1)).toStrictEqual([
      'error core/value-too-large  @6',
      `end false 0 1-${40 * MB + 9}`,
      'document 1',
      'storyline none ',
      `end true 1 ${40 * MB + 10}-${40 * MB + 17}`,
    ]);
    const entry = await inPlace(['{"attempts":{"a":{"b":["', long, '"]},"c":1}}'], entries);
    expect(entry.slice(0, 2)).toStrictEqual(['document 0', 'error core/value-too-large /attempts/a @23']);
    const row = await inPlace(['[{"session":"a","x":"', long, '"},{"session":"b"}]'], rows);
    expect(row.slice(0, 5)).toStrictEqual([
      'document 0',
      'error core/value-too-large /rows/0 @20',
      `end false 0 1-${40 * MB + 23}`,
      'document 1 b',
      'storyline b /rows/1',
    ]);
    const member = await inPlace(['{"x":"', long, '","attempts":{"a":1}}'], entries);
    expect(member.slice(0, 2)).toStrictEqual(['document 0', 'error core/value-too-large /x @5']);
    const key = await inPlace(['{"', long, '":1}'], entries);
    expect(key.slice(0, 2)).toStrictEqual(['document 0', 'error core/value-too-large  @1']);
  });
  test('100,000 and 2,000,000 levels', async () => {
    const levels = 2_000_000;
    const source = syntheticSource([
      '[1,',
      { byte: 0x5b, length: levels },
      { byte: 0x5d, length: levels },
      ',2]',
    ]);
    const told = await events(source, documents);
    expect(told).toContain('error core/too-deep  @1003');
    expect(told.filter((line) => line.startsWith('storyline')).length).toBe(2);
    const deep = `{"attempts":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"b":1}}`;
    expect(await lines(deep, entries)).toContain('error core/too-deep /attempts/a @1017');
    expect(await lines(deep, entries, { salvage: true })).toContain('storyline b /attempts/b');
    expect(importDocument(entries, deep).issues.map((issue) => [issue.code, issue.at.offset])).toStrictEqual([
      ['core/too-deep', 1015],
    ]);
    expect(
      importDocument(documents, `{"a":${'['.repeat(100_000)}`).issues.map(({ code }) => code),
    ).toStrictEqual(['core/too-deep']);
  });
  test('a record over its limit', () => {
    const limits = { recordBytes: 20 };
    const text = '[{"a":"0123456789012345"},{"b":1}]';
    expect(importDocument(documents, text, { limits }).storylines.map(valuesOf)).toStrictEqual([[{ b: 1 }]]);
    const session = '{"session":"a","x":1}';
    const found = importDocument(rows, `[${session},{"session":"b"},${session}]`, {
      limits: { recordBytes: 30 },
    });
    expect(found.storylines.map(({ session: name }) => name)).toStrictEqual(['b']);
    expect(found.issues.map(({ code, at }) => [code, at.pointer])).toStrictEqual([
      ['core/value-too-large', '/rows/0'],
    ]);
  });
  test('a flood of issues is bounded, and told', () => {
    const { issues } = importDocument(documents, '[{"many":2500},{"many":1}]');
    expect(issues.filter(({ code }) => code === 'toy/many').length).toBe(1001);
    const [more, ...rest] = issues.filter(({ code }) => code === 'core/more-issues');
    expect([more?.severity, more?.message.match(/^\d+/)?.[0], rest.length]).toStrictEqual([
      'warning',
      '1500',
      0,
    ]);
  });
});

describe('readers', () => {
  const reading = (change: Partial<Reader<unknown, unknown>>) =>
    testFormat(ENTRIES, { reader: { ...(entries.reader as Reader<unknown, unknown>), ...change } as never });
  test('G7: an exception is an error that asks for a report, and the neighbours go on', async () => {
    expect(await lines('[{"attempts":{"a":{"throw":1}}},{"attempts":{"b":1}}]', entries)).toStrictEqual([
      'document 0',
      'error core/reader-fault /attempts/a @18',
      'end false 0 1-31',
      'document 1',
      'storyline b /attempts/b',
      'end true 1 32-52',
    ]);
    const throwing = reading({
      frame: () => {
        throw new Error('broken');
      },
    });
    expect(
      importDocument(throwing, '{"attempts":{"a":1}}').issues.map(({ code, message }) => [
        code,
        message.includes('please report'),
      ]),
    ).toStrictEqual([['core/reader-fault', true]]);
  });
  test('a rejection without a reason is told as a fault of the reader', () => {
    expect(
      importDocument(reading({ decode: () => undefined }), '{"attempts":{"a":1}}').issues.map(
        ({ code }) => code,
      ),
    ).toStrictEqual(['core/reader-fault']);
    expect(
      importDocument(reading({ frame: () => undefined }), '{"attempts":{"a":1}}').issues.map(
        ({ code }) => code,
      ),
    ).toStrictEqual(['core/reader-fault']);
  });
  test('a Storyline that breaks storyline-v1 rejects its record, at the record', () => {
    const bad = reading({
      toStorylines: () => [{ schema_version: 'storyline/v1', session: '', agent: { id: 'x' }, turns: [] }],
    });
    const { storylines, issues } = importDocument(bad, '{"attempts":{"a":1}}');
    expect(storylines).toStrictEqual([]);
    expect(issues.map(({ severity, at }) => [severity, at.pointer, at.offset])).toStrictEqual([
      ['error', '/attempts/a', 17],
    ]);
    expect(issues[0]?.message).toContain('/session');
  });
  test('a format without a reader is a mistake of the caller', () => {
    const { reader: _, ...writeOnly } = entries;
    expect(() => importDocument(writeOnly as AnyFormat, '{}')).toThrow(TypeError);
  });
});

describe('external containers', () => {
  const one: ExternalDocument = {
    root: {},
    at: { pointer: '' },
    values: () => [{ value: { a: 1 }, index: 0, at: { pointer: '' } }],
  };
  const external = (open: () => AsyncIterable<ExternalDocument>) =>
    testFormat([
      { kind: 'document', outer: 'document' },
      { kind: 'external', magic: new Uint8Array([0x53, 0x51, 0x4c]), open },
    ]);
  const source = bytesSource('file', 'SQLite');
  test('are recognised by their first bytes and opened by the format', async () => {
    const format = external(async function* () {
      yield one;
      yield one;
    });
    expect(summarise(await eventsOf(source, format))).toStrictEqual([
      'document 0',
      'storyline none ',
      'end true 1 0-6',
      'document 1',
      'storyline none ',
      'end true 1 0-6',
    ]);
    expect(summarise(await eventsOf(bytesSource('file', '{"a":1}'), format))).toStrictEqual([
      'document 0',
      'storyline none ',
      'end true 1 0-7',
    ]);
    expect(
      importDocument(format, new TextEncoder().encode('SQLite')).issues.map(({ code }) => code),
    ).toStrictEqual(['core/asynchronous-container']);
  });
  test('an opener that fails is told, with its own issues if it has some', async () => {
    const broken = external(async function* () {
      yield one;
      throw new Error('no database');
    });
    expect(summarise(await eventsOf(source, broken)).slice(2)).toStrictEqual([
      'end true 1 0-6',
      'error core/reader-fault  @undefined',
    ]);
    const located = external(async function* () {
      yield one;
      throw new IssueError([{ code: 'toy/wal', severity: 'error', message: 'no', at: { pointer: '/x' } }]);
    });
    expect(summarise(await eventsOf(source, located)).slice(3)).toStrictEqual([
      'error toy/wal /x @undefined',
    ]);
  });
});

describe('the asynchronous driver', () => {
  test('tells progress up to the size, and stops on abort', async () => {
    const source = syntheticSource([
      '[',
      ...Array.from({ length: 40 }, () => ['{"a":"', { byte: 0x78, length: 500_000 }, '"},'] as const).flat(),
      '{}]',
    ]);
    const told: number[] = [];
    for await (const event of importStorylines(source, documents))
      if (event.type === 'progress') told.push(event.bytes);
    expect(told.length).toBeGreaterThan(3);
    expect(told).toStrictEqual([...told].sort((left, right) => left - right));
    expect(told.at(-1)).toBe(source.size);
    const controller = new AbortController();
    const iterate = async () => {
      for await (const event of importStorylines(source, documents, { signal: controller.signal }))
        if (event.type === 'end') controller.abort(new Error('enough'));
    };
    await expect(iterate()).rejects.toThrow('enough');
  });
  test('broken I/O throws, also from inside of a reader', async () => {
    const bytes = new TextEncoder().encode(`[${'{"session":"s","step":1},'.repeat(60_000)}{}]`);
    const whole = bytesSource('file', bytes);
    let passes = 0;
    const readSync = (): number => {
      throw new Error('disk broken');
    };
    const read = (target: Uint8Array, position: number): number => {
      passes += 1;
      return whole.readSync(target, position);
    };
    await expect(eventsOf({ ...whole, read, readSync }, rows)).rejects.toThrow('disk broken');
    expect(passes).toBeGreaterThan(1);
    await expect(eventsOf({ name: 'file', size: 100, read: () => 0 }, documents)).rejects.toMatchObject({
      message: 'file ended at byte 0 of 100: it changed while it was read',
      code: 'ESTALE',
      syscall: 'read',
    });
  });
});

describe('importDocument', () => {
  test('a parsed value takes the same way as its text, without byte offsets', () => {
    const value = { attempts: { b: { n: new JsonNumber('1e400'), z: -0 }, a: { fail: true } } };
    const { issues } = importDocument(entries, value, { source: 'f' });
    expect(issues.map(({ code, at }) => [code, at])).toStrictEqual([
      ['toy/fail', { source: 'f', pointer: '/attempts/a/fail' }],
    ]);
    const { storylines } = importDocument(entries, { attempts: { b: value.attempts.b } });
    expect(storylines.map(valuesOf)).toStrictEqual([[{ n: new JsonNumber('1e400'), z: -0 }]]);
  });
  test('what is no JSON in it is an issue, not a crash', () => {
    const cycle: Record<string, unknown> = {};
    cycle.x = cycle;
    for (const value of [{ a: Number.NaN }, cycle, { a: () => 1 }, undefined, 1n, new Date(0)]) {
      const { storylines, issues } = importDocument(documents, value as never);
      expect(storylines).toStrictEqual([]);
      expect(issues.every(({ severity }) => severity === 'error')).toBe(true);
      expect(issues.length).toBe(1);
    }
    const left = importDocument(documents, { a: undefined, b: 1 } as never);
    expect(left.storylines.map(valuesOf)).toStrictEqual([[{ b: 1 }]]);
    expect(left.issues.map(({ severity, at }) => [severity, at.pointer])).toStrictEqual([['warning', '/a']]);
  });
});

describe('G7: what breaks is told once, where it breaks', () => {
  test.each([
    ['a truncated entry', entries, '{"x":1,"attempts":{"a":{"b":[1', ['json/truncated /attempts/a/b/1 @30']],
    ['a truncated root member', entries, '{"attempts":{"a":1},"x":{"y":', ['json/truncated /x/y @29']],
    [
      'brackets that do not match inside an entry',
      entries,
      '{"attempts":{"a":[1,"b":2}}',
      ['json/truncated  @27', 'json/syntax /attempts/a/2 @23'],
    ],
    [
      'brackets that do not match in the root',
      entries,
      '{"x":[1,"attempts":{"a":1}}',
      ['json/syntax /x/2 @18'],
    ],
    ['text behind the document', entries, '{"attempts":{"a":1}} x', ['json/syntax  @21']],
    [
      'a truncated row of a member',
      rows,
      '{"rows":[{"session":"s"},{"session":"t","x":[',
      ['json/truncated /rows/1/x/0 @45'],
    ],
    ['a truncated row of an array', rows, '[{"session":"s"},{"x":[', ['json/truncated /rows/1/x/0 @23']],
    ['rows without a comma', rows, '{"rows":[{"session":"s"} {"session":"t"}]}', ['json/syntax /rows @25']],
    ['a root member behind the rows', rows, '{"rows":[{"session":"s"}],"x":', ['json/truncated /x @30']],
    ['text behind an array of rows', rows, '[{"session":"s"}] x', ['json/syntax  @18']],
  ])('%s', async (_, format, text, expected) => {
    const events = await lines(text, format);
    const found = events.filter((line) => line.startsWith('error'));
    expect(found.map((line) => line.slice('error '.length)).sort()).toStrictEqual([...expected].sort());
  });
});
