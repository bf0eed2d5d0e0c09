import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LAYOUT_KEY, openStore, StoreError } from '../src/index.ts';
import { explainFailure } from '../src/lance/explain-failure.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { isUnreadable } from '../src/verify/readable-spans.ts';
import { canBeForbidden, contents, freshStore, put, story, temporaryFolder } from './helpers.ts';

const child = fileURLToPath(new URL('./child-import.mjs', import.meta.url));
const built = fileURLToPath(new URL('../dist/index.js', import.meta.url));

async function failure(action: () => Promise<unknown>): Promise<StoreError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof StoreError) {
      // One sentence for a person: no source positions, no backtrace.
      expect(error.message).not.toMatch(/\n|cargo|rustc|\.rs:\d|panicked/);
      return error;
    }
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.each([
  'Panic in async function',
  'called `Option::unwrap()` on a `None` value',
  'lance error: Encountered internal error. Please file a bug report at https://example.org/issues. index out of range, /home/x/lance-8.0.0/src/a.rs:1:2',
  'Failed to get next batch from stream: task 436 panicked with message "index out of bounds: the len is 61 but the index is 120"',
])('a panic over a damaged file is damage, and its text is nobody’s business: %s', (text) => {
  const error = explainFailure(new Error(text), 'read the store s');
  expect(error.code).toBe('store/damaged');
  expect(error.message).toBe(
    'cannot read the store s: a file of the store is missing or damaged (Lance broke off while it decoded it)',
  );
});

test('damage is told with the file that Lance names', () => {
  for (const [text, detail] of [
    [
      'lance error: Not found: x/steps.lance/data/01.lance, /home/x/lance-io-8.0.0/src/local.rs:133:40',
      'lance error: Not found: x/steps.lance/data/01.lance',
    ],
    [
      'lance error: LanceError(IO): Generic LocalFileSystem error: failed to fill whole buffer, /rustc/59/function.rs:250:5',
      'lance error: LanceError(IO): Generic LocalFileSystem error: failed to fill whole buffer',
    ],
  ] as const) {
    const error = explainFailure(new Error(text), 'read the store s');
    expect([error.code, error.message]).toEqual([
      'store/damaged',
      `cannot read the store s: a file of the store is missing or damaged (${detail})`,
    ]);
  }
});

const REMOTE: [text: string, code: string][] = [
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing list request: Error performing GET http://127.0.0.1:9/bucket?*** in 641ms, after 3 retries, max_retries: 3, retry_timeout: 180s  - HTTP error: error sending request',
    'store/unreachable',
  ],
  [
    'lance error: LanceError(IO): Generic MicrosoftAzure error: Error performing GET https://a.blob.core.windows.net/c?*** in 421ms - Server returned non-2xx status code: 503 Service Unavailable: ',
    'store/unreachable',
  ],
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing GET http://h/b - Server returned non-2xx status code: 400 Bad Request: <Error/>',
    'store/unreachable',
  ],
  [
    'lance error: LanceError(IO): Generic GCS error: HTTP error: request or response body error',
    'store/unreachable',
  ],
  [
    'lance error: LanceError(IO): Generic MicrosoftAzure error: Invalid Access Key: Invalid padding',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic MicrosoftAzure error: Missing component in SAS query pair',
    'store/bad-options',
  ],
  [
    "lance error: LanceError(IO): Generic S3 error: Failed to resolve region for bucket 'bucket'",
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing GET http://h/b in 1ms - HTTP error: builder error',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing GET http://h/b in 1ms - Received redirect without LOCATION, this normally indicates an incorrectly configured region',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic GCS error: GCP credential error: Unable to open service account file from /none.json: No such file or directory (os error 2)',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic GCS error: Unable to open service account file from ***: No such file or directory (os error 2)',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic GCS error: GCP credential error: Unable to decode service account file: EOF while parsing an object at line 2 column 0',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic N/A error: Encountered internal error. Please file a bug report at https://example.org/issues. Failed to get AWS credentials: ProviderError(ProviderError { source: TokenError { kind: Forbidden } })',
    'store/bad-options',
  ],
  [
    'lance error: Invalid user input: Unable to find object store prefix: no Azure account name in URI, and no storage account configured.',
    'store/bad-options',
  ],
  [
    'lance error: Invalid user input: OSS endpoint is required. Please provide it in storage options',
    'store/bad-options',
  ],
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing GET http://h/b in 1ms - Server returned non-2xx status code: 403 Forbidden: <Error/>',
    'store/no-permission',
  ],
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing list request: Error performing GET http://h/b in 1ms - Server returned non-2xx status code: 404 Not Found: <Error/>',
    'store/not-found',
  ],
];
// An object that is gone, or shorter than it was, is damage there as it is in a folder.
const GONE: [text: string, code: string][] = [
  ['lance error: Not found: x/steps.lance/data/01.lance', 'store/damaged'],
  [
    'lance error: LanceError(IO): Generic S3 error: Error performing GET http://h/b/x.lance in 1ms - Server returned non-2xx status code: 416 Range Not Satisfiable: <Error/>',
    'store/damaged',
  ],
  [
    'lance error: LanceError(IO): Generic LocalFileSystem error: failed to fill whole buffer',
    'store/damaged',
  ],
];

