import { describe, expect, test } from 'vitest';
import type { Format } from '../../src/format.ts';
import {
  encodeText,
  findGroups,
  type ImportEvent,
  importDocument,
  importStorylines,
  joinSources,
} from '../../src/index.ts';
import { isJsonObject, type Json } from '../../src/json/value.ts';
import { bytesSource } from '../../src/source/bytes.ts';
import type { Source } from '../../src/source.ts';

/** Rows `{ of, n }` or `{ in: { of }, n }`, in order of `n`; a row whose `n` is no number is an error. */
const toy: Format<Json, readonly (readonly [unknown, string])[]> = {
  id: 'toy',
  title: 'Toy',
  extensions: ['.json'],
  containers: [
    { kind: 'document', outer: 'document' },
    {
      kind: 'rows',
      in: 'array',
      member: 'rows',
      group: ['of', '/in/of'],
      prefix: 'x_',
      links: { keys: ['is', 'behind'], prefix: 'l_' },
      adopts: 'end',
      order: ['n'],
    },
  ],
  joins: true,
  fidelity: { roundTrip: 'none', expresses: [] },
  detect: () => ({ confidence: 'no', why: '' }),
  reader: {
    frame: ({ keys, count = 0, in: where = 'member' }) => [keys, count, where],
    decode(record, report) {
      const rows: (readonly [unknown, string])[] = [];
      for (const { value, at } of record.values()) {
        const n = isJsonObject(value) ? value.n : undefined;
        if (typeof n !== 'number' && n !== undefined)
          report('error', 'toy/number', `${at.pointer}/n`, 'no number');
        rows.push([n, `${at.source}${at.pointer}`]);
      }
      return rows;
    },
    *toStorylines(rows) {
      yield {
        schema_version: 'storyline/v1',
        session: JSON.stringify(rows.map(([n]) => n)),
        agent: { id: 'toy' },
        turns: [],
      };
    },
  },
};

async function eventsOf(source: Source): Promise<readonly ImportEvent[]> {
  const events: ImportEvent[] = [];
  for await (const event of importStorylines(source, toy)) events.push(event);
  return events;
}
const sessionsOf = (events: readonly ImportEvent[]) =>
  events.flatMap((event) => (event.type === 'storyline' ? [event.storyline.session] : []));

describe('joined sources', () => {
  test('read as their bytes one behind the other, whatever is asked for at once', () => {
    const joined = joinSources([bytesSource('a', 'one'), bytesSource('b', ''), bytesSource('c', 'three')]);
    expect([joined.name, joined.size, joined.parts]).toEqual([
      'a',
      10,
      [
        { name: 'a', start: 0, end: 3 },
        { name: 'b', start: 4, end: 4 },
        { name: 'c', start: 5, end: 10 },
      ],
    ]);
    for (const most of [1, 2, 20]) {
      const bytes = new Uint8Array(joined.size);
      for (let at = 0; at < bytes.length; ) {
        const read = joined.readSync?.(bytes.subarray(at, at + most), at) ?? 0;
        expect(read).toBeGreaterThan(0);
        at += read;
      }
      expect(bytes).toEqual(encodeText('one\n\nthree'));
    }
    expect(joined.readSync?.(new Uint8Array(4), joined.size)).toBe(0);
  });

  test('rows of all files are gathered by key and handed over in order; what is told has places of its file', async () => {
    const events = await eventsOf(
      joinSources([
        bytesSource('a', '\uFEFF{"of":"x_7",\n"n":3}\n'),
        bytesSource('b', '[{"in":{"of":"7"},"n":1},\n {"of":8,"n":"bad"}]'),
        bytesSource('c', '{"of":"7","n":2}\n{"of":"8","n":9}\n'),
        bytesSource('d', '{"end":null}'),
      ]),
    );
    expect(sessionsOf(events)).toEqual(['[1,2,3]', '[9]', '[null]']);
    expect(events.filter(({ type }) => type === 'issue')).toMatchObject([
      {
        issue: {
          code: 'toy/number',
          at: { source: 'b', record: 2, line: 2, column: 14, offset: 39, pointer: '/rows/1/n' },
        },
      },
    ]);
    const documents = events.flatMap((event) => (event.type === 'document' ? [event.document.at] : []));
    expect(documents.map(({ source, record, offset }) => [source, record, offset])).toEqual([
      ['a', undefined, 3],
      ['b', 2, 27],
      ['c', 2, 17],
      ['d', undefined, 0],
    ]);
  });

  test('a file that breaks off keeps its rows before the break, and names itself', async () => {
    const events = await eventsOf(
      joinSources([
        bytesSource('a', '[{"of":"1","n":1} {"of":"1","n":2}]'),
        bytesSource('b', '{"of":"1","n":3}'),
      ]),
    );
    expect(sessionsOf(events)).toEqual(['[1,3]']);
    expect(events.filter(({ type }) => type === 'issue')).toMatchObject([
      { issue: { code: 'json/syntax', severity: 'error', at: { source: 'a', offset: 18 } } },
    ]);
  });

  test('rows that share a name are one group, wherever they stand, and have the key that one of them has', async () => {
    const files = [
      '{"is":"l_1","n":1}',
      '{"is":"l_2","behind":"l_1","n":2}\n{"is":"2","n":9}',
      '{"of":"7","behind":"l_2","n":3}',
    ];
    const joined = await eventsOf(joinSources(files.map((text, at) => bytesSource(`f${at}`, text))));
    expect(sessionsOf(joined)).toEqual(['[1,2,3]', '[9]']);
    const text = `[${files.join('\n').replaceAll('\n', ',')}]`;
    expect(sessionsOf(await eventsOf(bytesSource('a', text)))).toEqual(['[1,2,3]', '[9]']);
    expect(importDocument(toy, text).storylines.map(({ session }) => session)).toEqual(['[1,2,3]', '[9]']);
    const [first] = joined.flatMap((event) => (event.type === 'document' ? [event.document] : []));
    expect(first).toMatchObject({ key: '7' });
  });

  test('rows that names bring together are handed over in order', async () => {
    const text = '[{"is":"l_2","behind":"l_1","n":2},{"is":"l_1","n":1}]';
    expect(sessionsOf(await eventsOf(bytesSource('a', text)))).toEqual(['[1,2]']);
  });

  test('groups are found by a scan; a row that may be adopted says so', async () => {
    expect(await findGroups(bytesSource('a', '[{"of":"x_7"},{"in":{"of":"7"}},{"of":7}]'), toy)).toEqual({
      ids: ['"7', '7'],
      canBeAdopted: false,
    });
    expect(await findGroups(bytesSource('a', '{"end":1}'), toy)).toEqual({ ids: [], canBeAdopted: true });
    expect(await findGroups(bytesSource('a', '{"broken'), toy)).toEqual({ ids: [], canBeAdopted: false });
  });

  test('the in-memory import gathers the same groups', async () => {
    const text = '[{"in":{"of":"x_1"},"n":2},{"end":1},{"of":"1","n":1}]';
    const { storylines } = importDocument(toy, text);
    expect(storylines.map(({ session }) => session)).toEqual(
      sessionsOf(await eventsOf(bytesSource('a', text))),
    );
    expect(storylines).toHaveLength(1);
  });
});
