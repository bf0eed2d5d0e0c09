import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { damagedFolder } from '../support/damaged.ts';
import { storylineDocument, turn } from '../support/documents.ts';
import { filledFolder } from '../support/filled.ts';
import { bin, folder, pchronicle } from '../support/run.ts';

type Row = Record<string, unknown>;

async function json<Shape>(cwd: string, ...args: readonly string[]): Promise<Shape> {
  const { exit, stdout, stderr } = await pchronicle([...args, '--json'], { cwd });
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Shape;
}

async function documents(cwd: string, ...args: readonly string[]): Promise<readonly unknown[]> {
  const { runs } = await json<{ runs: Row[] }>(cwd, 'ls', ...args);
  return runs.map(({ document_id }) => document_id);
}

const A1 = 'task-a#attempt-1';
const A2 = 'task-a#attempt-2';
const B1 = 'task-b';

describe('store delete', () => {
  test('by id or selection; a dry run changes nothing; --json has a stable shape', async () => {
    const cwd = await filledFolder();
    const dry = await json<Row>(cwd, 'store', 'delete', '--run', 'task-a', '--dry-run');
    expect(dry).toEqual({
      store: './trajectories',
      dry_run: true,
      deleted: 0,
      runs: [expect.objectContaining({ document_id: A1 }), expect.objectContaining({ document_id: A2 })],
    });
    expect(await documents(cwd)).toHaveLength(4);
    const done = await json<Row>(cwd, 'store', 'delete', A2, '--yes');
    expect(done).toMatchObject({ dry_run: false, deleted: 1, runs: [{ document_id: A2 }] });
    expect(await documents(cwd)).not.toContain(A2);
    const where = await pchronicle(
      ['store', 'delete', '--where', 'correct -- all', '--run', 'task-a', '--yes'],
      {
        cwd,
      },
    );
    expect(where.stdout).toBe('');
    expect(where.stderr).toMatch(/^deleted 1 trajectory; /);
    expect(await documents(cwd)).toEqual([B1, 's1']);
  });

  test('asks nobody where there is no terminal, and deletes nothing unless something is named', async () => {
    const cwd = await filledFolder();
    const cases = [
      [['s1'], 2, 'cli/not-confirmed'],
      [['--yes'], 2, 'cli/nothing-named'],
      [['s1', '--run', 'nightly', '--yes'], 2, 'cli/nothing-named'],
      [['s2', '--yes'], 4, 'cli/no-such-trajectory'],
      [['task-a', '--yes'], 4, 'cli/ambiguous-id'],
      [['--run', 'none', '--yes'], 4, 'cli/nothing-selected'],
      [['--where', 'nope = 1', '--yes'], 2, 'store/sql-invalid'],
    ] as const;
    for (const [args, expected, code] of cases) {
      const { exit, stdout, stderr } = await pchronicle(['store', 'delete', ...args], { cwd });
      expect([exit, stdout]).toEqual([expected, '']);
      expect(stderr).toContain(`(${code})`);
    }
    expect(await documents(cwd)).toHaveLength(4);
  });
});

const hasTerminal = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

test.skipIf(!hasTerminal)('store delete asks on a terminal: only a yes deletes', async () => {
  const cwd = await filledFolder();
  const answered = (input: string): string =>
    spawnSync('script', ['-qec', `'${process.execPath}' '${bin}' store delete s1 --no-color`, '/dev/null'], {
      cwd,
      input,
      encoding: 'utf8',
      env: { ...process.env, PCHRONICLE_STORE: './trajectories' },
      timeout: 50_000,
    }).stdout;
  const no = answered('n\n');
  expect(no).toMatch(/^ {2}[0-9a-z]{20} {2}s1, from in\/s\.storyline\.json\r$/m);
  expect(no).toContain('Delete 1 trajectory of ./trajectories? [y/N] ');
  expect(no).toContain('nothing was deleted');
  expect(await documents(cwd)).toHaveLength(4);
  expect(answered('y\n')).toContain('deleted 1 trajectory; ');
  expect(await documents(cwd)).toHaveLength(3);
});

