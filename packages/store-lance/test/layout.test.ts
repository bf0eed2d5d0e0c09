import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson, parseJson, storylineToJson } from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { openSql } from '../src/sql/index.ts';
import { collect, contents, put, story, temporaryFolder } from './helpers.ts';

const fixture = fileURLToPath(new URL('../fixtures/layout-1.0/', import.meta.url));

test('a store written by the first release (layout 1.0) reads, verifies, searches and takes new Storylines', async () => {
  const uri = join(temporaryFolder(), 'store');
  cpSync(join(fixture, 'store'), uri, { recursive: true });
  const expected = parseJson(readFileSync(join(fixture, 'storylines.json')), { keepFloats: true }).value;
  const reader = await openStore(uri);
  const read = await contents(reader);
  expect(read).toHaveLength(3);
  expect(canonicalJson(read.map(storylineToJson))).toBe(canonicalJson(expected ?? null));
  expect(reader.layout).toBe('1.0');
  expect(await reader.info()).toMatchObject({ documents: 3, steps: 4, superseded: { runs: 3 } });
  expect((await reader.verify()).faults).toEqual([]);
  expect(await reader.resolve('deleted')).toEqual([]);
  // Its table of runs has no text to search yet; that of turns is found all the same.
  expect((await reader.find('hello')).map((hit) => hit.documentId)).toEqual(['kept']);
  // To SQL a column that came later is there, and empty.
  const session = await openSql(reader);
  const asked = await session.query('SELECT count(*), count(search_text), any_value(search_text) FROM runs');
  expect((await collect(asked.batches)).flat()).toEqual([[3, 0, null]]);
  expect(asked.columns.map(({ type }) => type)).toEqual(['BIGINT', 'BIGINT', 'VARCHAR']);
  await session.close();
  await reader.close();
  const writer = await openStore(uri, { create: true });
  // The newer columns are there now, and empty in rows from before: that is no fault.
  expect((await writer.verify()).faults).toEqual([]);
  expect((await writer.find('hello')).map((hit) => hit.documentId)).toEqual(['kept']);
  await put(writer, [{ storylines: [story('today', 2, { notes: 'quokka' })] }]);
  expect((await writer.find('quokka')).map((hit) => hit.documentId)).toEqual(['today']);
  await writer.maintain({ retention: 0, safetyAge: 0 });
  expect((await collect(writer.list())).map((run) => run.documentId)).toContain('today');
  expect((await writer.verify()).faults).toEqual([]);
  await writer.close();
});
