import { readFileSync } from 'node:fs';
import { contentHash, type StoryCollection } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { measureStoryline } from '../src/ingest/measure-storyline.ts';
import { tableColumns } from '../src/table-columns.ts';
import { collect, freshStore, put, story } from './helpers.ts';

describe('what the documents say', () => {
  test('docs/store.md lists exactly the columns, in order, with type and meaning', () => {
    const text = readFileSync(new URL('../../../docs/store.md', import.meta.url), 'utf8');
    const lines = text
      .slice(text.indexOf('<!-- columns'))
      .split('\n')
      .filter((line) => /^(### |\| `)/.test(line));
    const written = lines.map((line) => line.replace(/ \| ([^|]+) \|$/, ' |'));
    const expected = Object.entries(tableColumns).flatMap(([name, columns]) => [
      `### ${name}`,
      ...columns.map(
        ({ name: column, type, nullable }) => `| \`${column}\` | ${type}${nullable ? '' : ', never null'} |`,
      ),
    ]);
    expect(written).toEqual(expected);
    const meanings = lines.filter((line) => line.startsWith('|')).map((line) => line.split(' | ')[2]);
    expect(meanings).toEqual(meanings.map(() => expect.stringMatching(/^[^ ].*\. \|$/)));
  });

  test('the native content hash is that of core', () => {
    const storyline = story('é\ud800', 3, {
      origin: { format: 'x', document_id: 'file.json', schema_version: '1' },
      unknown_fields: {
        sources: {
          ['__proto__']: { source_document_id: 'f', fields: { '/a': null } },
          b: { source_document_id: 'g', fields: { '/b': [1] } },
        },
      },
      meta: { z: 1, a: -0 },
    });
    expect(measureStoryline(storyline).hash).toBe(contentHash(storyline));
    const renamed = { ...storyline, origin: { format: 'x', document_id: 'other.json', schema_version: '1' } };
    expect(measureStoryline(renamed).hash).toBe(contentHash(storyline));
    expect(measureStoryline({ ...storyline, notes: '' }).hash).not.toBe(contentHash(storyline));
  });

  test('a collection is what core exports from', async () => {
    const { store } = await freshStore();
    const items = [story('a'), story('b')];
    await put(store, [{ storylines: items }]);
    const collection = await store.collection({ documents: ['b'] });
    const exported: StoryCollection = collection;
    expect(await exported.read(0)).toEqual(items[1]);
    expect((await collect(collection.heads())).map((head) => head.session)).toEqual(['b']);
    expect(await collection.read(0)).toEqual(items[1]);
    await store.close();
  });
});

test('the SQL of docs/store.md gives exactly the rows that count', async () => {
  const text = readFileSync(new URL('../../../docs/store.md', import.meta.url), 'utf8');
  const sql = /```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`
    CREATE TABLE runs AS SELECT * FROM (VALUES
      ('a', 'i1', 1, false), ('a', 'i3', 2, false), ('b', 'i2', 1, false), ('b', 'i4', 2, true),
      ('c', 'i6', 1, false), ('c', 'i5', 1, false), ('d', 'i7', 3, true), ('d', 'i8', 4, false)
    ) AS t(document_key, ingest_id, revision, deleted);
    CREATE TABLE steps AS SELECT 'i' || n AS ingest_id, n AS step_id FROM range(1, 10) t(n);
    CREATE TABLE tool_calls AS SELECT * FROM steps`);
  await connection.run(sql);
  for (const view of ['live_runs', 'live_steps', 'live_tool_calls']) {
    const rows = (await connection.runAndReadAll(`SELECT ingest_id FROM ${view} ORDER BY 1`)).getRows();
    expect(rows.flat(), view).toEqual(['i3', 'i6', 'i8']);
  }
  connection.closeSync();
  instance.closeSync();
});
