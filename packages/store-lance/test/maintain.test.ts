import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { TABLE_NAMES } from '../src/layout.ts';
import { findSuperseded } from '../src/maintain/find-superseded.ts';
import { storeInternals } from '../src/store-internals.ts';
import { collect, contents, freshStore, put, story } from './helpers.ts';

const everything = { retention: 0, safetyAge: 0 };

async function ids(store: Pick<Store, 'list'>): Promise<string[]> {
  return (await collect(store.list())).map((run) => run.documentId);
}

/** Whether a text stands in any file of a store; text that compression leaves alone, as one that repeats nothing does. */
function holds(uri: string, text: string): boolean {
  return readdirSync(uri, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)).includes(text));
}

describe('delete', () => {
  test('hidden at once, purged by maintain, really gone then', async () => {
    const { store, uri } = await freshStore();
    const secret = 'Q7zX9kPw3LmV5tRb8NcY';
    // Enough neighbours that Lance alone would leave the deleted rows in their fragment.
    await put(store, [
      ...Array.from({ length: 60 }, (_, index) => ({ storylines: [story(`keep${index}`, 4)] })),
      { storylines: [story(secret, 2)] },
    ]);
    expect(holds(uri, secret)).toBe(true);
    expect(await store.delete({ documents: [secret] })).toBe(1);
    expect(await ids(store)).not.toContain(secret);
    expect(await store.resolve(secret)).toEqual([]);
    expect(await store.info()).toMatchObject({ documents: 60, superseded: { runs: 2 } });
    // The default ages keep it for readers of the past.
    expect((await store.maintain()).purged).toEqual({ runs: 0, steps: 0, tool_calls: 0 });
    expect(holds(uri, secret)).toBe(true);
    const report = await store.maintain(everything);
    expect(report.purged).toEqual({ runs: 2, steps: 2, tool_calls: 1 });
    expect(holds(uri, secret)).toBe(false);
    expect(await store.info()).toMatchObject({
      documents: 60,
      superseded: { runs: 0, steps: 0 },
      orphans: { steps: 0, toolCalls: 0 },
    });
    expect((await store.verify()).faults).toEqual([]);
    // Importing it again brings it back.
    expect((await put(store, [{ storylines: [story(secret, 2)] }])).documents).toMatchObject({ new: 1 });
    await store.close();
  });

  test('steps and calls go with their row in runs, whatever their age: also of what was replaced', async () => {
    const { store, uri } = await freshStore();
    const words = ['Q7zX9kPw3LmV5tRb8NcY', 'hT4cW2sJd6GyK8fMqA1u'];
    await put(store, [{ storylines: [story('keep', 4)] }]);
    await put(store, [{ storylines: [story('gone', 2, {}, words[0])] }], { sourceId: 'b' });
    await put(store, [{ storylines: [story('new', 2, {}, words[1])] }], { sourceId: 'c' });
    await put(store, [{ storylines: [story('new', 2, {}, 'other')] }], { sourceId: 'c' });
    await store.delete({ documents: ['gone'] });
    // An import that is under way: its rows are young, and stay.
    await put(store, [{ storylines: [story('rejected', 50)], accepted: false }], {
      batch: { characters: 100 },
    });
    // The safety age of a day is for what no row in `runs` names.
    const { purged } = await store.maintain({ retention: 0 });
    expect(purged).toEqual({ runs: 3, steps: 4, tool_calls: 2 });
    for (const word of words) expect(holds(uri, word)).toBe(false);
    expect(await store.info()).toMatchObject({
      documents: 2,
      superseded: { runs: 0, steps: 0, toolCalls: 0 },
      orphans: { steps: 50, toolCalls: 25 },
    });
    expect((await store.verify()).faults).toEqual([]);
    await store.close();
  });

  test.each(TABLE_NAMES)(
    'ended before %s is purged, it shows nobody a half, and the next one completes it',
    async (name) => {
      const { store, uri } = await freshStore();
      await put(store, [{ storylines: [story('a', 2, {}, 'old'), story('b', 2)] }]);
      await put(store, [{ storylines: [story('a', 2, {}, 'new'), story('b', 2)] }]);
      await store.delete({ documents: ['b'] });
      const table = storeInternals(store).context.tables[name];
      const kept = table.delete;
      table.delete = async () => {
        throw new TypeError('killed here');
      };
      await expect(store.maintain({ retention: 0 })).rejects.toThrow('killed here');
      table.delete = kept;
      await store.close();
      const again = await openStore(uri);
      for (const { version } of await again.versions()) {
        const past = await again.at({ version });
        expect((await past.verify()).faults).toEqual([]);
        for (const item of await contents(past as Store)) expect(item.turns).toHaveLength(2);
      }
      expect(await contents(again)).toEqual([story('a', 2, {}, 'new')]);
      await again.maintain({ retention: 0 });
      expect(await again.info()).toMatchObject({
        documents: 1,
        superseded: { runs: 0, steps: 0, toolCalls: 0 },
        orphans: { steps: 0, toolCalls: 0 },
      });
      await again.close();
    },
  );

  test('gone from the indexes, too: the words of what was purged are in no dictionary', async () => {
    const kept = Array.from({ length: 40 }, (_, index) => ({ storylines: [story(`keep${index}`, 4)] }));
    // A dictionary is no plain text: it is compared with that of a store that never had the words.
    const dictionaries = async (secrets: boolean): Promise<string[]> => {
      const { store, uri } = await freshStore();
      await put(store, kept);
      const secret = { storylines: [story('other', 2, {}, 'Q7zX9kPw3LmV5tRb8NcY')] };
      if (secrets) await put(store, [secret], { sourceId: 'other' });
      expect(await store.find('q7zx9kpw3lmv5trb8ncy')).toHaveLength(secrets ? 2 : 0);
      if (secrets) expect(await store.delete({ documents: ['other'] })).toBe(1);
      const { purged } = await store.maintain(everything);
      expect(purged.steps).toBe(secrets ? 2 : 0);
      expect(await store.find('message', { limit: 500 })).toHaveLength(160);
      await store.close();
      return readdirSync(uri, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.name.endsWith('_tokens.lance'))
        .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)).toString('base64'))
        .sort();
    };
    const never = await dictionaries(false);
    expect(never.length).toBeGreaterThan(0);
    expect(await dictionaries(true)).toEqual(never);
  });

  test('by filter; an empty filter is refused', async () => {
    const { store } = await freshStore();
    await put(
      store,
      ['x', 'y'].map((run) => ({ storylines: [story(`${run}1`, 2, { run }), story(`${run}2`, 2, { run })] })),
    );
    expect(await store.delete({ runs: ['x'] })).toBe(2);
    expect(await ids(store)).toEqual(['y1', 'y2']);
    expect(await store.delete({ runs: ['none'] })).toBe(0);
    await expect(store.delete({})).rejects.toThrow(RangeError);
    await store.close();
  });
});

