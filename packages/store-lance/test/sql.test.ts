import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openStore, type Store, StoreError } from '../src/index.ts';
import { openSql, type SqlCell, SqlError, type SqlSession } from '../src/sql/index.ts';
import { softenJson } from '../src/sql/soften-json.ts';
import { canBeForbidden, freshStore, put, story, temporaryFolder } from './helpers.ts';

const built = fileURLToPath(new URL('../dist/sql/duckdb-worker.js', import.meta.url));

async function rows(session: SqlSession, sql: string, options = {}): Promise<SqlCell[][]> {
  const result = await session.query(sql, options);
  const all: SqlCell[][] = [];
  for await (const batch of result.batches) for (const row of batch) all.push([...row]);
  return all;
}

async function failure(action: () => Promise<unknown>): Promise<SqlError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('SQL over a store', () => {
  let store: Store;
  let session: SqlSession;
  const target = join(temporaryFolder(), 'out.parquet');

  beforeAll(async () => {
    if (!existsSync(built)) throw new Error('the SQL worker runs from dist/: build the package first');
    ({ store } = await freshStore());
    await put(store, [
      { storylines: [story('replaced', 8, {}, 'first')] },
      { storylines: [story('gone', 6, { run: 'R', attempt_id: '1' })], key: 'g' },
    ]);
    const result = { task: { result: { correct: true, score: 0.5 } } };
    const hostile = story('hostile', 2, {
      notes: "it's 中文",
      meta: { lone: '\ud800x', text: 'a\\ud800b', nul: '\u0000', big: 9007199254740991 },
    });
    await put(store, [
      { storylines: [story('replaced', 4, result, 'second')] },
      { storylines: [story('kept', 2, { run: 'R', attempt_id: '2' })], key: 'g' },
      { storylines: [hostile] },
      { storylines: [story('rejected', 30)], accepted: false },
      { storylines: [story('many', 3000)] },
    ]);
    session = await openSql(store, { writable: [target] });
  });
  afterAll(async () => {
    await session.close();
    await store.close();
  });

  test('views show committed, newest rows only', async () => {
    expect(await rows(session, 'SELECT document_id, step_count FROM runs ORDER BY document_id')).toEqual([
      ['hostile', 2],
      ['kept', 2],
      ['many', 3000],
      ['replaced', 4],
    ]);
    expect(await rows(session, 'SELECT count(*) FROM steps')).toEqual([[3008]]);
    expect(await rows(session, 'SELECT count(*), count(DISTINCT tool_call_id) FROM tool_calls')).toEqual([
      [1504, 1500],
    ]);
    expect(await rows(session, "SELECT count(*) FROM steps WHERE message_json LIKE '%first%'")).toEqual([
      [0],
    ]);
  });

  test('every type comes through: integers, doubles, booleans, times in nanoseconds, text of any length, nulls', async () => {
    const [row] = await rows(
      session,
      "SELECT correct, score, last_time, run_id, ingested_at IS NOT NULL, notes FROM runs WHERE document_id = 'replaced'",
    );
    expect(row).toEqual([true, 0.5, '2026-01-02T03:04:05.123456789Z', null, true, null]);
    expect(
      await rows(session, "SELECT notes, length(meta_json) > 12 FROM runs WHERE document_id = 'hostile'"),
    ).toEqual([["it's 中文", true]]);
    expect(
      await rows(
        session,
        "SELECT 9007199254740993::BIGINT, 170141183460469231731687303715884105727::HUGEINT, 1.50::DECIMAL(5,2), 0.1::DECIMAL(38,20), [1, 2], {a: 1}, DATE '2026-01-02', NULL",
      ),
    ).toEqual([
      [
        9007199254740993n,
        170141183460469231731687303715884105727n,
        1.5,
        0.1,
        [1, 2],
        { a: 1 },
        '2026-01-02',
        null,
      ],
    ]);
  });

  test('times are RFC 3339 text in UTC, whatever their type and wherever they are', async () => {
    const time = "'2026-01-02 03:04:05.120000'";
    const zoned = `TIMESTAMPTZ '2026-01-02 05:04:05.12+02'`;
    const text = '2026-01-02T03:04:05.12Z';
    const values: readonly (readonly [sql: string, cell: SqlCell])[] = [
      [`TIMESTAMP ${time}`, text],
      [`TIMESTAMP_NS ${time}`, text],
      [`TIMESTAMP_MS ${time}`, text],
      [`TIMESTAMP_S ${time}`, '2026-01-02T03:04:05Z'],
      [zoned, text],
      [`TIMESTAMP ${time} AT TIME ZONE 'Asia/Shanghai'`, '2026-01-01T19:04:05.12Z'],
      [`[${zoned}]`, [text]],
      [`array_value(${zoned})`, [text]],
      [`{a: ${zoned}, b: {c: [TIMESTAMP_S ${time}]}}`, { a: text, b: { c: ['2026-01-02T03:04:05Z'] } }],
      [`MAP {${zoned}: TIMESTAMP_MS ${time}}`, [{ key: text, value: text }]],
      [`union_value(a := ${zoned})`, { tag: 'a', value: text }],
      // What RFC 3339 has no text for.
      ["TIMESTAMPTZ 'infinity'", 'infinity'],
      ["TIMESTAMP '-infinity'", '-infinity'],
      ["TIMESTAMP '0044-03-15 (BC) 10:00:00'", '0044-03-15 (BC) 10:00:00'],
    ];
    for (const [sql, cell] of values) expect(await rows(session, `SELECT ${sql}`), sql).toEqual([[cell]]);
    expect(await rows(session, 'SELECT now()')).toEqual([
      [expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)],
    ]);
  });

  test('JSON functions work on *_json columns, a lone surrogate in them included', async () => {
    const [row] = await rows(
      session,
      "SELECT meta_json->>'lone', meta_json->>'text', meta_json->>'nul', meta_json->>'big' FROM runs WHERE document_id = 'hostile'",
    );
    expect(row).toEqual(['\ufffdx', 'a\\ud800b', '\u0000', '9007199254740991']);
    expect(
      await rows(session, "SELECT arguments_json->>'command' FROM tool_calls WHERE document_id = 'kept'"),
    ).toEqual([['run 1']]);
    const soften = (text: string): string => {
      const bytes = Buffer.from(text);
      softenJson(bytes);
      return bytes.toString();
    };
    expect(soften('"\\ud800 \\\\ud800 \\\\\\udfff \\ud7ff \\udzz"')).toBe(
      '"\\ufffd \\\\ud800 \\\\\\ufffd \\ud7ff \\udzz"',
    );
  });

  test('joins, windows, EXPLAIN, DESCRIBE, SUMMARIZE and a comment at the end', async () => {
    const joined = await rows(
      session,
      'SELECT r.document_id, count(*) FROM runs r JOIN steps s USING (document_key) JOIN tool_calls c ON c.ingest_id = s.ingest_id AND c.step_id = s.step_id GROUP BY ALL ORDER BY 1 -- done',
    );
    expect(joined).toEqual([
      ['hostile', 1],
      ['kept', 1],
      ['many', 1500],
      ['replaced', 2],
    ]);
    expect((await rows(session, 'DESCRIBE runs')).map(([name]) => name)).toContain('document_key');
    expect(JSON.stringify(await rows(session, 'EXPLAIN SELECT count(*) FROM steps'))).toContain(
      'PCHRONICLE_STEPS',
    );
    expect((await rows(session, 'SUMMARIZE SELECT step_count FROM runs'))[0]?.[0]).toBe('step_count');
  });

  test('one read-only statement; nothing else can be reached', async () => {
    for (const sql of ['SELECT 1; SELECT 2', 'DROP VIEW runs; SELECT 1'])
      expect((await failure(() => rows(session, sql))).code).toBe('store/sql-one-statement');
    for (const sql of [
      'CREATE TABLE x (a INT)',
      'INSERT INTO pchronicle.live VALUES (1)',
      "SET memory_limit = '10GB'",
      "ATTACH 'x.db'",
      'INSTALL httpfs',
      'DELETE FROM pchronicle.live',
      "COPY (SELECT 1) TO 'x.csv'",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM '/etc/passwd'",
      "SELECT * FROM glob('/*')",
      'EXPLAIN CREATE TABLE x (a INT)',
      'EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1',
      '-- how\nexplain /* it */ analyze -- is\n CREATE TABLE x AS SELECT 1',
      'EXPLAIN (ANALYZE, FORMAT json) CREATE TABLE x AS SELECT 1',
      'EXPLAIN ANALYZE WITH one AS (SELECT 1) INSERT INTO pchronicle.live SELECT 1, 1, 1 FROM one',
      'SELECT * FROM x',
    ]) {
      expect((await failure(() => rows(session, sql))).code, sql).toMatch(
        /^store\/sql-(not-read-only|invalid)$/,
      );
    }
    for (const sql of [
      'EXPLAIN ANALYZE SELECT 1',
      'EXPLAIN (FORMAT json) WITH one AS (SELECT 1) FROM one',
      'EXPLAIN DESCRIBE runs',
    ])
      expect(await rows(session, sql), sql).toHaveLength(1);
    expect(await rows(session, 'SELECT count(*) FROM runs')).toEqual([[4]]);
  });

  test('errors point into the statement, by characters', async () => {
    const at = async (sql: string) => {
      const error = await failure(() => rows(session, sql));
      expect(error.code).toBe('store/sql-invalid');
      expect(error.message).not.toContain('exception_type');
      return error.position;
    };
    expect(await at("SELECT '中文é',\n  nope FROM runs")).toEqual({ offset: 16, line: 2, column: 3 });
    expect(await at('SELECT * FORM runs')).toEqual({ offset: 14, line: 1, column: 15 });
    expect(await at('SELECT 1 FROM runz')).toMatchObject({ line: 1, column: 15 });
    expect(await at('SELECT $1')).toMatchObject({ line: 1, column: 8 });
    expect(await at('SELECT \'中?\', "b?" FROM (SELECT 1 AS "b?") -- ?\n/* ? */ WHERE 1 = ?')).toMatchObject({
      line: 2,
      column: 19,
    });
    expect(await at('EXPLAIN SELECT $$ ? $$, $name')).toMatchObject({ line: 1, column: 25 });
    for (const nothing of ['', ' ; ', '-- only a comment', '/* only a comment */']) {
      expect(await at(nothing), nothing).toBeUndefined();
      expect((await failure(() => rows(session, nothing))).message).toBe('the statement is empty');
    }
    expect((await failure(() => rows(session, "SELECT 'x'::INT FROM runs"))).code).toBe('store/sql-invalid');
  });

  test('limits: rows, time, a signal, leaving early; the session goes on afterwards', async () => {
    const cut = await session.query('SELECT step_id FROM steps', { maxRows: 5 });
    let count = 0;
    for await (const batch of cut.batches) count += batch.length;
    expect(count).toBe(5);
    expect(cut.truncated()).toBe(true);
    const endless = 'SELECT count(*) FROM range(100000000000) a, range(1000000) b';
    expect((await failure(() => rows(session, endless, { seconds: 0.3 }))).code).toBe('store/sql-timeout');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await expect(rows(session, endless, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const left = await session.query('SELECT a.message_json FROM steps a, steps b');
    for await (const batch of left.batches) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    expect(await rows(session, 'SELECT count(*) FROM steps')).toEqual([[3008]]);
  });

  test('queries at once take turns', async () => {
    const results = await Promise.all(
      [1, 2, 3].map((number) => rows(session, `SELECT ${number}, count(*) FROM steps`)),
    );
    expect(results).toEqual([[[1, 3008]], [[2, 3008]], [[3, 3008]]]);
  });

  test('Parquet is written to the file that was allowed, and to no other', async () => {
    expect(await session.copyTo('SELECT document_id, step_count FROM runs -- all', target, 'parquet')).toBe(
      4,
    );
    expect(existsSync(target)).toBe(true);
    expect((await failure(() => session.copyTo('SELECT 1', `${target}.other`, 'parquet'))).code).toBe(
      'store/sql-not-read-only',
    );
    expect(existsSync(`${target}.other`)).toBe(false);
  });

  test('a session sees one version; another one sees what came later', async () => {
    await put(store, [{ storylines: [story('later', 2)] }], { sourceId: 'other' });
    expect(await rows(session, 'SELECT count(*) FROM runs')).toEqual([[4]]);
    const fresh = await openSql(store);
    expect(await rows(fresh, 'SELECT count(*) FROM runs')).toEqual([[5]]);
    await fresh.close();
  });

  test('a restricted session scans and shows only what is meant, also when the newest row no longer meets the condition', async () => {
    const some = await openSql(store, { only: { documents: ['kept', 'replaced'] } });
    expect(await rows(some, 'SELECT count(*) FROM runs')).toEqual([[2]]);
    expect(await rows(some, 'SELECT count(*) FROM steps')).toEqual([[6]]);
    await some.close();
    const none = await openSql(store, { only: { documents: ['gone'] } });
    expect(await rows(none, 'SELECT count(*) FROM runs')).toEqual([[0]]);
    expect(await rows(none, 'SELECT count(*) FROM tool_calls')).toEqual([[0]]);
    await none.close();
  });

  test('projection: only the columns that a query names are scanned', async () => {
    // A scan of a column that is damaged fails; a query that does not name it never touches it.
    expect(await rows(session, 'SELECT count(*) FROM (SELECT function_name FROM tool_calls)')).toEqual([
      [1504],
    ]);
    const plan = JSON.stringify(await rows(session, 'EXPLAIN SELECT function_name FROM tool_calls'));
    expect(plan).toContain('function_name');
    expect(plan).not.toContain('arguments_json');
  });

  test('closing leaves no temporary folder', async () => {
    // A temporary folder of its own: other test files have sessions open at the same time.
    const temporary = temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    const brief = await openSql(store);
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toHaveLength(1);
    await brief.close();
    expect(readdirSync(temporary)).toEqual([]);
    expect((await failure(() => brief.query('SELECT 1'))).code).toBe('store/sql-failed');
  });
});

describe('a store that cannot be read is no fault of the statement', () => {
  const spoiled = async (table: string, spoil: (file: string) => void) => {
    const { store, uri } = await freshStore();
    await put(store, [{ storylines: [story('a', 4)] }]);
    await store.close();
    const data = join(uri, `${table}.lance`, 'data');
    for (const file of readdirSync(data)) spoil(join(data, file));
    return uri;
  };
  const storeFailure = async (action: () => Promise<unknown>): Promise<StoreError> => {
    const error = await action().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (!(error instanceof StoreError)) throw error;
    expect(error.message).not.toMatch(/\n|cargo|rustc|\.rs:\d|panicked/);
    return error;
  };
  const spoils = [
    ['missing', rmSync],
    ['garbled', (file: string) => writeFileSync(file, 'garbage'.repeat(300))],
  ] as const;

  test.each(spoils)('%s files of steps: store/damaged; other tables can still be asked', async (_, spoil) => {
    const store = await openStore(await spoiled('steps', spoil));
    const session = await openSql(store);
    const error = await storeFailure(() => rows(session, 'SELECT step_id FROM steps'));
    expect(error.code).toBe('store/damaged');
    expect(error.message).toContain('cannot read the store');
    expect(await rows(session, 'SELECT count(*) FROM tool_calls')).toEqual([[2]]);
    // What is wrong with the next statement is its own fault again.
    expect((await failure(() => rows(session, 'SELECT nothing FROM runs'))).code).toBe('store/sql-invalid');
    await session.close();
    await store.close();
  });

  test.each(spoils)('%s files of runs: store/damaged when the session is opened', async (_, spoil) => {
    const store = await openStore(await spoiled('runs', spoil));
    expect((await storeFailure(() => openSql(store))).code).toBe('store/damaged');
    expect((await storeFailure(() => openSql(store, { only: { runs: ['R'] } }))).code).toBe('store/damaged');
    await store.close();
  });

  test.skipIf(!canBeForbidden())('files that may not be read: store/no-permission', async () => {
    const uri = await spoiled('steps', (file) => chmodSync(file, 0o000));
    const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `import { openStore } from ${url('../dist/index.js')};
      import { openSql } from ${url('../dist/sql/index.js')};
      const ask = async () => {
        const session = await openSql(await openStore(process.env.STORE));
        try {
          const { batches } = await session.query('SELECT step_id FROM steps');
          for await (const _ of batches);
        } finally {
          await session.close();
        }
      };
      console.log(await ask().then(() => 'read', (error) => error.code));`;
    // Root may read anything: ask as somebody else.
    for (const folder of [join(uri, '..'), uri]) chmodSync(folder, 0o755);
    const file = join(uri, '..', 'ask.mjs');
    writeFileSync(file, script);
    // Somebody else may not be let into the temporary folder of this process.
    const temporary = join(uri, '..', 'temporary');
    mkdirSync(temporary);
    chmodSync(temporary, 0o777);
    const ended = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      env: { ...process.env, STORE: uri, TMPDIR: temporary },
      ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
    });
    expect(ended.stdout.trim(), ended.stderr).toBe('store/no-permission');
  });
});

test('a session that cannot be opened leaves no thread that keeps the process', async () => {
  const { store, uri } = await freshStore();
  await put(store, [{ storylines: [story('a')] }]);
  await store.close();
  const script = `
    import { openStore } from '${new URL('../dist/index.js', import.meta.url).href}';
    import { openSql } from '${new URL('../dist/sql/index.js', import.meta.url).href}';
    const store = await openStore(process.env.STORE);
    await openSql(store).then(() => console.log('opened'), (error) => console.log(error.code));
    await store.close();`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, STORE: uri, TMPDIR: join(temporaryFolder(), 'none') },
    timeout: 40_000,
  });
  expect([ended.signal, ended.stdout]).toEqual([null, 'ENOENT\n']);
});
