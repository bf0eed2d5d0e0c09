import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { importDocument } from '../../src/import/import-document.ts';
import type { Issue } from '../../src/issue.ts';
import { encodeText } from '../../src/json/parse.ts';
import { stringify } from '../../src/json/stringify.ts';
import type { Json } from '../../src/json/value.ts';
import { storylineToJson } from '../../src/storyline.ts';
import { anyJson } from '../json/arbitraries.ts';
import { DOCUMENTS, ENTRIES, ROWS, testFormat, valuesOf } from './formats.ts';
import { chunkedSource, eventsOf, eventsOfText, summarise } from './sources.ts';

const documents = testFormat(DOCUMENTS);
const entries = testFormat(ENTRIES);
const rows = testFormat(ROWS);

/** Inputs of every container, good and broken, each with everything that a chunk border could cut. */
const SAMPLES: readonly (readonly [string, ReturnType<typeof testFormat>, string])[] = [
  [
    'a document',
    documents,
    '\ufeff {"a\\u0062" : ["é😀\\\\\\"", -1.5e3, 9007199254740993], "":{"__proto__":[ ]} }\n',
  ],
  ['an array', documents, '\ufeff[ {"a":"]\\"["} ,\r\n 12345 , "x\\\\" , [] ]\n'],
  ['lines', documents, '\ufeff{"a":"é"}\r\n\r\n  {"b":[1,2]}  \n{"c":tru}\n"x"\n{"d":{"e":"😀"}}'],
  [
    'entries',
    entries,
    '{ "x":{"y":"}"}, "attempts" : { "10":{"a":1}, "2" : [ "é\\"" ] , "\ud83d\ude00":1, "\uffff":2, "2":{"b":9007199254740993} } , "z\\n" : 1 }',
  ],
  [
    'an array of entries',
    entries,
    '[{"attempts":{"a":{"b":"c"}}}, {"attempts":{"d":{"fail":1}},"x":2},{"attempts":[1]},{"attempts":{"e":1}}]',
  ],
  [
    'lines of entries',
    entries,
    '{"attempts":{"b":1,"a":2}}\n{"attempts":{"c":}}\n\n{"x":1,"attempts":{"d":"é"}}\n',
  ],
  [
    'rows of a member',
    rows,
    '{"a":1,"rows":[{"session":"s","step":2,"v":"é"},{"step":10,"session":"t"},{"session":"s","step":1}],"b":[2]}',
  ],
  [
    'an array of rows',
    rows,
    '[{"session":"s","step":2},{"session":5,"step":"b"},{"session":"5","step":null},{"session":"s","step":1.5},{"no":1},{"session":5,"step":"a"}]',
  ],
  [
    'lines of rows',
    rows,
    '{"session":"s","step":2}\n\n{"session":"t","step":1,"x":"é"}\r\n{"session":"s","step":1}\n{"session":"t","step":',
  ],
  [
    'values over several lines',
    documents,
    '\ufeff{\n  "a": {\n    "é😀": 1\n  }\n}\r\n\n {"b":1}\n{\n  "c": [\n{\n\t\n"d":[\n{\n}\n]}\n{"x":1}',
  ],
  [
    'rows over several lines',
    rows,
    '{\n  "session": "s",\n  "step": 2\n}\n{\n    "session": "t"\n  }\n{"session":"s","step":1}\n',
  ],
  ['a truncated array', documents, '[{"a":1},{"b":["\\u00e9'],
  ['a broken array', documents, '[{"a":1} {"b":2}]'],
  ['truncated entries', entries, '{"x":1,"attempts":{"a":{"b":1},"c":{"d":["é'],
  ['text', documents, 'hello world\nand more\n'],
];

describe('any size of reads gives the same events', () => {
  test.each(SAMPLES)('%s', async (_, format, text) => {
    const bytes = encodeText(text);
    const whole = await eventsOfText(text, format);
    expect(whole.length).toBeGreaterThan(1);
    for (const size of [1, 2, 3, 5, 7, 13, 64]) {
      expect(await eventsOf(chunkedSource(bytes, size), format)).toStrictEqual(whole);
      expect(await eventsOf(chunkedSource(bytes, size, true), format)).toStrictEqual(whole);
    }
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
    const { blobSource } = await import('../../src/source/blob.ts');
    expect(await eventsOf(blobSource('file', blob), format)).toStrictEqual(whole);
  });
});