describe('maintain', () => {
  test('compacts, purges replaced rows and orphans, builds indexes, and changes nothing that counts', async () => {
    const { store } = await freshStore();
    for (const round of ['one', 'two', 'three']) {
      await put(
        store,
        Array.from({ length: 20 }, (_, index) => ({
          storylines: [story(`d${index}`, 6, {}, index % 2 === 0 ? round : '')],
        })),
        { batch: { documents: 3 } },
      );
    }
    await put(store, [{ storylines: [story('rejected', 50)], accepted: false }], {
      batch: { characters: 100 },
    });
    const before = await contents(store);
    const info = await store.info();
    expect(info).toMatchObject({ superseded: { runs: 20 }, orphans: { steps: 50 } });
    const steps: string[] = [];
    const report = await store.maintain({ ...everything, onProgress: (step) => steps.push(step) });
    expect(steps).toEqual(['superseded', 'orphans', 'compact', 'indexes', 'clean', 'files']);
    expect(report.purged).toEqual({ runs: 20, steps: 20 * 6 + 50, tool_calls: 20 * 3 + 25 });
    expect(report.fragments.after).toBe(3);
    // Tables of this size need none.
    expect(report.indexes).toEqual([]);
    expect(report.versionsRemoved.runs).toBeGreaterThanOrEqual(info.tables.runs.version - 1);
    expect(await contents(store)).toEqual(before);
    expect((await store.verify()).faults).toEqual([]);
    const after = await store.info();
    expect(after).toMatchObject({
      documents: 20,
      superseded: { runs: 0 },
      orphans: { steps: 0, toolCalls: 0 },
    });
    expect(after.bytesOnDisk ?? 0).toBeLessThan(info.bytesOnDisk ?? 0);
    // Indexes and compaction do not change what lookups give, nor rows that come later.
    await put(store, [{ storylines: [story('later', 2)] }], { sourceId: 'b' });
    for (const id of ['d3', 'later']) expect(await store.resolve(id)).toHaveLength(1);
    expect(
      (await put(store, [{ storylines: [story('later', 2)] }], { sourceId: 'b' })).documents,
    ).toMatchObject({ unchanged: 1 });
    await store.close();
  });

  test('indexes that are there take newer rows in, and forget purged ones; none are made where none are needed', async () => {
    const { store, uri } = await freshStore();
    const holding = (): string[] =>
      readdirSync(uri, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .filter((path) => readFileSync(path, 'latin1').includes('Q7zX9kPw'));
    await put(store, [{ storylines: [story('Q7zX9kPw')] }]);
    expect((await store.maintain()).indexes).toEqual([]);
    const all = await store.refreshIndexes({ force: true });
    expect(holding().filter((path) => path.includes('_indices')).length).toBeGreaterThan(1);
    await put(store, [{ storylines: [story('b')] }], { sourceId: 'b' });
    await store.maintain();
    const connection = await loadLance().lancedb.connect(uri, {
      namespaceClientProperties: { manifest_enabled: 'false' },
    });
    for (const name of ['runs', 'steps', 'tool_calls']) {
      const table = await connection.openTable(name);
      for (const index of await table.listIndices())
        expect((await table.indexStats(index.name))?.numUnindexedRows, index.name).toBe(0);
    }
    await store.delete({ documents: ['Q7zX9kPw'] });
    expect((await store.maintain(everything)).indexes).toEqual(all);
    expect(holding()).toEqual([]);
    await store.close();
  });

  test('young rows without a commit are left alone: a writer may be about to commit', async () => {
    const { store } = await freshStore();
    await put(store, [{ storylines: [story('rejected', 50)], accepted: false }], {
      batch: { characters: 100 },
    });
    expect((await store.maintain({ retention: 0 })).purged).toEqual({ runs: 0, steps: 0, tool_calls: 0 });
    expect((await store.maintain(everything)).purged).toEqual({ runs: 0, steps: 50, tool_calls: 25 });
    await store.close();
  });

  test('a pinned reader never loses its files within the retention', async () => {
    const { store, uri } = await freshStore();
    await put(
      store,
      Array.from({ length: 40 }, (_, index) => ({ storylines: [story(`d${index}`, 3, {}, 'old')] })),
    );
    const reader = await openStore(uri);
    const reading = reader.storylines();
    await reading.next();
    await put(
      store,
      Array.from({ length: 40 }, (_, index) => ({ storylines: [story(`d${index}`, 3, {}, 'new')] })),
    );
    await store.maintain({ safetyAge: 0 });
    let old = 1;
    for await (const { storyline } of reading) if (String(storyline.turns[0]?.msg).endsWith('old')) old += 1;
    expect(old).toBe(40);
    await reader.close();
    await store.close();
  });

  test('trap 4: temporary files of killed writers are swept by age, and only those', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a')] }]);
    const data = join(uri, 'steps.lance', 'data');
    const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    for (const name of ['.tmpAbC', '.tmpYoung', 'kept.txt']) writeFileSync(join(data, name), 'x');
    for (const name of ['.tmpAbC', 'kept.txt']) utimesSync(join(data, name), old, old);
    expect((await store.maintain()).filesRemoved).toBe(1);
    expect(readdirSync(data)).toEqual(expect.arrayContaining(['.tmpYoung', 'kept.txt']));
    expect(readdirSync(data)).not.toContain('.tmpAbC');
    expect(await contents(store)).toHaveLength(1);
    await store.close();
  });

  test('trap: a tagged version stops clean-up at its age and never makes it fail', async () => {
    const { store } = await freshStore();
    await put(store, [{ storylines: [story('a', 2, {}, 'old')] }]);
    await store.tag('release-1');
    await put(store, [{ storylines: [story('a', 2, {}, 'new')] }]);
    const report = await store.maintain(everything);
    expect(report.heldByTag).toBe(true);
    const past = await store.at({ tag: 'release-1' });
    expect(await contents(past as Store)).toEqual([story('a', 2, {}, 'old')]);
    expect((await past.verify()).faults).toEqual([]);
    await expect(store.tag('release-1')).rejects.toMatchObject({ code: 'store/bad-tag' });
    await expect(store.tag('../x')).rejects.toMatchObject({ code: 'store/bad-tag' });
    await store.untag('release-1');
    expect((await store.maintain(everything)).heldByTag).toBe(false);
    await expect(store.at({ tag: 'release-1' })).rejects.toMatchObject({ code: 'store/unknown-version' });
    expect(await contents(store)).toEqual([story('a', 2, {}, 'new')]);
    await store.close();
  });

  test('a tombstone is purged only together with all that it covers, whatever the clocks say', async () => {
    const row = (ingest: string, revision: bigint, deleted: boolean, seconds: bigint) => ({
      document_key: 'k',
      ingest_id: ingest,
      revision,
      deleted,
      ingested_at: seconds * 1_000_000_000n,
    });
    const superseded = async (rows: ReturnType<typeof row>[], cutoff: bigint) => {
      const { lancedb, arrow } = (await import('../src/lance/load-lance.ts')).loadLance();
      void arrow;
      const { buildTable } = await import('../src/columns/build-table.ts');
      const { tableColumns } = await import('../src/table-columns.ts');
      const { temporaryFolder } = await import('./helpers.ts');
      const columns = tableColumns.runs.filter(({ name }) => name in (rows[0] ?? {}));
      const connection = await lancedb.connect(temporaryFolder());
      const lance = (await import('../src/lance/load-lance.ts')).loadLance();
      const table = await connection.createTable('runs', buildTable(lance, columns, rows));
      return [...(await findSuperseded(table, cutoff * 1_000_000_000n)).superseded];
    };
    expect(
      await superseded([row('a', 1n, false, 1n), row('b', 2n, false, 2n), row('c', 3n, false, 9n)], 5n),
    ).toEqual(['a']);
    expect(
      await superseded([row('c', 3n, true, 3n), row('a', 1n, false, 1n), row('b', 2n, false, 2n)], 5n),
    ).toEqual(['a', 'b', 'c']);
    // The second writer's clock is ahead: its row is not old yet, so what it covers stays, and the tombstone with it.
    expect(
      await superseded([row('a', 1n, false, 1n), row('b', 2n, false, 9n), row('c', 3n, true, 3n)], 5n),
    ).toEqual(['b']);
    expect(await superseded([row('a', 1n, false, 1n), row('b', 2n, true, 3n)], 3n)).toEqual([]);
  });
});