test.each(REMOTE)('what a service on the network says is no damage of files: %s', (text, code) => {
  const error = explainFailure(new Error(text), 'open the store s');
  expect(error.code).toBe(code);
  expect(error.message).not.toMatch(/damaged|Lance broke off|bug report|ProviderError/);
  // So verifying stops with it, rather than name the Storylines that it was about to read.
  expect(isUnreadable(new Error(text))).toBe(false);
  expect(isUnreadable(error)).toBe(false);
});

test.each(GONE)('what is gone is: %s', (text, code) => {
  expect(explainFailure(new Error(text), 'open the store s').code).toBe(code);
  expect(isUnreadable(new Error(text))).toBe(true);
});

test('a folder with a colon in its name is one, absolute or not', async () => {
  const folder = temporaryFolder();
  const before = process.cwd();
  process.chdir(folder);
  try {
    const store = await openStore('r:1', { create: true });
    await put(store, [{ storylines: [story('a')] }]);
    await store.close();
    expect(readdirSync('r:1').sort()).toEqual(['runs.lance', 'steps.lance', 'tool_calls.lance']);
    const again = await openStore(join(folder, 'r:1'));
    expect(await contents(again)).toEqual([story('a')]);
    await again.close();
  } finally {
    process.chdir(before);
  }
});

describe('what is no store', () => {
  test('nothing there: store/not-found, and nothing is made', async () => {
    const uri = join(temporaryFolder(), 'none');
    expect((await failure(() => openStore(uri))).code).toBe('store/not-found');
    expect(existsSync(uri)).toBe(false);
    mkdirSync(uri);
    expect((await failure(() => openStore(uri))).code).toBe('store/not-found');
    expect(readdirSync(uri)).toEqual([]);
  });

  test('a file: store/not-a-store', async () => {
    const uri = join(temporaryFolder(), 'file');
    writeFileSync(uri, 'x');
    for (const create of [true, false])
      expect((await failure(() => openStore(uri, { create }))).code).toBe('store/not-a-store');
  });

  test('a place where no store can be made is said to be one; nothing there is called damaged', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'x');
    symlinkSync(join(folder, 'none'), join(folder, 'link'));
    const places: [string, string, RegExp][] = [
      [join(folder, 'file', 'x', 'y'), 'store/not-a-store', /: a part of its path is a file$/],
      [join(folder, 'link'), 'store/io', /none can be made there|File exists/],
    ];
    // Node's own recursive mkdir never ends there.
    if (process.platform === 'linux')
      places.push(
        ['/proc/pchronicle/store', 'store/io', /: none can be made there \(ENOENT.*'\/proc\/pchronicle'\)$/],
        ['/proc/pchronicle', 'store/io', /: none can be made there \(ENOENT.*'\/proc\/pchronicle'\)$/],
      );
    for (const [uri, code, message] of places) {
      const error = await failure(() => openStore(uri, { create: true }));
      expect([uri, error.code]).toEqual([uri, code]);
      expect(error.message).toMatch(message);
      expect(error.message).toContain(`cannot create the store ${uri}`);
      expect((await failure(() => openStore(uri))).code).toBe('store/not-found');
    }
  });

  test('a folder with other files: store/foreign-folder, and it stays as it is', async () => {
    const uri = temporaryFolder();
    writeFileSync(join(uri, 'thesis.tex'), 'x');
    const error = await failure(() => openStore(uri, { create: true }));
    expect(error.code).toBe('store/foreign-folder');
    expect(error.message).toContain('thesis.tex');
    expect((await failure(() => openStore(uri))).code).toBe('store/not-found');
    expect(readdirSync(uri)).toEqual(['thesis.tex']);
  });

  test('tables of somebody else: store/not-a-store', async () => {
    const uri = temporaryFolder();
    const { arrow, lancedb } = loadLance();
    const connection = await lancedb.connect(uri, {
      namespaceClientProperties: { manifest_enabled: 'false' },
    });
    await connection.createEmptyTable(
      'runs',
      new arrow.Schema([new arrow.Field('x', new arrow.Utf8(), true)]),
    );
    for (const create of [true, false])
      expect((await failure(() => openStore(uri, { create }))).code).toBe('store/not-a-store');
  });

  test('a newer major layout: store/newer-layout, with both versions named', async () => {
    const uri = temporaryFolder();
    const { arrow, lancedb } = loadLance();
    const connection = await lancedb.connect(uri, {
      namespaceClientProperties: { manifest_enabled: 'false' },
    });
    for (const name of ['tool_calls', 'steps', 'runs']) {
      await connection.createEmptyTable(
        name,
        new arrow.Schema([new arrow.Field('x', new arrow.Utf8(), true)], new Map([[LAYOUT_KEY, '2.0']])),
      );
    }
    const error = await failure(() => openStore(uri));
    expect(error.code).toBe('store/newer-layout');
    expect(error.message).toMatch(/2\.0.*1\.x/);
  });

  test('a store has three tables and nothing else; opening to read changes no file', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a')] }]);
    await store.close();
    expect(readdirSync(uri).sort()).toEqual(['runs.lance', 'steps.lance', 'tool_calls.lance']);
    const before = readdirSync(uri, { recursive: true }).sort();
    const again = await openStore(uri);
    await again.info();
    expect(await contents(again)).toHaveLength(1);
    await again.close();
    expect(readdirSync(uri, { recursive: true }).sort()).toEqual(before);
    expect((await failure(() => again.info())).code).toBe('store/closed');
  });
});

