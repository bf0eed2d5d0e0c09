import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, pchronicle } from '../support/run.ts';

test('--version prints the version of the package', async () => {
  const { exit, stdout } = await pchronicle(['--version']);
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
});

test('--help shows examples first, then every command under a heading', async () => {
  const { exit, stdout, stderr } = await pchronicle(['--help']);
  expect(exit).toBe(0);
  expect(stderr).toBe('');
  expect(stdout.indexOf('Examples:')).toBe(0);
  expect(stdout.indexOf('Examples:')).toBeLessThan(stdout.indexOf('Usage:'));
  for (const name of [
    'detect',
    'validate',
    'convert',
    'formats',
    'import',
    'export',
    'ls',
    'show',
    'store',
    'completion',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  }
});

test.each([
  ['detect'],
  ['validate'],
  ['convert'],
  ['formats'],
  ['import'],
  ['export'],
  ['ls'],
  ['show'],
  ['store', 'info'],
  ['store', 'verify'],
  ['completion'],
])('%s %s --help shows examples first', async (...command) => {
  const { exit, stdout } = await pchronicle([...command, '--help']);
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^Examples:\n {2}\$ pchronicle /);
});

describe('a usage error exits with 2, says what is wrong, and suggests the nearest right thing', () => {
  test.each([
    [['convrt', 'x'], /unknown command 'convrt'/, /Did you mean convert\?/],
    [['\u001b[2J'], /unknown command '\\u001b\[2J'/, /try: pchronicle --help/],
    [['ls', '--\u001b[2J'], /unknown option '--\\u001b\[2J'/, /try: pchronicle ls --help/],
    [['store', 'verfy'], /unknown command 'verfy'/, /Did you mean verify\?/],
    [['ls', '--jsn'], /unknown option '--jsn'/, /Did you mean --json\?/],
    [['convert', 'x.json', '--to', 'acft'], /no format "acft"/, /did you mean "actf"\?/],
    [['convert', 'x.json', '--to', 'nothing-like-it'], /no format/, /formats: .*actf/],
    [['validate', 'x.json', '--format', 'storylin'], /no format "storylin"/, /did you mean "storyline"\?/],
    [['convert', 'x.json'], /required option '--to <format>'/, /try: pchronicle convert --help/],
    [['convert', 'x', '--to', 'actf', '--container', 'line'], /Allowed choices/, /document, array, lines/],
    [['convert', 'x', '--to', 'actf', '--indent', '11'], /from 0 to 10/, /--indent/],
    [['show'], /missing required argument 'id'/, /try: pchronicle show --help/],
    [['show', 'x', '--turns', '9-2'], /counted from 1/, /--turns/],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/, /completion/],
    [['detect'], /missing required argument 'inputs'/, /try/],
    [['validate', 'a', '--from', 'actf', '--format', 'actf'], /cannot be used with/, /--from/],
  ])('%j', async (command, what, hint) => {
    const { exit, stdout, stderr } = await pchronicle(command);
    expect(exit).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(what);
    expect(stderr).toMatch(hint);
  });
});

test('a missing file exits with 3 and names the nearest one', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'trajectories.json'), '{}');
  const { exit, stdout, stderr } = await pchronicle(['detect', 'trajectorie.json'], { cwd });
  expect(exit).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: trajectorie\.json: there is no such file or folder \(cli\/no-such-input\)/);
  expect(stderr).toMatch(/did you mean "trajectories\.json"\?/);
});

test('a file name with control characters is shown, not sent to the terminal', async () => {
  const { exit, stderr } = await pchronicle(['detect', 'x\u001b[2J\u009b.json']);
  expect(exit).toBe(3);
  expect(stderr).toContain('x\\u001b[2J\\u009b.json');
  expect(stderr).not.toContain('\u001b');
});

test('an empty folder, and one without a readable file, exit with 3', async () => {
  const cwd = folder();
  mkdirSync(join(cwd, 'empty'));
  mkdirSync(join(cwd, 'other'));
  writeFileSync(join(cwd, 'other', 'readme.md'), '# hello');
  const ran = await pchronicle(['detect', 'empty', 'other'], { cwd });
  expect(ran.exit).toBe(3);
  expect(ran.stderr).toMatch(/empty: the folder holds no files \(cli\/empty-folder\)/);
  expect(ran.stderr).toMatch(/other: the folder holds no file with an ending that is read \(1 other file\)/);
});

const store = ['/store-lance/', '/@lancedb/', '/@duckdb/', '/apache-arrow/'];

test.each([
  ['--help', ['/cli/dist/work/', '/storyline-core/', '/packages/', ...store]],
  ['ls --help', ['/cli/dist/work/', '/storyline-core/', '/packages/', ...store]],
  ['detect a.json', store],
])('%s loads no more than it needs, so that it starts fast', async (line, heavy) => {
  const cwd = folder();
  writeFileSync(join(cwd, 'a.json'), '{"schema_version":"storyline-v1"}');
  const coverage = join(cwd, 'coverage');
  await pchronicle(line.split(' '), { cwd, env: { NODE_V8_COVERAGE: coverage } });
  const loaded = modulesIn(coverage);
  expect(loaded.some((url) => url.endsWith('/cli/dist/commands/table.js'))).toBe(true);
  expect(loaded.filter((url) => heavy.some((part) => url.includes(part)))).toEqual([]);
});

/** What a process with NODE_V8_COVERAGE loaded: the addresses of all its modules. */
function modulesIn(coverage: string): readonly string[] {
  return readdirSync(coverage).flatMap((name) =>
    JSON.parse(readFileSync(join(coverage, name), 'utf8')).result.map(({ url }: { url: string }) => url),
  );
}