describe('importDocument gives what importStorylines gives', () => {
  const compare = async (
    format: ReturnType<typeof testFormat>,
    bytes: Uint8Array,
    isMemberOfRows = false,
  ) => {
    const events = await eventsOf(chunkedSource(bytes, 4096), format);
    const stories = new Map<number, string[]>();
    for (const event of events) {
      if (event.type === 'storyline') {
        const { ordinal } = event.document;
        stories.set(ordinal, [...(stories.get(ordinal) ?? []), stringify(storylineToJson(event.storyline))]);
      }
      if (event.type === 'end' && !event.accepted) stories.delete(event.document.ordinal);
    }
    const { storylines, issues } = importDocument(format, bytes, { source: 'file' });
    expect(storylines.map((story) => stringify(storylineToJson(story)))).toStrictEqual(
      isMemberOfRows ? [] : [...stories.values()].flat(),
    );
    const sorted = (list: readonly Issue[]) => list.map((issue) => JSON.stringify(issue)).sort();
    const streamed = events.flatMap((event) => (event.type === 'issue' ? [event.issue] : []));
    return { found: sorted(issues), expected: sorted(streamed) };
  };
  test.each(SAMPLES)('%s', async (_, format, text) => {
    const { found, expected } = await compare(format, encodeText(text));
    expect(found).toStrictEqual(expected);
  });
  test.each(SAMPLES)(
    '%s, cut off at every byte: the same Storylines, and an error where there is one',
    async (name, format, text) => {
      const bytes = encodeText(text);
      // In memory, a document that is no JSON gives nothing; streamed, the rows before the break.
      for (let length = bytes[0] === 0xef ? 3 : 0; length < bytes.length; length += 1) {
        const { found, expected } = await compare(
          format,
          bytes.subarray(0, length),
          name === 'rows of a member',
        );
        const hasError = (list: readonly string[]) =>
          list.some((issue) => issue.includes('"severity":"error"'));
        expect(hasError(found)).toBe(hasError(expected));
      }
    },
  );
});

describe('G7: truncation anywhere is located and harms nothing before', () => {
  test.each(SAMPLES.slice(0, 9))('%s', async (_, format, text) => {
    const bytes = encodeText(text);
    const whole = (await eventsOfText(text, format)).flatMap((event) =>
      event.type === 'storyline' ? [stringify(valuesOf(event.storyline))] : [],
    );
    for (let length = bytes[0] === 0xef ? 3 : 0; length < bytes.length; length += 1) {
      const events = await eventsOf(chunkedSource(bytes.subarray(0, length), 16), format);
      const issues = events.flatMap((event) => (event.type === 'issue' ? [event.issue] : []));
      for (const issue of issues) {
        expect(issue.at.offset).toBeLessThanOrEqual(length);
        expect(issue.at.line).toBeGreaterThan(0);
        expect(issue.code).toMatch(
          /^(json\/(truncated|empty|syntax|duplicate-key)|core\/no-documents|toy\/)/,
        );
      }
      const accepted = events.filter((event) => event.type === 'end' && event.accepted).length;
      expect(accepted > 0 || issues.some(({ severity }) => severity === 'error')).toBe(true);
      // Every document begins and ends, and what was imported is a part of what the whole input gives, or a shorter line or row.
      expect(events.filter((event) => event.type === 'document').length).toBe(
        events.filter((event) => event.type === 'end').length,
      );
      expect(events.filter((event) => event.type === 'storyline').length).toBeLessThanOrEqual(
        whole.length + 1,
      );
    }
  });
});