describe('damage', () => {
  const damaged = async (table: string, spoil: (folder: string) => void) => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a'), story('b')] }]);
    await store.close();
    const copy = join(temporaryFolder(), 'copy');
    cpSync(uri, copy, { recursive: true });
    spoil(join(copy, table));
    return await failure(async () => {
      const opened = await openStore(copy);
      try {
        await contents(opened);
      } finally {
        await opened.close();
      }
    });
  };
  const everyFile = (folder: string, spoil: (file: string) => void) => {
    for (const name of readdirSync(folder)) spoil(join(folder, name));
  };

  test.each(['runs.lance', 'steps.lance', 'tool_calls.lance'])(
    '%s: truncated, garbled or missing files are store/damaged',
    async (table) => {
      expect(
        (await damaged(table, (folder) => everyFile(join(folder, 'data'), (file) => truncateSync(file, 50))))
          .code,
      ).toBe('store/damaged');
      expect(
        (
          await damaged(table, (folder) =>
            everyFile(join(folder, 'data'), (file) => writeFileSync(file, 'garbage'.repeat(200))),
          )
        ).code,
      ).toBe('store/damaged');
      expect((await damaged(table, (folder) => rmSync(join(folder, 'data'), { recursive: true }))).code).toBe(
        'store/damaged',
      );
      expect(
        (
          await damaged(table, (folder) =>
            everyFile(join(folder, '_versions'), (file) => writeFileSync(file, 'garbage')),
          )
        ).code,
      ).toBe('store/damaged');
      const gone = await damaged(table, (folder) => rmSync(folder, { recursive: true }));
      expect(gone.code).toBe('store/damaged');
      expect(gone.message).toContain(`the table ${table.replace('.lance', '')} of the store`);
    },
  );

  test.each(['runs.lance', 'steps.lance', 'tool_calls.lance'])(
    'a store that has lost %s is not opened for an import either, which would put an empty one in its place',
    async (table) => {
      const { store, uri } = await freshStore();
      await put(store, [{ storylines: [story('a')] }]);
      await store.close();
      rmSync(join(uri, table), { recursive: true });
      expect((await failure(() => openStore(uri, { create: true }))).code).toBe('store/damaged');
      expect(existsSync(join(uri, table))).toBe(false);
    },
  );

  test('steps that are lost, doubled or changed are found by verify and by reading, and not repaired', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a'), story('b'), story('c'), story('d')] }]);
    const { lancedb } = loadLance();
    const connection = await lancedb.connect(uri, {
      namespaceClientProperties: { manifest_enabled: 'false' },
    });
    const steps = await connection.openTable('steps');
    await steps.delete("document_id = 'a' AND turn_ordinal = 2");
    await steps.update({
      values: { message_json: '"forged"' },
      where: "document_id = 'b' AND turn_ordinal = 0",
    });
    const calls = await connection.openTable('tool_calls');
    await calls.update({ values: { results_json: '[1]' }, where: "document_id = 'c' AND turn_ordinal = 1" });
    const report = await store.verify();
    const messages = (id: string) =>
      report.faults.filter((fault) => fault.documentId === id).map((fault) => fault.message);
    expect(report.documents).toBe(4);
    expect(messages('a').join()).toContain('turn_ordinal 2');
    expect(messages('b').join()).toContain('content hash');
    expect(messages('c').join()).toContain('results_json');
    expect(messages('d')).toEqual([]);
    const [run] = await store.resolve('a');
    expect((await failure(() => store.read(run?.documentKey ?? ''))).code).toBe('store/damaged');
    await store.close();
  });

  test('an unknown document key: store/unknown-document', async () => {
    const { store } = await freshStore();
    expect((await failure(() => store.read("no'such"))).code).toBe('store/unknown-document');
    expect(await store.resolve('none')).toEqual([]);
    await store.close();
  });
});

