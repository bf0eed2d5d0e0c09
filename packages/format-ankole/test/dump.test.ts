import {
  bytesSource,
  encodeText,
  exportValue,
  getOwn,
  importStorylines,
  type Json,
  type JsonObject,
  type Storyline,
  stringify,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { ankole } from '../src/index.ts';
import { codesOf, issueOf, storylineOf, writtenBack } from './support/round-trip.ts';
import { vectorCases } from './support/vectors.ts';

const rows = getOwn(vectorCases('21')[0]?.input as JsonObject, 'messages') as JsonObject[];
const items = ['08', '09', '10', '11']
  .flatMap((number) => vectorCases(number))
  .map(
    ({ input }, position): JsonObject => ({
      turn_id: 'turn-1',
      position,
      revision: 1,
      item_key: `k${position}`,
      item: input,
      inserted_at: '2026-08-20T09:00:00.000000Z',
    }),
  );

/** As PostgreSQL keeps `jsonb`: keys by length, then by their bytes. */
const sorted = (value: Json | undefined): Json | undefined =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    member === null || typeof member !== 'object' || Array.isArray(member)
      ? member
      : Object.fromEntries(
          Object.entries(member).sort(
            ([a], [b]) =>
              Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b)),
          ),
        ),
  );
/** As `psql` prints a value of `jsonb`. */
const jsonb = (value: Json | undefined): string =>
  JSON.stringify(sorted(value), null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1');
const zoneless = (value: Json | undefined): string => String(value).replace('Z', '');
const printed = (value: Json | undefined): string => `${zoneless(value).replace('T', ' ')}+00`;
const times =
  (spell: (value: Json | undefined) => string) =>
  (row: JsonObject): JsonObject => ({
    ...row,
    inserted_at: spell(row.inserted_at),
    ...(row.updated_at === undefined ? {} : { updated_at: spell(row.updated_at) }),
  });
const texts =
  (spell: (value: Json | undefined) => string) =>
  (row: JsonObject): JsonObject => ({
    ...row,
    ...(row.item === undefined
      ? { content: spell(row.content), metadata: spell(row.metadata) }
      : { item: spell(row.item) }),
  });

/** Ways in which a dump of PostgreSQL spells rows. */
const dumps: { readonly [name: string]: (row: JsonObject) => JsonObject } = {
  'row_to_json, whose timestamps have no zone': times(zoneless),
  'timestamps as psql prints them': times(printed),
  'jsonb columns as texts of psql': texts(jsonb),
  'jsonb columns as compact texts': texts((value) => JSON.stringify(sorted(value))),
  'jsonb columns as texts in another order': texts((value) => JSON.stringify(value)),
  'both at once': (row) => texts(jsonb)(times(printed)(row)),
};

/** Turns without what a dump spells otherwise: times stand in their slots as RFC 3339, and as they were in the row. */
function plain({ turns }: Storyline): Json {
  return JSON.parse(stringify(turns as unknown as Json), (key, value) => {
    if (key !== 'row') return value;
    const { inserted_at: _, updated_at: __, ...rest } = value;
    return Object.keys(rest).length === 0 ? undefined : rest;
  });
}

describe.each(Object.entries(dumps))('rows of a database dump: %s', (name, spell) => {
  test('messages say the same as the Console, and come back exactly', () => {
    const dump = rows.map(spell);
    expect(plain(storylineOf(dump))).toEqual(plain(storylineOf(rows)));
    expect(writtenBack(dump)).toEqual(dump);
    expect(codesOf(dump).filter((code) => code !== 'ankole/database-time')).toEqual(codesOf(rows));
    const kept = encodeText(stringify(storylineOf(dump).unknown_fields as unknown as Json)).length;
    // What no database orders so is noted text by text.
    if (name !== 'jsonb columns as texts in another order')
      expect(kept).toBeLessThan(0.1 * encodeText(stringify(dump)).length);
  });

  test('turn items say the same, and come back exactly', () => {
    const dump = items.map(spell);
    expect(plain(storylineOf(dump))).toEqual(plain(storylineOf(items)));
    expect(writtenBack(dump)).toEqual(dump);
  });

  test('a row a line, two conversations mixed', async () => {
    const dump = rows.flatMap((row) => [row, { ...row, conversation_id: 'other' }]).map(spell);
    const stories: Storyline[] = [];
    const source = bytesSource('dump.jsonl', dump.map((row) => `${stringify(row)}\n`).join(''));
    for await (const event of importStorylines(source, ankole))
      if (event.type === 'storyline') stories.push(event.storyline);
    expect(stories).toHaveLength(2);
    const back = exportValue(ankole, stories, { outer: 'lines' }).value as Json[];
    expect(back).toEqual([
      ...dump.filter((row) => row.conversation_id !== 'other'),
      ...dump.filter((row) => row.conversation_id === 'other'),
    ]);
  });
});

describe('spellings of one dump that differ', () => {
  test('come back each as it was', () => {
    const mixed = rows.map((row, index) => Object.values(dumps)[index % 6]?.(row) ?? row);
    expect(writtenBack(mixed)).toEqual(mixed);
    const odd = [{ ...(rows[0] as JsonObject), content: ` ${jsonb(rows[0]?.content)}` }];
    expect(storylineOf(odd).turns).toHaveLength(storylineOf([rows[0] ?? null]).turns.length);
    expect(writtenBack(odd)).toEqual(odd);
  });

  test('order counts by instant, whatever the offset', () => {
    const at = (id: string, inserted_at: string) => ({
      ...(rows[0] as JsonObject),
      id,
      previous_message_id: null,
      inserted_at,
    });
    const story = storylineOf([
      at('c', '2026-08-20 10:00:01+02'),
      at('a', '2026-08-20T07:59:59.5'),
      at('b', '2026-08-20T08:00:00Z'),
      at('d', '2026-08-20 03:30:02-04:30'),
    ]);
    expect([...new Set(story.turns.map((turn) => turn.env?.request_id))]).toEqual(['a', 'b', 'c', 'd']);
    expect(story.turns[0]?.ts).toBe('2026-08-20T07:59:59.5Z');
    expect(story.turns.at(-1)?.ts).toBe('2026-08-20 03:30:02-04:30');
  });

  test('a text that is no JSON list is refused with its place, and what is no time is told', () => {
    const broken = { ...(rows[0] as JsonObject), content: '[{"type":' };
    expect(issueOf(broken, 'ankole/row-shape')).toMatchObject({
      severity: 'error',
      at: { pointer: '/content' },
    });
    for (const inserted_at of ['yesterday', '2026-02-30 08:00:00', '2026-08-20'])
      expect(codesOf({ ...(rows[0] as JsonObject), inserted_at })).toEqual(['ankole/time-format']);
  });
});