describe('the records are the values of the document', () => {
  const key = fc.constantFrom('10', '2', '1', 'a', '', '__proto__', 'a/b', '\uffff', '😀', 'é');
  property.prop(
    [
      fc.uniqueArray(fc.tuple(key, anyJson), { selector: ([name]) => name, minLength: 1 }),
      fc.constantFrom(1, 3, 64, 4096),
      fc.nat({ max: 2 }),
    ],
    { numRuns: 60 },
  )(
    'G4: entries come in ascending byte order of their key, exact, wherever the root members stand',
    async (members, size, indent) => {
      fc.pre(members.every(([, value]) => !asks(value)));
      const map = members
        .map(([name, value]) => `${JSON.stringify(name)}:${stringify(value, { indent })}`)
        .join(' , ');
      const bytes = encodeText(`{"first":1,"attempts":{${map}},"last":[2]}`);
      const events = await eventsOf(chunkedSource(bytes, size), entries);
      const found = events.flatMap((event) => (event.type === 'storyline' ? [event] : []));
      const inOrder = [...members].sort(([left], [right]) =>
        Buffer.compare(Buffer.from(left), Buffer.from(right)),
      );
      expect(found.map(({ at }) => at.pointer)).toStrictEqual(
        inOrder.map(([name]) => `/attempts/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      );
      expect(found.map(({ storyline }) => stringify(valuesOf(storyline)))).toStrictEqual(
        inOrder.map(([, value]) => stringify([value])),
      );
    },
  );

  const session = fc.constantFrom('s', 't', '__proto__', 'é');
  property.prop(
    [
      fc.array(fc.tuple(session, fc.integer({ min: 0, max: 5 }), anyJson), { minLength: 1, maxLength: 12 }),
      fc.constantFrom(1, 5, 64),
      fc.constantFrom('member', 'array', 'lines'),
      fc.boolean(),
    ],
    { numRuns: 60 },
  )(
    'O6: interleaved rows are gathered by session and handed over in order',
    async (list, size, where, sync) => {
      const texts = list.map(([name, step, value]) => stringify({ v: value, session: name, step }));
      const text =
        where === 'lines'
          ? texts.join('\n')
          : where === 'array'
            ? `[${texts.join(',')}]`
            : `{"rows":[${texts.join(' , ')}]}`;
      const format = testFormat([
        ROWS.find((container) => container.kind === 'rows' && container.in === where) ?? ROWS[0],
      ]);
      const events = await eventsOf(chunkedSource(encodeText(text), size, sync), format);
      const found = events.flatMap((event) =>
        event.type === 'storyline' ? [stringify(valuesOf(event.storyline))] : [],
      );
      const groups = new Map<string, { readonly step: number; readonly text: string }[]>();
      for (const [index, [name, step]] of list.entries()) {
        groups.set(name, [...(groups.get(name) ?? []), { step, text: texts[index] as string }]);
      }
      const expected = [...groups.values()].map(
        (group) =>
          `[${group
            .sort((a, b) => a.step - b.step)
            .map((row) => row.text)
            .join(',')}]`,
      );
      expect(found).toStrictEqual(expected);
    },
  );
});

/** Whether a value has a member that the test reader reacts to. */
function asks(value: Json): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['fail', 'throw', 'many'].some((key) => Object.hasOwn(value, key))
  );
}

describe('A13, O6: the container is chosen by the shape', () => {
  const first = async (text: string, format = documents) => summarise(await eventsOfText(text, format));
  test.each([
    ['one object', '{"a":1}', 1],
    ['one object over several lines', '{\n  "a": 1\n}\n', 1],
    ['one object on one line with blank lines after it', '{"a":1}\n\n \n', 1],
    ['an array', '[{"a":1},{"b":2}]', 2],
    ['an array over several lines', '[\n{"a":1},\n{"b":2}\n]', 2],
    ['lines', '{"a":1}\n{"b":2}', 2],
    ['lines after blank lines', '\n\n{"a":1}\n{"b":2}', 2],
    ['lines with CR LF', '{"a":1}\r\n{"b":2}\r\n', 2],
    ['lines of arrays in objects', '{"a":[1,\t2]}\n  {"b":2}', 2],
  ])('%s', async (_, text, count) => {
    expect((await first(text)).filter((line) => line.startsWith('storyline')).length).toBe(count);
  });
  test('a first line that is cut off does not take the others with it', async () => {
    expect(await first('{"a":"x\n{"b":1}\n{"c":2}\n')).toStrictEqual([
      'document 0',
      'error json/truncated /a @7',
      'end false 0 0-7',
      'document 1',
      'storyline none ',
      'end true 1 8-15',
      'document 2',
      'storyline none ',
      'end true 1 16-23',
    ]);
    expect((await first('{"a":[1\n{"b":1}\n')).slice(-3)).toStrictEqual([
      'document 1',
      'storyline none ',
      'end true 1 8-15',
    ]);
  });
  test('G7: values that are printed over several lines follow each other, indented or not, good ones beside broken ones', async () => {
    const pretty = (...values: Json[]) =>
      values.map((value) => `${stringify(value, { indent: 2 })}\n`).join('');
    const told = async (text: string) => (await first(text)).filter((line) => !line.startsWith('storyline'));
    expect(await told(pretty({ a: { b: 1 } }, { c: [{}] }))).toStrictEqual([
      'document 0',
      'end true 1 0-27',
      'document 1',
      'end true 1 28-51',
    ]);
    expect(await told('{\n"a":[\n{\n"b":1\n}\n]\n}\r\n\n{\n"c":2}')).toStrictEqual([
      'document 0',
      'end true 1 0-21',
      'document 1',
      'end true 1 24-32',
    ]);
    // One that breaks off takes none with it, nor does a line that is one value.
    expect(await told(`{\n  "a": [\n    {\n${pretty({ b: 1 })}{"c":1}\n{\n  "d": }\n`)).toStrictEqual([
      'document 0',
      'error json/truncated /a/0 @16',
      'end false 0 0-16',
      'document 1',
      'end true 1 17-29',
      'document 2',
      'end true 1 30-37',
      'document 3',
      'error json/syntax /d @47',
      'end false 0 38-48',
    ]);
    expect(await told('{"a":1}\n{\n{"b":1}\n{"c":1}\n')).toStrictEqual([
      'document 0',
      'end true 1 0-7',
      'document 1',
      'error json/truncated  @9',
      'end false 0 8-9',
      'document 2',
      'end true 1 10-17',
      'document 3',
      'end true 1 18-25',
    ]);
    expect(await told('{\n"a":[\n{\n"b":1\n},\n{\n"b":2\n}\n]\n}\n')).toStrictEqual([
      'document 0',
      'end true 1 0-32',
    ]);
  });
  test('documents one after the other that are not one a line: the issue says what is expected', async () => {
    const events = await eventsOfText('{"a":\n1}\n{"b":\n1}', testFormat([DOCUMENTS[2] as never]));
    const messages = events.flatMap((event) => (event.type === 'issue' ? [event.issue.message] : []));
    expect(messages.length).toBe(4);
    for (const message of messages)
      expect(message).toContain('each line of this input must hold one complete JSON value');
    expect(await first('{"a":1} {"b":2}')).toStrictEqual([
      'document 0',
      'error json/syntax  @8',
      'end false 0 0-15',
    ]);
  });
  test('what no container of the format can hold', async () => {
    const lines = testFormat([DOCUMENTS[1] as never]);
    expect(await first('{"a":1}', lines)).toStrictEqual(['error core/unexpected-container  @0']);
    const object = testFormat([ENTRIES[0]]);
    expect(await first('[{"attempts":{"a":1}}]', object)).toStrictEqual([
      'document 0',
      'error core/unexpected-container  @0',
      'end false 0 0-22',
    ]);
    expect((await first('{"attempts":{"a":1}}\n{"attempts":{"a":1}}', object)).slice(0, 2)).toStrictEqual([
      'document 0',
      'error json/syntax  @21',
    ]);
  });
  test('a format whose document is an array', async () => {
    const format = testFormat([{ kind: 'document', outer: 'document' }]);
    const events = await eventsOfText('[1,2]', format);
    expect(
      events.flatMap((event) => (event.type === 'storyline' ? [valuesOf(event.storyline)] : [])),
    ).toStrictEqual([[[1, 2]]]);
  });
});

describe('G8: no documents', () => {
  test.each([
    ['[]', documents],
    ['[ ]\n', entries],
    ['[]', rows],
    ['{"rows":[]}', rows],
  ])('%s is an error', async (text, format) => {
    expect(summarise(await eventsOfText(text, format))).toStrictEqual(['error core/no-documents  @0']);
  });
  test.each(['', ' \n', '\ufeff'])('%j is empty', async (text) => {
    expect(summarise(await eventsOfText(text, documents))).toStrictEqual(['error json/empty  @0']);
  });
});