test('versions, tags and --as-of: ls, show, export, query and stats see the store as it was', async () => {
  const cwd = await filledFolder();
  const tagged = await pchronicle(['store', 'tag', 'before'], { cwd });
  expect([tagged.exit, tagged.stdout]).toEqual([0, '']);
  expect(tagged.stderr).toMatch(/^version \d+ is kept as before; /);
  await pchronicle(['store', 'delete', 's1', '--yes'], { cwd });
  const { versions, store } = await json<{ store: string; versions: Row[] }>(cwd, 'store', 'versions');
  expect(store).toBe('./trajectories');
  expect(versions.length).toBeGreaterThanOrEqual(3);
  const before = versions.find(({ tags }) => (tags as string[]).includes('before'));
  expect(before).toEqual({
    version: expect.any(Number),
    time: expect.stringMatching(/Z$/),
    tags: ['before'],
  });
  for (const moment of ['before', String(before?.version), String(before?.time)]) {
    expect(await documents(cwd, '--as-of', moment)).toEqual([A1, A2, B1, 's1']);
  }
  expect(await documents(cwd)).toEqual([A1, A2, B1]);
  const shown = await pchronicle(['show', 's1', '--as-of', 'before', '--raw'], { cwd });
  expect(JSON.parse(shown.stdout)).toMatchObject({ session: 's1' });
  const exported = await pchronicle(
    ['export', '--to', 'storyline', '--as-of', 'before', '--where', "run_id = 'nightly'"],
    { cwd },
  );
  expect(JSON.parse(exported.stdout)).toEqual(JSON.parse(shown.stdout));
  const misspelt = await pchronicle(['ls', '--as-of', 'beforr'], { cwd });
  expect([misspelt.exit, misspelt.stdout]).toEqual([4, '']);
  expect(misspelt.stderr).toMatch(/\(store\/unknown-version\)\n {2}did you mean "before"\?/);
  const counted = await pchronicle(
    ['query', 'SELECT count(*) AS n FROM runs', '--jsonl', '--as-of', 'before'],
    { cwd },
  );
  expect(counted.stdout).toBe('{"n":4}\n');
  expect(await json(cwd, 'stats', '--as-of', 'before')).toMatchObject({ rows: [{ storylines: 4 }] });
}, 180_000);

test('store verify goes on behind a damaged file, and names it and the trajectories that it hits', async () => {
  const { cwd, file } = await damagedFolder();
  const inJson = await pchronicle(['store', 'verify', '--json'], { cwd });
  expect(inJson.exit).toBe(4);
  expect(JSON.parse(inJson.stdout)).toEqual({
    store: './trajectories',
    runs: 3,
    steps: 4,
    tool_calls: 0,
    seconds: expect.any(Number),
    faults: expect.arrayContaining([
      { document_key: expect.any(String), document_id: 's2', message: expect.any(String) },
    ]),
    damage: [
      { table: 'steps', message: expect.stringMatching(/^2 rows cannot be read: /), file },
      { table: 'steps', message: `the file ${file} is cut short or was overwritten`, file },
    ],
    notes: [],
  });
  const inLines = await pchronicle(['store', 'verify'], { cwd });
  expect(inLines.exit).toBe(4);
  expect(inLines.stdout).toContain(
    `damaged: table steps: the file ${file} is cut short or was overwritten\n`,
  );
  expect(inLines.stdout).toMatch(/^damaged: s2 \([0-9a-z]{20}\): /m);
  expect(inLines.stdout).not.toMatch(/^damaged: s[13] /m);
  expect(inLines.stdout).toMatch(/\n✗ 3 trajectories, 4 steps, 0 tool calls: \d+ faults \(.*\)\n$/);
  expect(inLines.stderr).toContain(
    'put the files back from a copy; or delete the trajectories that are named',
  );
});

test('a damaged file that makes Lance panic shows no backtrace, whatever the environment asks of Rust', async () => {
  const cwd = await filledFolder();
  const data = join(cwd, 'trajectories', 'steps.lance', 'data');
  const file = join(data, readdirSync(data)[0] ?? '');
  const bytes = readFileSync(file);
  let panicked = false;
  for (let part = 1; part < 20 && !panicked; part += 1) {
    const spoilt = Buffer.from(bytes);
    const at = Math.floor((part * bytes.length) / 20);
    writeFileSync(file, spoilt.fill(0xff, at, at + 64));
    const { stderr } = await pchronicle(['query', 'SELECT * FROM steps', '--format', 'csv'], {
      cwd,
      env: { RUST_BACKTRACE: 'full', RUST_LIB_BACKTRACE: '1' },
    });
    expect(stderr).not.toMatch(/stack backtrace|^ +\d+: /m);
    panicked = stderr.includes(' panicked at ');
  }
  expect(panicked).toBe(true);
}, 120_000);

