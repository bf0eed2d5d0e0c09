import { execFileSync, spawnSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storylineDocument, turn } from '../support/documents.ts';
import { filledFolder } from '../support/filled.ts';
import { bin, folder, pchronicle } from '../support/run.ts';

/** A folder with one input and, under other names, the same file: a symbolic link and a hard link. */
function withInput(): { readonly cwd: string; readonly text: string } {
  const cwd = folder();
  const text = `${JSON.stringify(storylineDocument('s1', [turn(1)]))}\n{"broken":`;
  writeFileSync(join(cwd, 'in.jsonl'), text);
  symlinkSync('in.jsonl', join(cwd, 'link.jsonl'));
  linkSync(join(cwd, 'in.jsonl'), join(cwd, 'hard.jsonl'));
  return { cwd, text };
}

describe('an output never replaces an input, not even with --overwrite', () => {
  const read = ['in.jsonl', '--format', 'storyline', '--overwrite'];
  const commands: [name: string, args: string[]][] = [
    ['convert -o', ['convert', ...read, '--to', 'actf', '-o']],
    ['convert --losses', ['convert', ...read, '--to', 'actf', '-o', 'out.json', '--losses']],
    ['convert --rejects', ['convert', ...read, '--to', 'actf', '-o', 'out.json', '--rejects']],
    ['import --rejects', ['import', ...read, '--rejects']],
    [
      'query -o',
      ['query', 'SELECT 1 AS x', '--from', 'in.jsonl', '--from-format', 'storyline', '--overwrite', '-o'],
    ],
    ['check --junit', ['check', 'in.jsonl', 'in.jsonl', '--format', 'storyline', '--overwrite', '--junit']],
  ];
  describe.each(commands)('%s', (name, args) => {
    const names =
      name === 'convert -o' ? ['in.jsonl', './in.jsonl', 'link.jsonl', 'hard.jsonl'] : ['link.jsonl'];
    test.each(names)('%s', async (output) => {
      const { cwd, text } = withInput();
      const before = readdirSync(cwd).sort();
      const { exit, stderr } = await pchronicle([...args, output], { cwd });
      expect(stderr).toContain(`${output}: is an input of this command and was left as it is`);
      expect(stderr).toContain('cli/output-is-input');
      expect(exit).toBe(2);
      for (const name of ['in.jsonl', 'link.jsonl', 'hard.jsonl'])
        expect(readFileSync(join(cwd, name), 'utf8')).toBe(text);
      expect(readdirSync(cwd).sort()).toEqual(before);
    });
  });

  test('a file of an output folder', async () => {
    const cwd = folder();
    const text = JSON.stringify(storylineDocument('s1', [turn(1)]));
    writeFileSync(join(cwd, 'a.storyline.json'), text);
    const args = ['convert', 'a.storyline.json', '--to', 'storyline', '-o', './', '--overwrite'];
    const { exit, stderr } = await pchronicle(args, { cwd });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('cli/output-is-input')]);
    expect(readFileSync(join(cwd, 'a.storyline.json'), 'utf8')).toBe(text);
    expect(readdirSync(cwd)).toEqual(['a.storyline.json']);
  });

  test('the file that standard input is read from', async () => {
    const { cwd, text } = withInput();
    const command = `'${process.execPath}' '${bin}' convert - --format storyline --to actf -o in.jsonl --overwrite < in.jsonl`;
    const ran = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining('cli/output-is-input')]);
    expect(readFileSync(join(cwd, 'in.jsonl'), 'utf8')).toBe(text);
  });
});

test('two outputs are never one file', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'in.json'), JSON.stringify(storylineDocument('s1', [turn(1)])));
  symlinkSync('.', join(cwd, 'here'));
  const args = ['convert', 'in.json', '--to', 'actf', '-o', 'out.json', '--losses', 'here/out.json'];
  const { exit, stderr } = await pchronicle([...args, '--overwrite'], { cwd });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('cli/same-output')]);
  expect(readdirSync(cwd).sort()).toEqual(['here', 'in.json']);
});