describe('versions', () => {
  test('as of a version, a time, a tag; what is not kept is said to be so', async () => {
    const { store } = await freshStore();
    const marker = async () =>
      (await contents(store)).map((item) => String(item.turns[0]?.msg).split(' ').at(-1)).join();
    await put(store, [{ storylines: [story('a', 2, {}, 'one')] }]);
    const first = (await store.versions()).at(-1);
    expect(await marker()).toBe('one');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const between = new Date();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await put(store, [{ storylines: [story('a', 2, {}, 'two'), story('b', 2, {}, 'two')] }]);
    await store.delete({ documents: ['b'] });
    for (const moment of [{ version: first?.version ?? 0 }, { time: between }]) {
      const past = await store.at(moment);
      expect(await contents(past as Store)).toEqual([story('a', 2, {}, 'one')]);
      expect(await past.info()).toMatchObject({ documents: 1 });
      expect(await ids(past)).toEqual(['a']);
    }
    expect(await marker()).toBe('two');
    // Compaction within the retention keeps the past readable.
    await store.maintain({ safetyAge: 0 });
    expect(await contents((await store.at({ time: between })) as Store)).toEqual([story('a', 2, {}, 'one')]);
    await store.maintain(everything);
    await expect(store.at({ time: between })).rejects.toMatchObject({
      code: 'store/unknown-version',
      message: expect.stringContaining('are kept'),
    });
    await expect(store.at({ version: 9999 })).rejects.toMatchObject({ code: 'store/unknown-version' });
    expect(await marker()).toBe('two');
    await store.close();
  });
});