test('store versions lists a damaged one as such, and the others are read', async () => {
  const cwd = await filledFolder();
  await pchronicle(['store', 'delete', 's1', '--yes'], { cwd });
  const folder = join(cwd, 'trajectories', 'runs.lance', '_versions');
  const before = await json<{ versions: Row[] }>(cwd, 'store', 'versions');
  // Lance numbers manifests backwards.
  const manifest = readdirSync(folder)
    .filter((name) => name.endsWith('.manifest'))
    .sort()
    .at(-1);
  writeFileSync(join(folder, manifest ?? ''), '');
  const { versions } = await json<{ versions: Row[] }>(cwd, 'store', 'versions');
  expect(versions.map(({ version, damaged }) => [version, damaged])).toEqual(
    before.versions.map(({ version }) => [
      version,
      version === 1 ? `runs.lance/_versions/${manifest}` : undefined,
    ]),
  );
  const table = await pchronicle(['store', 'versions'], { cwd });
  expect(table.stdout).toMatch(
    /^VERSION +TIME +TAGS +DAMAGED\n +1 .* runs\.lance\/_versions\/\d+\.manifest cannot be read\n +2 .* -\n/,
  );
  expect(await documents(cwd, '--as-of', String(versions.at(-2)?.version))).toContain('s1');
  const maintained = await pchronicle(['store', 'maintain'], { cwd });
  expect([maintained.exit, maintained.stdout]).toEqual([4, '']);
  expect(maintained.stderr).toContain(
    `version 1 of the table runs is damaged (runs.lance/_versions/${manifest} cannot be read)`,
  );
});

test('store maintain: an age without a unit is refused, and nothing is purged', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 's.json'), JSON.stringify(storylineDocument('s1', [turn(1), turn(2)])));
  await pchronicle(['import', 's.json', '--quiet'], { cwd });
  await pchronicle(['store', 'delete', 's1', '--yes'], { cwd });
  for (const option of ['--retention', '--safety-age']) {
    for (const age of ['7', '0.5', '7 d', 'd', '']) {
      const { exit, stdout, stderr } = await pchronicle(['store', 'maintain', option, age], { cwd });
      expect([option, age, exit, stdout]).toEqual([option, age, 2, '']);
      expect(stderr).toContain('It needs a unit and must look like 90s, 15m, 12h, 7d or 2w.');
    }
  }
  expect(await json(cwd, 'store', 'info')).toMatchObject({ runs: 0, superseded: { runs: 2, steps: 2 } });
  const { purged } = await json<Row>(cwd, 'store', 'maintain', '--retention', '0s');
  expect(purged).toEqual({ runs: 2, steps: 2, tool_calls: 0 });
});

