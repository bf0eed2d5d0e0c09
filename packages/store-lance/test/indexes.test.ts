import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Issue } from '@pchronicle/storyline-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { openSql } from '../src/sql/index.ts';
import { collect, freshStore, put, story, temporaryFolder } from './helpers.ts';

/** The index files of a table: each with its folder. */
function indexFiles(uri: string, table: string): string[] {
  const folder = join(uri, `${table}.lance`, '_indices');
  return readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => join(folder, name, file)),
  );
}

const SPOILS = {
  missing: (file: string) => rmSync(file),
  empty: (file: string) => truncateSync(file, 0),
  garbled: (file: string) => writeFileSync(file, 'garbage'.repeat(300)),
};

describe('indexes that cannot be read', () => {
  let whole = '';
  beforeAll(async () => {
    const { store, uri } = await freshStore();
    const stories = Array.from({ length: 60 }, (_, index) =>
      story(`d${index}`, 2, { run: 'run1', attempt_id: `${index}` }, index === 7 ? 'Quokka 南京市长' : ''),
    );
    await put(
      store,
      stories.map((storyline) => ({ storylines: [storyline] })),
    );
    expect(await store.find('quokka')).toHaveLength(2);
    await store.refreshIndexes({ force: true });
    await store.close();
    whole = uri;
  });

  const spoiled = async (how: keyof typeof SPOILS, table: string, files: RegExp) => {
    const uri = join(temporaryFolder(), 'copy');
    cpSync(whole, uri, { recursive: true });
    const hit = indexFiles(uri, table).filter((file) => files.test(file));
    expect(hit.length).toBeGreaterThan(0);
    for (const file of hit) SPOILS[how](file);
    const issues: Issue[] = [];
    const store = await openStore(uri, { onIssue: (issue) => issues.push(issue) });
    return { store, issues, uri };
  };
  const lookups = async (store: Store) => {
    const listed = (await collect(store.list({ runs: ['run1'] }))).length;
    const one = (await store.resolve('d7')).map((run) => run.documentId);
    const called = (await store.resolve('call-1')).length;
    const [run] = await store.resolve('d9');
    const read = (await store.read(run?.documentKey ?? '')).turns.length;
    const session = await openSql(store, { only: { documents: ['d3', 'd4'] } });
    const { batches } = await session.query('SELECT count(*) FROM steps');
    const asked = (await collect(batches)).flat();
    await session.close();
    return { listed, one, called, read, asked };
  };
  const EXPECTED = { listed: 60, one: ['d7'], called: 60, read: 2, asked: [[4]] };

  test.each(['missing', 'empty', 'garbled'] as const)(
    'lookups look through the rows and say so once a table, where files are %s; maintenance makes them anew',
    async (how) => {
      for (const table of ['runs', 'steps', 'tool_calls']) {
        const { store, issues, uri } = await spoiled(how, table, /page_|bitmap/);
        expect(await lookups(store), table).toEqual(EXPECTED);
        expect(issues).toEqual([
          {
            code: 'store/index-unreadable',
            severity: 'warning',
            message: expect.stringContaining(`of the table ${table} `) as unknown,
            at: { source: expect.stringContaining('copy') as unknown, pointer: '' },
          },
        ]);
        await put(store, [{ storylines: [story('new', 2)] }], { sourceId: 'b' });
        const { indexes } = await store.maintain({ retention: 0, safetyAge: 0 });
        expect(indexes).toContain(`${table}.document_key`);
        await store.delete({ documents: ['new'] });
        await store.close();
        const later: Issue[] = [];
        const mended = await openStore(uri, { onIssue: (issue) => later.push(issue) });
        expect(await lookups(mended), table).toEqual(EXPECTED);
        expect(later).toEqual([]);
        expect((await mended.maintain({ retention: 0, safetyAge: 0 })).purged.runs).toBe(2);
        await mended.close();
      }
    },
  );

  test.each([
    ['missing', /part_\d+_tokens/],
    ['garbled', /part_\d+_tokens/],
    ['missing', /part_\d+_invert/],
    ['empty', /part_\d+_docs/],
    ['missing', /(part_\d+_\w+|metadata)\.lance/],
  ] as const)(
    'find looks through the texts where files of the text index are %s (%s)',
    async (how, files) => {
      const { store, issues } = await spoiled(how, 'steps', files);
      const ids = async (query: string, options = {}) => [
        ...new Set((await store.find(query, options)).map((hit) => hit.documentId)),
      ];
      expect(await ids('quokka')).toEqual(['d7']);
      expect(await ids('QUOKKA d7')).toEqual(['d7']);
      expect(await ids('quokka zebra')).toEqual([]);
      expect(await ids('quokka zebra', { words: 'any' })).toEqual(['d7']);
      expect(await ids('市长')).toEqual(['d7']);
      expect(await store.find('message', { limit: 5 })).toHaveLength(5);
      expect(await ids('quokka', { filter: { documents: ['d8'] } })).toEqual([]);
      expect(issues.map((issue) => issue.code)).toEqual(['store/index-unreadable']);
      await put(store, [{ storylines: [story('new', 2, {}, 'wallaby')] }], { sourceId: 'b' });
      expect(await ids('wallaby')).toEqual(['new']);
      expect((await store.maintain({ retention: 0, safetyAge: 0 })).indexes).toContain('steps.search_text');
      const told = issues.length;
      expect(await ids('quokka')).toEqual(['d7']);
      expect(await ids('wallaby')).toEqual(['new']);
      expect(issues).toHaveLength(told);
      await store.close();
    },
  );

  test('an index that leaves rows out, and one that cannot be read, are found by verify; maintenance makes them anew', async () => {
    const { store, uri } = await spoiled('garbled', 'tool_calls', /bitmap/);
    // An address in the index of run ids leads nowhere: the lookup then misses a row, without an error.
    const addresses = (...rows: number[]) => Buffer.from(BigUint64Array.from(rows.map(BigInt)).buffer);
    let hit = 0;
    for (const file of indexFiles(uri, 'runs')) {
      const bytes = readFileSync(file);
      const at = bytes.indexOf(addresses(58, 59));
      // The run is in other columns, too; only this one says nothing else.
      if (!file.endsWith('page_data.lance') || !bytes.includes('run1') || at < 0) continue;
      addresses(58, 700).copy(bytes, at);
      writeFileSync(file, bytes);
      hit += 1;
    }
    expect(hit).toBeGreaterThan(0);
    const again = await openStore(uri);
    const listed = async () => (await collect(again.list({ runs: ['run1'] }))).length;
    expect(await listed()).toBe(59);
    const report = await again.verify();
    expect(report.faults).toEqual([]);
    expect(report.damage).toEqual([
      {
        table: 'tool_calls',
        index: 'function_name',
        message: 'the index of function_name cannot be read',
      },
      { table: 'runs', index: 'run_id', message: 'the index of run_id gives other rows than there are' },
    ]);
    const { indexes } = await again.maintain();
    expect(indexes).toContain('runs.run_id');
    expect(await listed()).toBe(60);
    expect((await again.verify()).damage).toEqual([]);
    await again.close();
    await store.close();
  });
});
