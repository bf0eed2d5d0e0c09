import { beforeAll, describe, expect, test } from 'vitest';
import { filledFolder } from '../support/filled.ts';
import { keepFolder } from '../support/keep-folder.ts';
import { jsonLines, pchronicle } from '../support/run.ts';

// What the commands that ask a store say of questions that are not meant as they are written. One store, which nothing changes.
let cwd = '';
beforeAll(async () => {
  const kept = keepFolder(await filledFolder());
  cwd = kept.path;
  return kept.remove;
});

const pc = (...args: readonly string[]) => pchronicle(args, { cwd });

async function refused(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await pc(...args);
  expect([exit, stdout], args.join(' ')).toEqual([2, '']);
  return stderr;
}

describe('ls', () => {
  test('--limit says that there are more', async () => {
    const some = await pc('ls', '--limit', '2');
    expect([some.exit, some.stderr]).toEqual([0, 'the first 2 trajectories; --limit shows more\n']);
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect((await pc('ls', '--limit', '4')).stderr).toBe('4 trajectories\n');
    const lines = await pc('ls', '--limit', '2', '--jsonl');
    expect([jsonLines(lines.stdout).length, lines.stderr]).toEqual([2, '']);
  });

  test('--where is one condition by itself: not empty, not cut off, and no way out of its parentheses', async () => {
    expect(await refused('ls', '--where', '')).toContain('--where needs a condition (cli/no-condition)');
    expect(await refused('ls', '--where', ' \n')).toContain('cli/no-condition');
    const cut = await refused('ls', '--where', 'step_count >');
    expect(cut).toContain('syntax error at end of input');
    expect(cut).not.toMatch(/near "?\)/);
    for (const condition of ['1=1) or (1=1', '1=1 ORDER BY 1', '1=1 LIMIT 1', '1=1; SELECT 1', 'true) -- '])
      expect(await refused('ls', '--where', condition)).toMatch(/store\/sql-(invalid|one-statement)/);
    expect((await pc('ls', '--where', 'step_count > 0 -- all', '--jsonl')).exit).toBe(0);
  });

  test('--json and --jsonl exclude each other; so they do in find', async () => {
    expect(await refused('ls', '--json', '--jsonl')).toContain(
      "'--jsonl' cannot be used with option '--json'",
    );
    expect(await refused('find', 'x', '--json', '--jsonl')).toContain('cannot be used');
  });

  test('--as-of: what can be neither tag, version nor time is a mistake of the call; a tag that is not there is none', async () => {
    for (const moment of ['', 'a b', '2026-13-45', '-3', '3x'])
      expect(await refused('ls', `--as-of=${moment}`), moment).toContain('cli/bad-moment');
    expect((await pc('ls', '--as-of', 'nothing')).exit).toBe(4);
    expect((await pc('ls', '--as-of', '99')).exit).toBe(4);
  });
});

describe('the name of a store', () => {
  test('is not empty, has a known scheme and a bucket', async () => {
    for (const command of [['ls'], ['import', 'in'], ['import', 'in', '--dry-run']]) {
      expect(await refused(...command, '--store', '')).toContain('the name of the store is empty');
      const scheme = await refused(...command, '--store', 'ftp://user:secret@host/x');
      expect(scheme).toContain(
        'a store is a folder, or lies at s3://, az:// or gs://, not at ftp:// (cli/bad-store)',
      );
      expect(scheme).not.toContain('secret');
      expect(await refused(...command, '--store', 's3://')).toContain('s3:// needs the name of a bucket');
      for (const uri of ['s3:bucket/x', 's3:/bucket/x', 'AZ:x'])
        expect(await refused(...command, '--store', uri)).toMatch(
          /: needs two slashes: .*\(cli\/bad-store\)/,
        );
    }
    const empty = await pchronicle(['ls'], { cwd, env: { PCHRONICLE_STORE: '' } });
    expect(empty.exit).toBe(2);
  });

  test('query --from asks files, so a store named beside it is a contradiction; one in the environment is none', async () => {
    expect(await refused('query', 'SELECT 1', '--from', 'in', '--store', 'trajectories')).toContain(
      'cli/no-store-of-files',
    );
    const asked = await pchronicle(['query', 'SELECT 1 AS n', '--jsonl', '--from', 'in'], {
      cwd,
      env: { PCHRONICLE_STORE: 'elsewhere' },
    });
    expect([asked.exit, asked.stdout]).toEqual([0, '{"n":1}\n']);
  });

  test('store tag: a name that can be none is a mistake of the call', async () => {
    for (const name of ['a b', '7', '2026-08-01', ''])
      expect(await refused('store', 'tag', name), name).toContain('store/bad-tag');
  });
});

describe('query and stats', () => {
  test('a statement that writes is told so, whatever else is wrong with it', async () => {
    for (const sql of [
      'insert into runs values (1)',
      '/* x */ -- y\n UPDATE nothing SET a = 1',
      'create view v as select 1',
    ])
      expect(await refused('query', sql), sql).toMatch(
        /only statements that read are allowed .*\(store\/sql-not-read-only\)/,
      );
    expect(await refused('query', 'SELECT nothing FROM runs')).toContain('store/sql-invalid');
  });

  test('SHOW TABLES lists the three tables alone', async () => {
    const { stdout } = await pc('query', 'SHOW TABLES', '--jsonl');
    expect(jsonLines(stdout).map(({ name }) => name)).toEqual(['runs', 'steps', 'tool_calls']);
  });

  test('stats suggests the summary that was meant', async () => {
    expect(await refused('stats', 'tool')).toContain('did you mean "tools"?');
    expect(await refused('stats', 'outcome')).toContain('did you mean "outcomes"?');
    expect(await refused('stats', 'x')).toContain('Allowed choices are overview, tools, models, outcomes.');
  });
});
