import { describe, expect, test } from 'vitest';
import { importDocument } from '../../src/import/import-document.ts';
import { encodeText } from '../../src/json/parse.ts';
import { DOCUMENTS, ENTRIES, ROWS, testFormat, valuesOf } from './formats.ts';
import { chunkedSource, eventsOf, summarise, syntheticSource } from './sources.ts';

const documents = testFormat(DOCUMENTS);
const entries = testFormat(ENTRIES);
const rows = testFormat(ROWS);
const MB = 1024 * 1024;
/** Longer than what is kept at hand, so that it must be read again. */
const long = 'x'.repeat(1.5 * MB);

describe('first lines longer than what is searched for their end', () => {
  const line = (name: string, format: typeof documents) =>
    format === documents ? `{"${name}":"${long}"}` : `{"attempts":{"${name}":"${long}"},"z":1}`;
  test.each([
    ['documents', documents],
    ['entries', entries],
  ] as const)('%s', (_, format) => {
    const names = (text: string) => importDocument(format, text).storylines.length;
    expect(names(line('a', format))).toBe(1);
    expect(names(`${line('a', format)}\n\n`)).toBe(1);
    expect(names(`${line('a', format)}\n${line('b', format)}\n{"attempts":{"c":1}}`)).toBe(3);
    expect(names(`${line('a', format).slice(0, -9)}\n${line('b', format)}`)).toBe(1);
    const { issues } = importDocument(format, `${line('a', format)} ${line('b', format)}`);
    expect(issues.map(({ code, at }) => [code, at.offset])).toStrictEqual([
      ['json/syntax', line('a', format).length + 1],
    ]);
    const broken = importDocument(format, line('a', format).slice(0, -9));
    expect(broken.issues.map(({ code }) => code)).toStrictEqual(['json/truncated']);
  });
});

describe('A14: records longer than what is kept at hand', () => {
  const values = (text: string, format: typeof documents) =>
    importDocument(format, text).storylines.map((story) => JSON.stringify(valuesOf(story)));
  test('entries are read again, in their order, and so are root members', async () => {
    const text = `{"first":{"x":"${long}"},"attempts":{"b":["b","${long}"],"a":["a","${long}"],"c":1},"last":"${long}"}`;
    const expected = [`[["a","${long}"]]`, `[["b","${long}"]]`, '[1]'];
    expect(values(text, entries)).toStrictEqual(expected);
    const events = await eventsOf(chunkedSource(encodeText(text), 100_000), entries);
    const found = events.flatMap((event) =>
      event.type === 'storyline' ? [JSON.stringify(valuesOf(event.storyline))] : [],
    );
    expect(found).toStrictEqual(expected);
  });
  test('documents in an array and in lines', () => {
    const list = [
      `{"attempts":{"b":"${long}","a":[1]}}`,
      `{"attempts":{"c":"${long}"}}`,
      '{"attempts":{"d":2}}',
    ];
    const expected = ['[[1]]', `["${long}"]`, `["${long}"]`, '[2]'];
    expect(values(`[${list.join(',')}]`, entries)).toStrictEqual(expected);
    expect(values(list.join('\n'), entries)).toStrictEqual(expected);
    expect(values(`[{"a":"${long}"},{"b":1}]`, documents)).toStrictEqual([`[{"a":"${long}"}]`, '[{"b":1}]']);
  });
  test('O6: rows of interleaved sessions, far apart', async () => {
    const row = (session: string, step: number) =>
      `{"session":"${session}","step":${step},"x":"${'y'.repeat(200_000)}"}`;
    const list = [row('s', 3), row('t', 1), row('s', 1), row('t', 2), row('s', 2), row('u', 1)];
    const steps = (found: readonly { readonly turns: readonly { readonly msg: unknown }[] }[]) =>
      found.map((story) =>
        (valuesOf(story as never) as { session: string; step: number }[])
          .map(({ session, step }) => `${session}${step}`)
          .join(' '),
      );
    const expected = ['s1 s2 s3', 't1 t2', 'u1'];
    for (const text of [`{"rows":[${list.join(',')}]}`, `[${list.join(',')}]`, list.join('\n')]) {
      expect(steps(importDocument(rows, text).storylines)).toStrictEqual(expected);
      const events = await eventsOf(chunkedSource(encodeText(text), 64 * 1024), rows);
      expect(
        steps(events.flatMap((event) => (event.type === 'storyline' ? [event.storyline] : []))),
      ).toStrictEqual(expected);
    }
  });
  test('many small rows of few sessions', () => {
    const list = Array.from(
      { length: 20_000 },
      (_, index) => `{"session":"s${index % 7}","step":${20_000 - index}}`,
    );
    const { storylines, issues } = importDocument(rows, list.join('\n'));
    expect(issues).toStrictEqual([]);
    expect(storylines.map((story) => (valuesOf(story) as { step: number }[]).length)).toStrictEqual([
      2858, 2857, 2857, 2857, 2857, 2857, 2857,
    ]);
    for (const story of storylines) {
      const steps = (valuesOf(story) as { step: number }[]).map(({ step }) => step);
      expect(steps).toStrictEqual([...steps].sort((left, right) => left - right));
    }
  });
});

describe('places in big inputs', () => {
  test('line, column and offset over many blocks', () => {
    const line = `{"a":"${'x'.repeat(1000)}"}`;
    const text = `${`${line}\n`.repeat(2000)}{"a":x}\n${`${line}\n`.repeat(500)}{"b":y}\n`;
    const { issues } = importDocument(documents, text);
    expect(issues.map(({ at }) => [at.record, at.line, at.column, at.offset])).toStrictEqual([
      [2001, 2001, 6, 2000 * (line.length + 1) + 5],
      [2502, 2502, 6, 2500 * (line.length + 1) + 8 + 5],
    ]);
  });
  test('nine hundred issues of one record are all located', () => {
    const text = `{"attempts":{"a":{"list":[${'{"fail":0},'.repeat(5000)}0],"many":900}}}`;
    const { issues } = importDocument(entries, text);
    expect(issues.length).toBe(900);
    expect(new Set(issues.map(({ at }) => at.offset))).toStrictEqual(new Set([text.indexOf('900')]));
  });
  test('each of many broken lines has its issue', async () => {
    const source = syntheticSource([`${'{"a":x}\n'.repeat(20_000)}`]);
    const events = summarise(await eventsOf(source, documents));
    expect(events.filter((event) => event.startsWith('error json/syntax /a')).length).toBe(20_000);
  });
});