describe('the disk is full', () => {
  const checkAfter = async (uri: string, documents: number) => {
    const store = await openStore(uri);
    expect((await store.verify()).faults).toEqual([]);
    expect((await store.info()).documents).toBe(documents);
    await store.close();
  };

  test('a file size limit: store/disk-full, the store stays as it was and takes the import later', async () => {
    if (!existsSync(built))
      throw new Error('this test starts a process that runs dist/: build the package first');
    const uri = join(temporaryFolder(), 'store');
    const run = (marker: string, limit?: number) => {
      const command = limit === undefined ? 'exec "$@"' : `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`;
      return spawnSync(
        'bash',
        ['-c', command, 'bash', process.execPath, child, uri, 'source', '0', '12', marker],
        { encoding: 'utf8' },
      );
    };
    expect(run('old').status).toBe(0);
    await checkAfter(uri, 24);
    const full = run(`new ${'text '.repeat(4000)}`, 8);
    expect(full.status).not.toBe(0);
    expect(full.stderr).toContain("code: 'store/disk-full'");
    await checkAfter(uri, 24);
    expect(run('new').stdout).toContain('"replaced":24');
    await checkAfter(uri, 24);
  });

  test.skipIf(!mountable())('a full file system: the same (where a small one may be mounted)', async () => {
    const folder = temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'none', folder]);
    try {
      const uri = join(folder, 'store');
      const run = (marker: string) =>
        spawnSync(process.execPath, [child, uri, 'source', '0', '12', marker], { encoding: 'utf8' });
      expect(run('old').status).toBe(0);
      let ended = run('old');
      for (let round = 0; round < 60 && ended.status === 0; round += 1)
        ended = run(`${round} ${Math.random().toString(36).repeat(40)}`);
      expect(ended.stderr).toContain("code: 'store/disk-full'");
      await checkAfter(uri, 24);
    } finally {
      execFileSync('umount', [folder]);
    }
  });
});

function mountable(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = temporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder]).status !== 0) return false;
  return spawnSync('umount', [folder]).status === 0;
}

describe('access', () => {
  const root = process.getuid?.() === 0;
  test.skipIf(!canBeForbidden())('no permission: store/no-permission', async () => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a')] }]);
    await store.close();
    const folder = temporaryFolder();
    chmodSync(folder, 0o555);
    if (!root) {
      expect((await failure(() => openStore(join(folder, 'store'), { create: true }))).code).toBe(
        'store/no-permission',
      );
      chmodSync(uri, 0o000);
      expect((await failure(() => openStore(uri))).code).toBe('store/no-permission');
      chmodSync(uri, 0o755);
      return;
    }
    // Root may do anything: ask as somebody else.
    const script = `import { openStore } from ${JSON.stringify(built)};
      for (const [uri, create] of [[${JSON.stringify(join(folder, 'store'))}, true], [${JSON.stringify(uri)}, false]]) {
        await openStore(uri, { create }).then(() => console.log('opened'), (error) => console.log(error.code));
      }`;
    chmodSync(uri, 0o700);
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      uid: 65_534,
      gid: 65_534,
    });
    expect(ended.stdout.trim().split('\n'), ended.stderr).toEqual([
      'store/no-permission',
      'store/no-permission',
    ]);
  });

  test('credentials are never shown: not in the URI, not in a message', async () => {
    const secret = 'verysecretvalue123';
    const error = await failure(() =>
      openStore(`s3://user:${secret}@bucket/path?sig=${secret}`, {
        storageOptions: {
          aws_access_key_id: secret,
          aws_secret_access_key: secret,
          aws_region: secret,
          aws_endpoint: `http://127.0.0.1:1/${secret}`,
          allow_http: 'true',
          client_max_retries: '0',
          client_retry_timeout: '1',
        },
      }),
    );
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(secret);
    expect(error.message).toContain('s3://');
  });
});