test('store maintain purges what was deleted, unless a tag holds it; --json has a stable shape', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 's.json'), JSON.stringify(storylineDocument('s1', [turn(1), turn(2)])));
  await pchronicle(['import', 's.json', '--quiet'], { cwd });
  expect(await json(cwd, 'store', 'tag', 'before')).toEqual({
    store: './trajectories',
    tag: 'before',
    version: expect.any(Number),
  });
  await pchronicle(['store', 'delete', 's1', '--yes'], { cwd });
  const held = await json<Row>(cwd, 'store', 'maintain', '--retention', '0', '--safety-age', '0');
  expect(held.held_by_tag).toBe(true);
  expect(await documents(cwd, '--as-of', 'before')).toEqual(['s1']);
  expect(await json(cwd, 'store', 'untag', 'before')).toEqual({
    store: './trajectories',
    untagged: 'before',
  });
  const done = await json<Row>(cwd, 'store', 'maintain', '--retention', '0', '--safety-age', '0');
  expect(done).toEqual({
    store: './trajectories',
    purged: { runs: 2, steps: 2, tool_calls: 0 },
    dropped: { steps: 0, tool_calls: 0 },
    fragments: { before: expect.any(Number), after: expect.any(Number) },
    kept_since: expect.stringMatching(/Z$/),
    held_by_tag: false,
    versions_removed: { runs: expect.any(Number), steps: expect.any(Number), tool_calls: expect.any(Number) },
    bytes_removed: expect.any(Number),
    indexes: expect.any(Array),
    files_removed: expect.any(Number),
    seconds: expect.any(Number),
  });
  expect((done.versions_removed as { runs: number }).runs).toBeGreaterThan(0);
  const gone = await pchronicle(['ls', '--as-of', '1'], { cwd });
  expect([gone.exit, gone.stdout]).toEqual([4, '']);
  expect(gone.stderr).toMatch(/version 1 is not kept, or never was; .*\(store\/unknown-version\)/);
  const maintained = await pchronicle(['store', 'maintain'], { cwd });
  expect(maintained.stdout).toMatch(
    /^purged +0 runs, 0 steps, 0 calls\nfragments +\d+ → \d+\nindexes +none made anew\nversions +\d+ of the store removed, \d+ of its steps, \d+ of its calls \(/,
  );
  expect((await pchronicle(['store', 'verify'], { cwd })).exit).toBe(0);
}, 180_000);

test('a deleted or replaced secret is in no file after maintenance, and with a tag in none after the tag is gone', async () => {
  const cwd = folder();
  const secret = (place: string) => `Q7zX9kPw3LmV5tRb8NcY${place}`;
  const holds = (): string[] =>
    readdirSync(join(cwd, 'trajectories'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .filter((path) => /q7zx9kpw3lmv5trb8ncy/i.test(readFileSync(path, 'latin1')));
  const call = { tcid: secret('id'), fn: 'sh', args: { a: secret('args') }, result: secret('result') };
  const turns = [
    { id: 1, src: 'agent', msg: secret('message'), reason: secret('reason'), tool_calls: [call] },
  ];
  const head = { notes: secret('notes'), prompt: { system: secret('prompt') }, run: secret('run') };
  const other = Array.from({ length: 30 }, (_, index) => storylineDocument(`s${index}`, [turn(1), turn(2)]));
  const write = (documents: readonly unknown[]) =>
    writeFileSync(join(cwd, 'in.jsonl'), documents.map((document) => JSON.stringify(document)).join('\n'));
  const run = async (...args: string[]) => {
    const { exit, stderr } = await pchronicle(args, { cwd });
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  };
  const maintain = () => run('store', 'maintain', '--retention', '0', '--safety-age', '0');
  write([...other, storylineDocument(secret('session'), turns, head), storylineDocument('s', turns, head)]);
  await run('import', 'in.jsonl');
  await run('find', secret('message')); // the text index has it
  await maintain();
  expect(holds().length).toBeGreaterThan(2);
  await run('store', 'tag', 'kept');
  write([...other, storylineDocument('s', [turn(1)])]);
  await run('import', 'in.jsonl');
  await run('store', 'delete', secret('session'), '--yes');
  await maintain();
  expect(holds().length).toBeGreaterThan(0);
  await run('store', 'untag', 'kept');
  await maintain();
  expect(holds()).toEqual([]);
  await run('store', 'verify');
});

test('a tag cannot look like a version, a time or a span of time', async () => {
  const cwd = await filledFolder();
  for (const name of ['5', '2026-08-01', '2026-08-01T12.00', '3d', '10H']) {
    const { exit, stderr } = await pchronicle(['store', 'tag', name], { cwd });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('(store/bad-tag)')]);
  }
  expect((await pchronicle(['store', 'tag', 'v5', '--quiet'], { cwd })).exit).toBe(0);
});

