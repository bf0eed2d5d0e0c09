import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore, type Store, type StoreReads } from '../src/index.ts';
import { openSql } from '../src/sql/index.ts';
import { collect, freshStore, put, story, temporaryFolder } from './helpers.ts';

const everything = { retention: 0, safetyAge: 0 };

/** A store of three imports, so of three data files a table; one of `name` is spoilt. */
async function damaged(
  name: string,
  spoil: (file: string) => void = (file) => truncateSync(file, 50),
): Promise<{ readonly store: Store; readonly uri: string; readonly file: string }> {
  const { store, uri } = await freshStore();
  const folder = join(uri, `${name}.lance`, 'data');
  const files: string[] = [];
  for (const part of ['a', 'b', 'c']) {
    await put(store, [{ storylines: [story(`${part}0`, 8)] }, { storylines: [story(`${part}1`, 8)] }], {
      sourceId: part,
    });
    files.push(...readdirSync(folder).filter((file) => !files.includes(file)));
  }
  await store.find('message');
  await store.refreshIndexes({ force: true });
  await store.close();
  const file = join(folder, files[1] ?? '');
  spoil(file);
  return { store: await openStore(uri), uri, file };
}

/** Every file of a folder with its content. */
function filesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return [path, createHash('sha256').update(readFileSync(path)).digest('hex')] as const;
    }),
  );
}

async function idsOf(reads: StoreReads): Promise<string[]> {
  return (await collect(reads.list())).map(({ documentId }) => documentId);
}

const WHOLE = ['a0', 'a1', 'c0', 'c1'];

