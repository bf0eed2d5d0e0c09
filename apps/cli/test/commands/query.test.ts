import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { actfAttempt, actfDocument, actfStep } from '../support/documents.ts';
import { filledFolder } from '../support/filled.ts';
import { keepFolder } from '../support/keep-folder.ts';
import { collect, jsonLines, pchronicle, start } from '../support/run.ts';

// One store for all tests that only read: it must outlive each of them.
let cwd = '';
beforeAll(async () => {
  const kept = keepFolder(await filledFolder());
  cwd = kept.path;
  return kept.remove;
});

const query = (...args: readonly string[]) => pchronicle(['query', ...args], { cwd });

describe('query', () => {
  test('a table: numbers to the right, null as NULL, control characters visible; the count goes to stderr', async () => {
    const { exit, stdout, stderr } = await query(
      'SELECT session_id, step_count, run_id FROM runs ORDER BY session_id',
    );
    expect([exit, stderr]).toEqual([0, '4 rows\n']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^session_id +step_count +run_id$/);
    expect(lines[1]).toMatch(/^s1 +2 +nightly$/);
    const { stdout: hostile } = await query(
      "SELECT message_json->>'$' AS said, NULL AS nothing FROM steps WHERE session_id = 's1' AND step_id = 1",
    );
    expect(hostile).toMatch(/请汇总销售数据 \\u001b\[31m +NULL/);
  });

  test('a statement may begin with a comment; its places count from its own beginning', async () => {
    for (const comment of ['-- how many\n', '--how many\n', '--many\n', '--取数\n', '-- a\n-- b\n'])
      expect((await query(`${comment}SELECT 1 AS a`, '--jsonl')).stdout, comment).toBe('{"a":1}\n');
    const wrong = await query('-- how many\nSELECT nope');
    expect(wrong.stderr).toMatch(/\(line 2, column 8\).*\n {2}SELECT nope\n {9}\^\n/);
    const misspelt = await query('--jsonn', 'SELECT 1');
    expect([misspelt.exit, misspelt.stderr]).toEqual([
      2,
      expect.stringContaining("unknown option '--jsonn'"),
    ]);
  });

  test('--format json has a stable shape: names are made distinct, every digit is kept, what JSON cannot say is text', async () => {
    const { stdout } = await query(
      "SELECT 1 AS a, 9007199254740993 AS a, -0.0::DOUBLE AS z, 'nan'::DOUBLE AS n, {b: [1, NULL]} AS s, true AS t, NULL AS o, '\"' AS q",
      '--format',
      'json',
    );
    expect(stdout).toBe(
      '{"columns":[{"name":"a","type":"INTEGER"},{"name":"a_1","type":"BIGINT"},{"name":"z","type":"DOUBLE"},{"name":"n","type":"DOUBLE"},{"name":"s","type":"STRUCT(\\"b\\" INTEGER[])"},{"name":"t","type":"BOOLEAN"},{"name":"o","type":"INTEGER"},{"name":"q","type":"VARCHAR"}],"rows":[{"a":1,"a_1":9007199254740993,"z":-0,"n":"NaN","s":{"b":[1,null]},"t":true,"o":null,"q":"\\""}],"truncated":false}\n',
    );
    const short = await query('SELECT 1 AS a', '--json');
    expect(JSON.parse(short.stdout)).toEqual({
      columns: [{ name: 'a', type: 'INTEGER' }],
      rows: [{ a: 1 }],
      truncated: false,
    });
  });

  test('--format jsonl and csv: one line a row; in CSV null is empty and an empty text is ""', async () => {
    const lines = await query('SELECT document_id, correct FROM runs ORDER BY 1', '--jsonl');
    expect(jsonLines(lines.stdout)).toEqual(
      [
        { document_id: 's1', correct: null },
        { document_id: 'task-a#attempt-1', correct: true },
        { document_id: 'task-a#attempt-2', correct: false },
        { document_id: 'task-b', correct: true },
      ].map((row) => ({ ...row, document_id: expect.stringContaining(row.document_id) as unknown })),
    );
    const csv = await query(
      "SELECT 'a,\"b\nc' AS \"x,y\", '' AS empty, NULL AS nothing, 0.5 AS n, [1, 2] AS list",
      '--format',
      'csv',
    );
    expect(csv.stdout).toBe('"x,y",empty,nothing,n,list\n"a,""b\nc","",,0.5,"[1,2]"\n');
  });

  test('-o writes a file by its ending, whole or not at all, and never over another without --overwrite', async () => {
    const out = join(cwd, 'out');
    mkdirSync(out);
    const csv = await query('SELECT count(*) AS n FROM steps', '-o', 'out/x.csv');
    expect([csv.exit, csv.stdout, csv.stderr]).toEqual([0, '', '1 row in out/x.csv\n']);
    expect(readFileSync(join(out, 'x.csv'), 'utf8')).toBe('n\n5\n');
    const again = await query('SELECT 1', '-o', 'out/x.csv');
    expect(again.exit).toBe(2);
    expect(again.stderr).toMatch(/cli\/output-exists/);
    const replaced = await query('SELECT 1 AS one', '-o', 'out/x.csv', '--overwrite');
    expect(replaced.exit).toBe(0);
    expect(readFileSync(join(out, 'x.csv'), 'utf8')).toBe('one\n1\n');
    // This fails in the middle: rows have been written by then.
    const broken = await query(
      "SELECT (CASE WHEN range = 90000 THEN 'x' ELSE '1' END)::INT FROM range(100000)",
      '-o',
      'out/broken.jsonl',
    );
    expect(broken.exit).toBe(2);
    expect(readdirSync(out)).toEqual(['x.csv']);
  });

  test('Parquet, to a file and into a pipe; DuckDB reads it back', async () => {
    const file = await query('SELECT document_id FROM runs', '-o', 'p.parquet', '--limit', '3');
    expect(file.stderr).toBe('3 rows in p.parquet\n');
    const piped = await query('SELECT document_id FROM runs', '--format', 'parquet');
    const bytes = [readFileSync(join(cwd, 'p.parquet')), piped.stdoutBytes];
    for (const data of bytes) {
      expect(data.subarray(0, 4).toString()).toBe('PAR1');
      expect(data.subarray(-4).toString()).toBe('PAR1');
    }
    const wrong = await query('SELECT\n nope FROM runs', '-o', 'q.parquet', '--limit', '3');
    expect(wrong.stderr).toMatch(/\(line 2, column 2\).*\n {3}nope FROM runs\n {3}\^/);
    expect(existsSync(join(cwd, 'q.parquet'))).toBe(false);
  });

  test('an error points into the statement, exit 2; under --json it is an issue', async () => {
    const { exit, stdout, stderr } = await query("SELECT '中文',\n  scor FROM runs");
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^error: .*"scor".*\(line 2, column 3\) \(store\/sql-invalid\)\n {4}scor FROM runs\n {4}\^\n$/,
    );
    const wide = await query("SELECT '中文', scor FROM runs");
    expect(wide.stderr.split('\n')[2]).toBe(`${' '.repeat(2 + 15)}^`);
    // By what is seen: two columns for an emoji, none for an accent of its own; a tab is shown as \t.
    const emoji = await query("SELECT '😀e\u0301',\tscor FROM runs");
    expect(emoji.stderr.split('\n').slice(1, 3)).toEqual([
      "  SELECT '😀e\u0301',\\tscor FROM runs",
      `${' '.repeat(2 + "SELECT '..e',\\t".length)}^`,
    ]);
    // A function with forty signatures does not fill the screen with them.
    const types = await query('SELECT step_count + document_id FROM runs');
    expect(types.stderr).toMatch(
      /Candidate functions: \+\(TINYINT\) -> TINYINT .* … and \d+ more \(line 1, column 19\)/,
    );
    expect(types.stderr.length).toBeLessThan(500);
    const table = await query('SELECT 1 FROM rans');
    expect(table.stderr).toMatch(/Did you mean "runs"\?[\s\S]*the tables are runs, steps and tool_calls/);
    const json = await query('SELECT 1 FROM rans', '--json');
    expect(jsonLines(json.stderr)).toEqual([
      expect.objectContaining({ code: 'store/sql-invalid', severity: 'error' }),
    ]);
  });

  test.each([
    ['DROP VIEW runs', 'store/sql-not-read-only'],
    ["COPY (SELECT 1) TO 'x.csv'", 'store/sql-not-read-only'],
    ["SELECT * FROM read_text('in/a.json')", 'store/sql-not-read-only'],
    ['SELECT 1; SELECT 2', 'store/sql-one-statement'],
    [' ', 'cli/no-statement'],
    ['-- only a comment', 'store/sql-invalid'],
    ['SELECT * FROM runs WHERE score > $1', 'store/sql-invalid'],
    ['EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1', 'store/sql-not-read-only'],
  ])('%s is refused with 2', async (sql, code) => {
    const { exit, stdout, stderr } = await query(sql);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`(${code})`);
  });

  test('limits: rows, time, memory', async () => {
    const rows = await query('SELECT range FROM range(5000)', '--limit', '3', '--jsonl');
    expect(jsonLines(rows.stdout)).toEqual([{ range: 0 }, { range: 1 }, { range: 2 }]);
    const table = await query('SELECT range FROM range(5000)');
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(1_001);
    expect(table.stderr).toBe('the first 1,000 rows, of more than 1,000; --limit shows more\n');
    const cut = await query('SELECT range FROM range(5000)', '--limit', '2', '--json');
    expect(JSON.parse(cut.stdout)).toMatchObject({ truncated: true });
    const time = await query(
      'SELECT count(*) FROM range(100000000000) a, range(1000000) b',
      '--timeout',
      '300ms',
    );
    expect(time.exit).toBe(4);
    expect(time.stderr).toMatch(/\(store\/sql-timeout\)\n {2}.*--timeout/);
    const memory = await query('SELECT list(range) FROM range(100000000)', '--memory', '50MB');
    expect(memory.exit).toBe(4);
    expect(memory.stderr).toMatch(/\(store\/sql-memory\)\n {2}.*--memory/);
    expect(memory.stderr).not.toContain('SET ');
    const none = await query('SELECT 1', '--memory', '1kb');
    expect([none.exit, none.stdout]).toEqual([4, '']);
    expect(none.stderr).toMatch(/^error: .*used\) \(store\/sql-memory\)\n {2}.*--memory\n$/);
  });

  test('EXPLAIN is drawn, DESCRIBE and SUMMARIZE are tables, - reads the statement from standard input', async () => {
    const plan = await query('EXPLAIN SELECT count(*) FROM steps');
    expect(plan.stdout).toMatch(/┌─+┐\n│ +UNGROUPED_AGGREGATE/);
    expect((await query('DESCRIBE tool_calls')).stdout).toMatch(/^function_name +VARCHAR/m);
    expect((await query('SUMMARIZE SELECT step_count FROM runs')).stdout).toMatch(/^step_count +BIGINT/m);
    const { stdout } = await pchronicle(['query', '-', '--jsonl'], {
      cwd,
      input: 'SELECT 7 AS n -- seven\n',
    });
    expect(stdout).toBe('{"n":7}\n');
  });

  test('a statement that --from took for a file is missed with a way out', async () => {
    const { exit, stderr } = await query('--from', 'in', 'SELECT 1');
    expect(exit).toBe(2);
    expect(stderr).toContain(
      "missing required argument 'sql'; --from takes all that follows for files: write the statement first",
    );
    expect((await query()).stderr).not.toContain('--from');
  });

  test('times are in UTC in every format', async () => {
    const sql = "SELECT TIMESTAMPTZ '2026-01-02 05:04:05+02' AS t, [TIMESTAMP_S '2026-01-02 03:04:05'] AS l";
    const text = '2026-01-02T03:04:05Z';
    const result = async (format: string) => (await query(sql, '--format', format)).stdout;
    expect(JSON.parse(await result('json'))).toMatchObject({ rows: [{ t: text, l: [text] }] });
    expect(jsonLines(await result('jsonl'))).toEqual([{ t: text, l: [text] }]);
    expect(await result('csv')).toBe(`t,l\n${text},"[""${text}""]"\n`);
    expect(await result('table')).toContain(`${text}  ["${text}"]`);
  });

  test('--from asks files of any format without a store; ids narrow; a bad one is told of', async () => {
    const before = readdirSync(cwd);
    const sql = 'SELECT source_format AS f, count(*) AS n FROM runs GROUP BY ALL ORDER BY 1';
    const args = ['--jsonl'];
    const all = await query(sql, ...args, '--from', 'in');
    expect([all.exit, all.stdout]).toEqual([0, '{"f":"actf","n":3}\n{"f":null,"n":1}\n']);
    const some = await query(sql, ...args, '--run', 'task-a', '--from', 'in/a.json', 'in/s.storyline.json');
    expect(some.stdout).toBe('{"f":"actf","n":2}\n');
    writeFileSync(join(cwd, 'bad.json'), '{"no": 1}');
    const bad = await query(sql, ...args, '--from', 'bad.json', '--from', 'in/b.json');
    expect([bad.exit, bad.stdout]).toEqual([3, '{"f":"actf","n":1}\n']);
    expect(readdirSync(cwd).filter((name) => name !== 'bad.json')).toEqual(before);
    const past = await query(sql, '--from', 'in', '--as-of', '1');
    expect([past.exit, past.stderr]).toEqual([2, expect.stringContaining('cli/no-past')]);
  });

  test('--from reads as import does: --salvage keeps the good attempts of a bad document', async () => {
    const attempts = { '1': actfAttempt([actfStep(1, 'fine')]), '2': actfAttempt([], { trajectory: 7 }) };
    writeFileSync(join(cwd, 'half.json'), JSON.stringify(actfDocument('half', attempts)));
    const args = ['SELECT attempt_id FROM runs', '--jsonl', '--from', 'half.json'];
    const strict = await query(...args);
    expect([strict.exit, strict.stdout]).toEqual([1, '']);
    const salvaged = await query(...args, '--salvage');
    expect([salvaged.exit, salvaged.stdout]).toEqual([1, '{"attempt_id":"1"}\n']);
    // Forkline itself takes a status that is no text.
    const run = { run_id: 'r', schema_version: '1.0', forkline_version: '0.5.0', entrypoint: 'agent.py' };
    const times = { started_at: '2026-08-01T00:00:00+00:00', ended_at: '2026-08-01T00:01:00+00:00' };
    const metadata = { python_version: '3.11.7', platform: 'linux', cwd: '' };
    const wrong = { ...run, ...times, status: 7, metadata, events: [] };
    writeFileSync(join(cwd, 'run.json'), JSON.stringify(wrong));
    const count = ['SELECT count(*) AS n FROM runs', '--jsonl', '--from', 'run.json'];
    const refused = await query(...count);
    expect([refused.exit, refused.stdout]).toEqual([1, '{"n":0}\n']);
    const compat = await query(...count, '--compat');
    expect([compat.exit, compat.stdout]).toEqual([0, '{"n":1}\n']);
    rmSync(join(cwd, 'half.json'));
    rmSync(join(cwd, 'run.json'));
  });

  test.skipIf(process.platform === 'win32')('Ctrl-C: exit 130, no file', async () => {
    const temporary = join(cwd, 'tmp');
    mkdirSync(temporary);
    const endless = 'SELECT a.range FROM range(100000000000) a, range(1000000) b WHERE a.range < 0';
    const child = start(['query', endless, '-o', 'never.csv'], { cwd, env: { TMPDIR: temporary } });
    const ended = collect(child);
    while (readdirSync(temporary).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill('SIGINT');
    expect((await ended).exit).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(join(cwd, 'never.csv'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32')(
    'a second Ctrl-C ends it at once and leaves no temporary folder, not even that of DuckDB',
    async () => {
      const temporary = join(cwd, 'tmp2');
      mkdirSync(temporary);
      // One call of one function: DuckDB cannot stop in the middle of it.
      const long = "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000)) AS n";
      const child = start(['query', long, '-o', 'never2.csv'], { cwd, env: { TMPDIR: temporary } });
      const ended = collect(child);
      const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
      while (readdirSync(temporary).length === 0) await later(20);
      await later(1_000);
      const announced = new Promise((resolve) => child.stderr?.once('data', resolve));
      child.kill('SIGINT');
      await announced;
      await later(200);
      child.kill('SIGINT');
      // The signal itself ends it (a shell reports 130), not the answer, which would end with 0.
      expect([(await ended).exit, child.signalCode]).toEqual([null, 'SIGINT']);
      expect(readdirSync(temporary)).toEqual([]);
      expect(existsSync(join(cwd, 'never2.csv'))).toBe(false);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'a reader that closes early (| head) ends it quietly',
    async () => {
      const child = start(['query', 'SELECT range FROM range(100000000000)', '--jsonl'], { cwd });
      child.stdout?.once('data', () => child.stdout?.destroy());
      const { exit, stderr } = await collect(child);
      expect([exit, stderr]).toEqual([0, '']);
    },
  );
});