describe.skipIf(process.platform === 'win32')('a pipe as an input', () => {
  test('process substitution is read like standard input, by every command that reads', async () => {
    const cwd = folder();
    const document = JSON.stringify(storylineDocument('s1', [turn(1), turn(2)]));
    writeFileSync(join(cwd, 'x.json'), document);
    const run = (command: string) => {
      const pchronicle = `'${process.execPath}' '${bin}'`;
      const ran = spawnSync('bash', ['-c', command.replaceAll('pchronicle', pchronicle)], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, TMPDIR: cwd },
      });
      expect(ran.stderr).not.toMatch(/cli\/unreadable-input/);
      return [ran.status, ran.stdout.trim()];
    };
    const [, converted] = run('pchronicle convert <(cat x.json) --to storyline');
    expect(JSON.parse(String(converted))).toMatchObject({ session: 's1', turns: [{ id: 1 }, { id: 2 }] });
    expect(run('pchronicle validate <(cat x.json)')[0]).toBe(0);
    expect(run('pchronicle diff <(cat x.json) x.json')).toEqual([0, expect.stringContaining('equal')]);
    expect(run('pchronicle query "SELECT count(*) AS n FROM steps" --from <(cat x.json) --jsonl')).toEqual([
      0,
      '{"n":2}',
    ]);
    // The same command again is the same source.
    for (const [added, unchanged] of [
      [1, 0],
      [0, 1],
    ]) {
      const [status, summary] = run('pchronicle import <(cat x.json) --store store --json');
      expect(status).toBe(0);
      expect(JSON.parse(String(summary)).documents).toMatchObject({ new: added, unchanged });
    }
    execFileSync('mkfifo', [join(cwd, 'fifo.json')]);
    expect(run('cat x.json > fifo.json & pchronicle validate fifo.json')[0]).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['fifo.json', 'store', 'x.json']);
  });
});

describe('an output never lies in the folder of a store, not even with --overwrite', () => {
  /** Every file of a folder with its content. */
  const filesOf = (root: string): readonly (readonly [string, string])[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'base64')] as const);
  const select = ['query', 'select 1 as x', '--overwrite'];
  const exported = ['export', '--to', 'storyline', '--overwrite'];
  const commands: [name: string, args: string[]][] = [
    ['query -o CSV', [...select, '--format', 'csv', '-o', 'FILE']],
    ['query -o Parquet', [...select, '--format', 'parquet', '-o', 'FILE']],
    ['query --from', [...select, '--from', 'in', '--format', 'csv', '-o', 'FILE']],
    ['query -o new file', [...select, '-o', 'trajectories/new.csv']],
    ['query -o through a link', [...select, '-o', 'link/new.csv']],
    ['export -o file', [...exported, '-o', 'FILE']],
    ['export -o folder', [...exported, '-o', 'trajectories']],
    ['export -o new folder', [...exported, '-o', 'trajectories/out/']],
    ['export -o database', ['export', '--to', 'forkline', '--overwrite', '-o', 'trajectories/x.db']],
    ['export --losses', [...exported, '-o', 'out.json', '--losses', 'FILE']],
    ['export of another store', [...exported, '-o', 'FILE', '--store', 'elsewhere']],
    ['convert -o', ['convert', 'in/b.json', '--to', 'storyline', '--overwrite', '-o', 'FILE']],
    ['import --rejects', ['import', 'in/b.json', '--overwrite', '--rejects', 'FILE']],
    [
      'import --rejects of a new store',
      ['import', 'in/b.json', '--store', 'new', '--rejects', 'new/bad.json'],
    ],
    ['check --junit', ['check', 'in/b.json', 'in/b.json', '--overwrite', '--junit', 'FILE']],
  ];
  test('nothing is written', async () => {
    const cwd = await filledFolder();
    symlinkSync('trajectories/runs.lance', join(cwd, 'link'));
    const data = join('trajectories', 'runs.lance', 'data');
    const file = join(data, readdirSync(join(cwd, data))[0] ?? '');
    const before = filesOf(cwd);
    for (const [name, args] of commands) {
      const { exit, stdout, stderr } = await pchronicle(
        args.map((arg) => (arg === 'FILE' ? file : arg)),
        { cwd },
      );
      expect([name, exit, stdout]).toEqual([name, 2, '']);
      expect(stderr).toContain('lies in the folder of a store; nothing was written (cli/output-in-store)');
    }
    expect(filesOf(cwd)).toEqual(before);
    // Beside it is fine.
    expect((await pchronicle([...select, '-o', 'trajectories.csv'], { cwd })).exit).toBe(0);
  }, 120_000);
});

test.skipIf(process.platform !== 'linux')(
  'a folder for the output that cannot be made ends the command; nothing tries for ever',
  async () => {
    const { cwd } = withInput();
    const { exit, stdout, stderr } = await pchronicle(
      [
        'convert',
        'link.jsonl',
        '--format',
        'storyline',
        '--to',
        'storyline',
        '-o',
        '/proc/pchronicle/out/',
        '--quiet',
      ],
      { cwd },
    );
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /\/proc\/pchronicle\/out\/.*: cannot be written: it does not exist \(cli\/cannot-write\)/,
    );
  },
);