describe('a store without what is damaged', () => {
  test.each<[string, string, ((file: string) => void) | undefined]>([
    ['steps', 'cut short', undefined],
    ['tool_calls', 'cut short', undefined],
    ['steps', 'removed', (file) => rmSync(file)],
  ])(
    'a file of %s that was %s: every Storyline that it does not hit is listed, read, found and asked',
    async (name, _, spoil) => {
      const { store, uri, file } = await damaged(name, spoil);
      const before = filesOf(uri);
      const folder = join(temporaryFolder(), 'readable');
      const left = await store.withoutDamage(folder);
      expect(left.damage).toEqual([
        {
          table: name,
          message: expect.stringMatching(/^(16|8) rows cannot be read: /),
          file: relative(uri, file),
        },
      ]);
      expect(left.storylines.map(({ documentId }) => documentId).sort()).toEqual(['b0', 'b1']);
      const readable = await openStore(folder);
      expect(await idsOf(readable)).toEqual(WHOLE);
      expect((await collect(readable.storylines())).map(({ storyline }) => storyline)).toEqual(
        WHOLE.map((id) => story(id, 8)),
      );
      expect(
        new Set((await readable.find('message', { limit: 99 })).map(({ documentId }) => documentId)),
      ).toEqual(new Set(WHOLE));
      const session = await openSql(readable);
      const { batches } = await session.query(
        'SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM steps), (SELECT count(*) FROM tool_calls)',
      );
      expect((await collect(batches)).flat()).toEqual([[4, 32, 16]]);
      await session.close();
      expect(await readable.verify()).toMatchObject({ documents: 4, faults: [], damage: [] });
      await readable.close();
      expect(filesOf(uri)).toEqual(before);
      await store.close();
    },
  );

  test('where nothing is damaged nothing is made', async () => {
    const { store } = await damaged('steps', () => undefined);
    const folder = join(temporaryFolder(), 'readable');
    expect(await store.withoutDamage(folder)).toEqual({ damage: [], storylines: [] });
    await expect(openStore(folder)).rejects.toMatchObject({ code: 'store/not-found' });
    await store.close();
  });

  test('a Storyline that is hit does not come back as the version that it replaced; a moment of the past has its own', async () => {
    const { store, uri } = await freshStore();
    const folder = join(uri, 'steps.lance', 'data');
    await put(store, [{ storylines: [story('a', 4)] }, { storylines: [story('b', 4)] }]);
    const old = readdirSync(folder);
    const { version } = (await store.info()).tables.runs;
    await put(store, [{ storylines: [story('a', 4, {}, 'new')] }, { storylines: [story('b', 4)] }]);
    const [newer = ''] = readdirSync(folder).filter((file) => !old.includes(file));
    truncateSync(join(folder, newer), 50);
    const now = join(temporaryFolder(), 'now');
    expect((await store.withoutDamage(now)).storylines).toMatchObject([{ documentId: 'a' }]);
    const readable = await openStore(now);
    expect(await idsOf(readable)).toEqual(['b']);
    await readable.close();
    const then = join(temporaryFolder(), 'then');
    expect((await (await store.at({ version })).withoutDamage(then)).storylines).toEqual([]);
    const past = await openStore(then);
    expect((await collect(past.storylines())).map(({ storyline }) => storyline)).toEqual([
      story('a', 4),
      story('b', 4),
    ]);
    await past.close();
    await store.close();
  });

  test('an interruption ends the looking with its reason, and makes nothing', async () => {
    const { store } = await damaged('steps');
    const folder = join(temporaryFolder(), 'readable');
    const reason = new Error('enough');
    await expect(store.withoutDamage(folder, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(openStore(folder)).rejects.toMatchObject({ code: 'store/not-found' });
    await store.close();
  });

  test('a damaged file of runs: what its rows name is not known, all else is there', async () => {
    const { store } = await damaged('runs');
    const folder = join(temporaryFolder(), 'readable');
    expect(await store.withoutDamage(folder)).toMatchObject({ damage: [{ table: 'runs' }], storylines: [] });
    const readable = await openStore(folder);
    expect(await idsOf(readable)).toEqual(WHOLE);
    await readable.close();
    await store.close();
  });
});

describe('dropping damaged files', () => {
  test.each(['steps', 'tool_calls'])(
    'of %s: refused while a Storyline has rows in one; then the store is whole again, and takes them anew',
    async (name) => {
      const { store, file } = await damaged(name);
      await expect(store.maintain(everything)).rejects.toMatchObject({ code: 'store/damaged' });
      const before = await store.info().then(
        ({ tables }) => tables[name as 'steps'].version,
        () => undefined,
      );
      await expect(store.maintain({ ...everything, dropDamaged: true })).rejects.toMatchObject({
        code: 'store/damaged',
        message: expect.stringMatching(/: rows of "b[01]", "b[01]" are among them; put the files back/),
      });
      expect(
        await store.info().then(
          ({ tables }) => tables[name as 'steps'].version,
          () => undefined,
        ),
      ).toBe(before);
      await store.delete({ documents: ['b0', 'b1'] });
      const { dropped } = await store.maintain({ ...everything, dropDamaged: true });
      expect(dropped).toEqual({ steps: 0, tool_calls: 0, [name]: name === 'steps' ? 16 : 8 });
      expect(await store.verify()).toMatchObject({ documents: 4, faults: [], damage: [], notes: [] });
      expect(readdirSync(join(file, '..'))).toHaveLength(1);
      const documents = [{ storylines: [story('b0', 8)] }, { storylines: [story('b1', 8)] }];
      expect((await put(store, documents, { sourceId: 'b' })).documents).toMatchObject({ new: 2 });
      expect(await store.verify()).toMatchObject({ documents: 6, faults: [], damage: [] });
      await store.close();
    },
  );

  test('of runs: never', async () => {
    const { store } = await damaged('runs');
    await expect(store.maintain({ ...everything, dropDamaged: true })).rejects.toMatchObject({
      code: 'store/damaged',
      message: expect.stringContaining(
        'rows of its table runs cannot be read, and nobody knows what they name',
      ),
    });
    await store.close();
  });

  test('where nothing is damaged it drops nothing', async () => {
    const { store } = await damaged('steps', () => undefined);
    expect((await store.maintain({ dropDamaged: true })).dropped).toEqual({ steps: 0, tool_calls: 0 });
    expect(await store.verify()).toMatchObject({ documents: 6, faults: [], damage: [] });
    await store.close();
  });
});

describe('bytes of a maintained store were changed, so one data file a table', () => {
  /** A store of 40 Storylines in one file of steps, of which eight bytes are others: the first such place from `part` of the file on that hits some and not all. */
  async function flipped(part: number) {
    const { store, uri } = await freshStore();
    const documents = Array.from({ length: 40 }, (_, number) => ({
      storylines: [story(`s${number}`, 60, {}, createHash('sha512').update(`${number}`).digest('base64'))],
    }));
    await put(store, documents, { sourceId: 's' });
    await store.maintain(everything);
    await store.close();
    const folder = join(uri, 'steps.lance', 'data');
    const [name = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    const bytes = readFileSync(join(folder, name));
    for (let share = part; share < part + 0.4; share += 0.02) {
      const spoilt = Buffer.from(bytes);
      const at = Math.floor(bytes.length * share);
      for (let index = at; index < at + 8; index += 1) spoilt[index] = (bytes[index] ?? 0) ^ 0xff;
      writeFileSync(join(folder, name), spoilt);
      const damaged = await openStore(uri);
      const report = await damaged.verify();
      const hit = new Set(report.faults.map(({ documentId }) => documentId));
      if (hit.size > 0 && hit.size < 40)
        return { store: damaged, report, hit, file: `steps.lance/data/${name}` };
      await damaged.close();
    }
    throw new Error('no such place');
  }

  test.each([0.1, 0.5])(
    'from %f of it on: only what verify names is left out, the file is named, and deleting and maintaining makes it whole',
    async (part) => {
      const { store, report, hit, file } = await flipped(part);
      expect(report.damage).toEqual([expect.objectContaining({ table: 'steps', file })]);
      const folder = join(temporaryFolder(), 'readable');
      const left = await store.withoutDamage(folder);
      expect(new Set(left.storylines.map(({ documentId }) => documentId))).toEqual(hit);
      expect(left.damage).toEqual([expect.objectContaining({ table: 'steps', file })]);
      const readable = await openStore(folder);
      expect(await collect(readable.storylines())).toHaveLength(40 - hit.size);
      expect(await readable.verify()).toMatchObject({ documents: 40 - hit.size, faults: [], damage: [] });
      await readable.close();
      await store.delete({ documents: [...hit] });
      await store.maintain({ dropDamaged: true });
      expect(await store.verify()).toMatchObject({ documents: 40 - hit.size, faults: [], damage: [] });
      await store.maintain(everything);
      expect(await store.withoutDamage(join(temporaryFolder(), 'none'))).toEqual({
        damage: [],
        storylines: [],
      });
      expect(await collect(store.storylines())).toHaveLength(40 - hit.size);
      await store.close();
    },
  );

  test('a file of runs of which some column cannot be read is named, too', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a', 4)] }, { storylines: [story('b', 4)] }]);
    await store.close();
    const folder = join(uri, 'runs.lance', 'data');
    const [name = ''] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name));
    for (let at = 0; at < bytes.length; at += 64) {
      const spoilt = Buffer.from(bytes);
      spoilt.fill(0xff, at, at + 16);
      writeFileSync(join(folder, name), spoilt);
      const damaged = await openStore(uri);
      const { faults, damage } = await damaged.verify();
      await damaged.close();
      if (!faults.some(({ message }) => message.startsWith('cannot be read'))) continue;
      expect(damage).toContainEqual(
        expect.objectContaining({ table: 'runs', file: `runs.lance/data/${name}` }),
      );
      return;
    }
    throw new Error('no such place');
  });
});
