import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, StoreError } from '../src/index.ts';
import { openSql } from '../src/sql/index.ts';
import { collect, contents, put, story, temporaryFolder } from './helpers.ts';

// Runs against Azurite, Microsoft's emulator: `npm install --global azurite`, or PCHRONICLE_AZURITE names its azurite-blob.
const azurite = [process.env.PCHRONICLE_AZURITE, 'azurite-blob'].find(
  (command) => command !== undefined && works(command),
);
const child = fileURLToPath(new URL('./child-import.mjs', import.meta.url));

// The emulator's published account; the secret is public.
const account = 'devstoreaccount1';
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

function works(command: string): boolean {
  return existsSync(command) || spawnSync(command, ['--version'], { timeout: 10_000 }).status === 0;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function createContainer(port: number, name: string): Promise<number> {
  const date = new Date().toUTCString();
  const version = '2021-08-06';
  const signed = `PUT\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:${date}\nx-ms-version:${version}\n/${account}/${account}/${name}\nrestype:container`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  const response = await fetch(`http://127.0.0.1:${port}/${account}/${name}?restype=container`, {
    method: 'PUT',
    headers: {
      'x-ms-date': date,
      'x-ms-version': version,
      Authorization: `SharedKey ${account}:${signature}`,
    },
  });
  return response.status;
}

describe.skipIf(azurite === undefined)('az:// (Azurite)', () => {
  let server: ChildProcess;
  let storageOptions: Record<string, string>;
  const uri = 'az://trajectories/team/store';

  beforeAll(async () => {
    const port = await freePort();
    server = spawn(
      azurite ?? '',
      [
        '--silent',
        '--location',
        temporaryFolder(),
        '--blobPort',
        String(port),
        '--disableTelemetry',
        '--skipApiVersionCheck',
      ],
      { stdio: 'ignore' },
    );
    storageOptions = {
      account_name: account,
      account_key: key,
      azure_endpoint: `http://127.0.0.1:${port}/${account}`,
      allow_http: 'true',
    };
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const status = await createContainer(port, 'trajectories').catch(() => 0);
      if (status === 201) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('Azurite did not start');
  });
  // Its folder is removed next: it must have stopped writing there.
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('close', resolve));
    server.kill('SIGKILL');
    await ended;
  });

  const importing = (source: string) =>
    new Promise<{ readonly code: number | null; readonly errors: string }>((resolve) => {
      const started = spawn(process.execPath, [child, uri, source, '0', '12', 'new'], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, STORAGE: JSON.stringify(storageOptions) },
      });
      let errors = '';
      started.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      started.on('close', (code) => resolve({ code, errors }));
    });

  test('no store yet: store/not-found', async () => {
    await expect(openStore(uri, { storageOptions })).rejects.toMatchObject({ code: 'store/not-found' });
  });

  test('two writers and a reader; the same file and different ones', async () => {
    const store = await openStore(uri, { create: true, storageOptions });
    let writing = true;
    let reads = 0;
    const reader = (async () => {
      while (writing) {
        const seen = (await collect(store.list())).map((run) => run.documentKey);
        expect(new Set(seen).size).toBe(seen.length);
        reads += 1;
      }
    })();
    for (const ended of await Promise.all([importing('one'), importing('two')]))
      expect(ended).toEqual({ code: 0, errors: '' });
    for (const ended of await Promise.all([importing('three'), importing('three')]))
      expect(ended).toEqual({ code: 0, errors: '' });
    writing = false;
    await reader;
    expect(reads).toBeGreaterThan(0);
    expect(await store.verify()).toMatchObject({ documents: 3 * 24, faults: [] });
    await store.close();
  });

  test('everything else works there too: replace, delete, maintain, find, SQL, tags', async () => {
    const store = await openStore(uri, { create: true, storageOptions });
    await put(store, [{ storylines: [story('a', 4, {}, 'walrus')] }], { sourceId: 'four' });
    await store.tag('before');
    await put(store, [{ storylines: [story('a', 6, {}, 'okapi')] }], { sourceId: 'four' });
    expect(await store.find('walrus')).toEqual([]);
    expect((await store.find('okapi')).length).toBeGreaterThan(0);
    const past = await store.at({ tag: 'before' });
    expect((await contents(past as typeof store)).find((item) => item.session === 'a')?.turns).toHaveLength(
      4,
    );
    await store.delete({ sources: ['one', 'two', 'three'] });
    await store.maintain();
    expect(await store.info()).toMatchObject({ uri, documents: 1, steps: 6 });
    const session = await openSql(store);
    const result = await session.query('SELECT count(*) FROM steps');
    for await (const rows of result.batches) expect(rows).toEqual([[6]]);
    await session.close();
    expect((await store.verify()).faults).toEqual([]);
    await store.close();
  });

  test('a wrong key is refused without being shown', async () => {
    const wrong = Buffer.from('a wrong key that nobody may see').toString('base64');
    const error = await openStore(uri, {
      storageOptions: { ...storageOptions, account_key: wrong, client_max_retries: '1' },
    }).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).code).toBe('store/no-permission');
    expect((error as StoreError).message).not.toContain(wrong);
  });
});