describe('a damaged version of the past', () => {
  test.each(TABLE_NAMES)('of %s stops no other, and is named', async (name) => {
    const { store, uri } = await freshStore();
    for (const marker of ['one', 'two', 'three'])
      await put(store, [{ storylines: [story('a', 2, {}, marker)] }]);
    // Lance numbers manifests backwards.
    const file = `${name}.lance/_versions/${0xffff_ffff_ffff_ffffn - 2n}.manifest`;
    const bytes = readFileSync(join(uri, file));
    for (const length of [0, 10]) {
      writeFileSync(join(uri, file), bytes.subarray(0, length));
      // The session of the store that wrote it remembers what it held.
      const again = await openStore(uri);
      expect((await again.versions()).map(({ version, damaged }) => [version, damaged])).toEqual([
        [1, undefined],
        [2, name === 'runs' ? file : undefined],
        [3, undefined],
        [4, undefined],
      ]);
      expect(await contents((await again.at({ version: 3 })) as Store)).toEqual([story('a', 2, {}, 'two')]);
      expect(await contents((await again.at({ time: new Date() })) as Store)).toEqual([
        story('a', 2, {}, 'three'),
      ]);
      if (name === 'runs') {
        await expect(again.at({ version: 2 })).rejects.toMatchObject({
          code: 'store/damaged',
          message: `version 2 of the table runs is damaged (${file} cannot be read)`,
        });
      } else expect(await ids(await again.at({ version: 2 }))).toEqual(['a']);
      expect(await again.verify()).toMatchObject({
        faults: [],
        damage: [
          { table: name, message: `version 2 of the table ${name} is damaged (${file} cannot be read)` },
        ],
      });
      await expect(again.maintain(everything)).rejects.toMatchObject({
        code: 'store/damaged',
        message: expect.stringContaining(
          `${file} cannot be read). Put it back from a copy, or remove that file`,
        ),
      });
      await again.close();
    }
    await store.close();
    rmSync(join(uri, file));
    const again = await openStore(uri);
    await again.maintain(everything);
    expect(await contents(again)).toEqual([story('a', 2, {}, 'three')]);
    expect(await again.verify()).toMatchObject({ faults: [], damage: [], notes: [] });
    await again.close();
  });
});