describe('stores of other versions', () => {
  const fixture = new URL('../../../../packages/store-lance/fixtures/layout-1.0/store/', import.meta.url);
  test('one of the first release is read, searched, verified and written to', async () => {
    const cwd = folder();
    cpSync(fixture, join(cwd, 'trajectories'), { recursive: true });
    expect(await documents(cwd)).toEqual(['kept', 'replaced', 'exact \ufffd']);
    expect((await json<{ matches: Row[] }>(cwd, 'find', 'hello')).matches).toMatchObject([
      { document_id: 'kept' },
    ]);
    expect(await json<Row>(cwd, 'query', 'SELECT count(*) AS n FROM steps')).toMatchObject({
      rows: [{ n: 4 }],
    });
    expect(await json<Row>(cwd, 'store', 'verify')).toMatchObject({ runs: 3, faults: [] });
    writeFileSync(
      join(cwd, 'new.json'),
      JSON.stringify(storylineDocument('new', [turn(1)], { notes: 'quokka' })),
    );
    expect((await pchronicle(['import', 'new.json', '--quiet'], { cwd })).exit).toBe(0);
    expect((await json<{ matches: Row[] }>(cwd, 'find', 'quokka')).matches).toMatchObject([
      { document_id: 'new' },
    ]);
    expect(await json<Row>(cwd, 'store', 'verify')).toMatchObject({ runs: 4, faults: [] });
  });

  test('one of a newer major layout is refused by every command, with both versions named, and stays as it is', async () => {
    const cwd = await filledFolder();
    const store = join(cwd, 'trajectories');
    // The version stands in the schema of each table; its text is replaced by one of the same length.
    for (const path of readdirSync(store, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.manifest')) continue;
      const text = readFileSync(join(store, path), 'latin1');
      writeFileSync(
        join(store, path),
        text.replaceAll('pchronicle.layout\u0012\u00031.1', 'pchronicle.layout\u0012\u00032.3'),
        'latin1',
      );
    }
    const before = readdirSync(store, { recursive: true, encoding: 'utf8' }).sort();
    for (const args of [
      ['ls'],
      ['show', 's1'],
      ['find', 'zebra'],
      ['stats'],
      ['query', 'SELECT 1'],
      ['export', '--to', 'storyline'],
      ['import', 'in'],
      ['import', 'in', '--dry-run'],
      ['store', 'info'],
      ['store', 'verify'],
      ['store', 'maintain'],
      ['store', 'versions'],
      ['store', 'delete', 's1', '--yes'],
      ['store', 'tag', 'x'],
    ]) {
      const { exit, stdout, stderr } = await pchronicle(args, { cwd });
      expect([args, exit, stdout]).toEqual([args, 4, '']);
      expect(stderr).toMatch(
        /has layout 2\.3, this version of pchronicle reads up to 1\.x; .*\(store\/newer-layout\)/,
      );
    }
    expect(readdirSync(store, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before);
  });
});

test('--where: ls and export take a SQL condition; an error points into it', async () => {
  const cwd = await filledFolder();
  expect(await documents(cwd, '--where', "correct AND run_id = 'task-a' -- or so")).toEqual([A1]);
  expect(await documents(cwd, '--where', 'false')).toEqual([]);
  const { runs } = await json<{ runs: Row[] }>(cwd, 'ls', '--where', "session_id = 's1'");
  expect(await documents(cwd, '--document', String(runs[0]?.document_key), '--document', A1)).toEqual([
    A1,
    's1',
  ]);
  const none = await pchronicle(['export', '--to', 'storyline', '--where', 'step_count > 99'], { cwd });
  expect([none.exit, none.stdout]).toEqual([4, '']);
  expect(none.stderr).toMatch(
    /no trajectory has what --where asks for \(step_count > 99\) \(cli\/nothing-selected\)/,
  );
  const wrong = await pchronicle(['ls', '--where', 'correct AND scor > 1'], { cwd });
  expect([wrong.exit, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toMatch(/\(line 1, column 13\) .*\n {2}correct AND scor > 1\n {14}\^\n/);
  const open = await pchronicle(['ls', '--where', 'correct ='], { cwd });
  expect(open.stderr).toMatch(/\n {2}correct =\n {11}\^\n/);
});

test('import --share: the shares together are everything, each trajectory once', async () => {
  const cwd = await filledFolder();
  const shares = await Promise.all(
    ['1/2', '2/2'].map((share) =>
      json<{ documents: Row }>(cwd, 'import', 'in', '--store', 'shared', '--share', share),
    ),
  );
  const sum = (name: string): number =>
    shares.reduce((total, { documents }) => total + Number(documents[name]), 0);
  expect(sum('new')).toBe(4);
  expect(sum('elsewhere')).toBe(4);
  expect(await documents(cwd, '--store', 'shared')).toEqual(await documents(cwd));
  const wrong = await pchronicle(['import', 'in', '--share', '3/2'], { cwd });
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toMatch(/It must look like 1\/4/);
});

test('import --share --rejects: each rejected document is one share’s, counted and written once', async () => {
  const cwd = folder();
  // The identity of a document rejected at its first bytes was never read; that of the others was.
  const lines = Array.from({ length: 12 }, (_, index) => {
    const whole = JSON.stringify(storylineDocument(`s${index}`, [turn(1)]));
    if (index % 3 === 0) return whole;
    return index % 3 === 1 ? whole.slice(0, -9) : whole.replace('"turns":[', '"turns":[{"id":7},');
  });
  const bad = lines.filter((_, index) => index % 3 !== 0);
  writeFileSync(join(cwd, 'in.jsonl'), lines.join('\n'));
  const ran = await Promise.all(
    [1, 2, 3].map((index) =>
      pchronicle(
        ['import', 'in.jsonl', '--share', `${index}/3`, '--rejects', `rejects-${index}.jsonl`, '--json'],
        { cwd },
      ),
    ),
  );
  const documents = ran.map(({ stdout }) => (JSON.parse(stdout) as { documents: Row }).documents);
  const sum = (name: string): number => documents.reduce((total, row) => total + Number(row[name]), 0);
  expect([sum('new'), sum('rejected')]).toEqual([4, 8]);
  const rejected = [1, 2, 3].flatMap((index) => {
    const file = join(cwd, `rejects-${index}.jsonl`);
    const found = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    expect(found).toHaveLength(Number(documents[index - 1]?.rejected));
    return found;
  });
  expect(rejected.sort()).toEqual(bad.sort());
  expect(documents.filter((row) => Number(row.rejected) > 0).length).toBeGreaterThan(1);
});

test('import --share: what was found is said by the share that imports it, once; of the input as a whole by one', async () => {
  const cwd = folder();
  const lines = Array.from({ length: 12 }, (_, index) => {
    const whole = JSON.stringify(storylineDocument(`s${index}`, [turn(1)]));
    // One is rejected, one gives a warning of its own, one unknown keys, which are counted over the whole input.
    if (index % 3 === 0) return whole.slice(0, -9);
    return index % 3 === 1
      ? whole.replace('{', '{"notes":"a","notes":"b",')
      : whole.replace('{', '{"odd":1,');
  });
  writeFileSync(join(cwd, 'in.jsonl'), lines.join('\n'));
  const issuesOf = async (store: string, ...args: string[]) => {
    const { stderr, stdout } = await pchronicle(['import', 'in.jsonl', '--json', '--store', store, ...args], {
      cwd,
    });
    const told = stderr.split('\n').filter((line) => line.startsWith('{'));
    const { issues } = JSON.parse(stdout) as { issues: Record<string, number> };
    expect(Object.values(issues).reduce((sum, count) => sum + count, 0)).toBe(told.length);
    return told;
  };
  const all = await issuesOf('whole');
  const shares = await Promise.all([1, 2, 3].map((index) => issuesOf('shared', '--share', `${index}/3`)));
  expect(all.length).toBeGreaterThanOrEqual(9);
  expect(shares.flat().sort()).toEqual(all.sort());
  for (const share of shares) expect(share.length).toBeLessThan(all.length);
});

test.each([
  ['query', 'SELECT 1'],
  ['find', 'x'],
  ['stats'],
  ['store', 'delete', 'x', '--yes'],
  ['store', 'maintain'],
  ['store', 'versions'],
  ['store', 'tag', 'x'],
  ['store', 'untag', 'x'],
])('without a store, %s exits with 4 and makes none', async (...command) => {
  const cwd = folder();
  const { exit, stdout, stderr } = await pchronicle(command, { cwd });
  expect([exit, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(/\(store\/not-found\)\n {2}import something first/);
  expect(existsSync(join(cwd, 'trajectories'))).toBe(false);
});