describe('a broken tag', () => {
  const tagFile = (uri: string, table: string, tag: string): string =>
    join(uri, `${table}.lance`, '_refs', 'tags', `${tag}.json`);

  test('breaks no other, is named, and goes with untag or with the next tag of its name', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a', 2, {}, 'old')] }]);
    for (const tag of ['good', 'bad', 'worse']) await store.tag(tag);
    await put(store, [{ storylines: [story('a', 2, {}, 'new')] }]);
    for (const table of TABLE_NAMES) truncateSync(tagFile(uri, table, 'bad'), 0);
    // In one table only, and with bytes in it.
    writeFileSync(tagFile(uri, 'steps', 'worse'), '{"version":');
    expect((await store.versions()).flatMap(({ tags }) => tags)).toEqual(['good', 'worse']);
    expect(await contents((await store.at({ tag: 'good' })) as Store)).toEqual([story('a', 2, {}, 'old')]);
    await store.tag('later');
    await store.untag('later');
    await expect(store.untag('none')).rejects.toMatchObject({ code: 'store/unknown-version' });
    for (const [tag, file] of [
      ['bad', 'tool_calls.lance/_refs/tags/bad.json'],
      ['worse', 'steps.lance/_refs/tags/worse.json'],
    ] as const) {
      await expect(store.at({ tag })).rejects.toMatchObject({
        code: 'store/damaged',
        message: `the tag "${tag}" of the store ${uri} is broken (${file} cannot be read); untag "${tag}" removes it`,
      });
    }
    await expect(store.maintain()).rejects.toMatchObject({
      code: 'store/damaged',
      message: expect.stringContaining('untag "bad" removes it'),
    });
    await store.untag('worse');
    await store.tag('bad');
    expect(await contents((await store.at({ tag: 'bad' })) as Store)).toEqual([story('a', 2, {}, 'new')]);
    await store.maintain(everything);
    expect((await store.versions()).flatMap(({ tags }) => tags)).toEqual(['good', 'bad']);
    await store.close();
  });

  test('is not left by a disk that took only an empty file: the failure is told, and nothing of it stays', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a', 2)] }]);
    await store.tag('good');
    const { steps } = storeInternals(store).context.tables;
    const tags = await steps.tags();
    // What Lance does on a full disk.
    const create = async (name: string): Promise<void> => writeFileSync(tagFile(uri, 'steps', name), '');
    const proxy = new Proxy(tags, {
      get(target, key) {
        if (key === 'create') return create;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    steps.tags = async () => proxy;
    await expect(store.tag('bad')).rejects.toMatchObject({ code: 'store/lost-write' });
    for (const table of TABLE_NAMES) expect(existsSync(tagFile(uri, table, 'bad'))).toBe(false);
    expect((await store.versions()).flatMap(({ tags }) => tags)).toEqual(['good']);
    await store.maintain();
    await store.close();
  });
});
