import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actfDocument, storylineDocument, turn } from '../support/documents.ts';
import { folder, jsonLines, pchronicle } from '../support/run.ts';

const actf = JSON.stringify(actfDocument('t1'));
const story = JSON.stringify(storylineDocument('s1', [turn(1)]));

function files(): string {
  const cwd = folder();
  mkdirSync(join(cwd, 'in/deep'), { recursive: true });
  writeFileSync(join(cwd, 'in/a.json'), actf);
  writeFileSync(join(cwd, 'in/array.json'), `[${actf},${actf}]`);
  writeFileSync(join(cwd, 'in/deep/lines.jsonl'), `${story}\n\n${story}\n`);
  return cwd;
}

test('--json has a stable shape: format, container, records, confidence, why', async () => {
  const { exit, stdout, stderr } = await pchronicle(['detect', 'in', '--json'], { cwd: files() });
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  const why = expect.stringMatching(/\w+/);
  expect(JSON.parse(stdout)).toEqual({
    files: [
      { file: 'in/a.json', format: 'actf', container: 'document', records: 1, confidence: 'yes', why },
      { file: 'in/array.json', format: 'actf', container: 'array', records: 2, confidence: 'yes', why },
      {
        file: 'in/deep/lines.jsonl',
        format: 'storyline',
        container: 'lines',
        records: 2,
        confidence: 'yes',
        why,
      },
    ],
  });
});

test('--jsonl prints one object a file', async () => {
  const { stdout } = await pchronicle(['detect', 'in', '--jsonl'], { cwd: files() });
  expect(jsonLines(stdout).map(({ file }) => file)).toEqual([
    'in/a.json',
    'in/array.json',
    'in/deep/lines.jsonl',
  ]);
});

test('a table for a person', async () => {
  const { exit, stdout } = await pchronicle(['detect', 'in/a.json'], { cwd: files() });
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    /^FILE +FORMAT +CONTAINER +RECORDS +SURE +WHY\nin\/a\.json +actf +document +1 +yes +\w/,
  );
});

test('what is no known format exits with 3; the others are still told', async () => {
  const cwd = files();
  writeFileSync(join(cwd, 'empty.json'), '');
  writeFileSync(join(cwd, 'text.json'), 'hello world');
  writeFileSync(join(cwd, 'binary.json'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  writeFileSync(join(cwd, 'other.json'), '{"name":"package"}');
  const { exit, stdout } = await pchronicle(
    ['detect', 'in/a.json', 'empty.json', 'text.json', 'binary.json', 'other.json', '--json'],
    { cwd },
  );
  expect(exit).toBe(3);
  const found = JSON.parse(stdout) as {
    files: { file: string; format: string | null; confidence: string; why: string }[];
  };
  expect(found.files.map(({ file, format }) => [file, format])).toEqual([
    ['in/a.json', 'actf'],
    ['empty.json', null],
    ['text.json', null],
    ['binary.json', null],
    ['other.json', null],
  ]);
  expect(found.files.map(({ why }) => why).slice(1)).toEqual([
    expect.stringMatching(/empty/),
    expect.stringMatching(/not JSON/),
    expect.stringMatching(/not text/),
    expect.stringMatching(/no format claims/),
  ]);
});

test('what is unknown because it is broken says where it breaks', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'cut.json'), '{"task_id": "t",\n "attempts": {"1"');
  const { exit, stdout } = await pchronicle(['detect', 'cut.json', '--json'], { cwd });
  expect(exit).toBe(3);
  expect(JSON.parse(stdout).files[0].why).toMatch(/its JSON is broken: .+ \(line 2 column \d+\)$/);
});

describe('what stands in front of the rest', () => {
  const row = '{"session_id":"s","step_id":1,"response":{"role":"assistant","content":"a"}}';
  const why = (stdout: string): readonly string[] =>
    JSON.parse(stdout).files.map((file: { readonly why: string }) => file.why);

  test.each([
    ['a broken line', 'in.jsonl', `\n{"session_id"\n${row}\n`, /line 2, .*json\/truncated/],
    ['a header', 'in.jsonl', `{"made":"today"}\n${row}`, /session_id is missing/],
    ['a comment', 'in.jsonl', `# made today\r\n${row}\r\n`, /json\/syntax/],
  ])('%s in lines is told, and the lines behind it are read', async (_, name, text, told) => {
    const cwd = folder();
    writeFileSync(join(cwd, name), text);
    const found = await pchronicle(['detect', name, '--json'], { cwd });
    expect(found.exit).toBe(0);
    expect(JSON.parse(found.stdout).files[0]).toMatchObject({ format: 'openai-msg', confidence: 'maybe' });
    expect(why(found.stdout)[0]).toMatch(/^the first line is of no known format; .+ session_id/);
    const { exit, stdout, stderr } = await pchronicle(['convert', name, '--to', 'storyline'], { cwd });
    expect(exit).toBe(1);
    expect(stderr).toMatch(told);
    expect(JSON.parse(stdout).session).toBe('s');
  });

  test('lines of no known format stay unknown, and so do lines behind text that is no JSON Lines', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.jsonl'), '{"session_id"\n{"x":1}\n');
    writeFileSync(join(cwd, 'b.jsonl'), '{"x":1}\n{"x":2}\n');
    writeFileSync(join(cwd, 'c.txt'), `see:\n${row}\n`);
    const { exit, stdout } = await pchronicle(['detect', 'a.jsonl', 'b.jsonl', 'c.txt', '--json'], { cwd });
    expect(exit).toBe(3);
    expect(why(stdout)).toEqual([
      expect.stringMatching(/^no known format: JSON Lines; the first is broken: .+ \(line 1 column \d+\)$/),
      'no known format: JSON Lines; the first is of none that is known',
      'no known format: its text is not JSON',
    ]);
    const { stderr } = await pchronicle(['validate', 'b.jsonl'], { cwd });
    expect(stderr).toContain('name the format with --format, and what is in order is read');
  });

  test('an array is told by its first element', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'in.json'), `[null,${row}]`);
    const { stdout } = await pchronicle(['detect', 'in.json', '--json'], { cwd });
    expect(why(stdout)).toEqual([
      'no known format: a JSON array; its first element, which tells the format, is of none that is known',
    ]);
    const named = await pchronicle(['convert', 'in.json', '--format', 'openai-msg', '--to', 'storyline'], {
      cwd,
    });
    expect(JSON.parse(named.stdout).session).toBe('s');
  });
});

test('content beats name, and a byte order mark is skipped', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'x.actf.json'), `\ufeff${story}`);
  const { exit, stdout } = await pchronicle(['detect', 'x.actf.json', '--json'], { cwd });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).files[0].format).toBe('storyline');
});

test('standard input is an input', async () => {
  const { exit, stdout } = await pchronicle(['detect', '-', '--json'], { input: story });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).files[0]).toMatchObject({ file: '-', format: 'storyline', records: 1 });
});

test('globs, folders and files that name the same file give it once', async () => {
  const cwd = files();
  const { stdout } = await pchronicle(['detect', 'in/*.json', 'in', './in/a.json', '--jsonl'], { cwd });
  expect(jsonLines(stdout).map(({ file }) => file)).toEqual([
    'in/a.json',
    'in/array.json',
    'in/deep/lines.jsonl',
  ]);
  const none = await pchronicle(['detect', 'in/*.txt'], { cwd });
  expect(none.exit).toBe(3);
  expect(none.stderr).toMatch(/no file matches this pattern \(cli\/no-such-input\)/);
});

test.skipIf(process.platform === 'win32')('links that form a loop do not hang a walk', async () => {
  const cwd = files();
  symlinkSync('..', join(cwd, 'in/deep/up'));
  const { exit, stdout } = await pchronicle(['detect', 'in', '--jsonl'], { cwd });
  expect(exit).toBe(0);
  expect(jsonLines(stdout)).toHaveLength(3);
});

test('hidden files and node_modules are passed over', async () => {
  const cwd = files();
  mkdirSync(join(cwd, 'in/node_modules'));
  writeFileSync(join(cwd, 'in/node_modules/x.json'), actf);
  writeFileSync(join(cwd, 'in/.hidden.json'), actf);
  const { stdout } = await pchronicle(['detect', 'in', '--jsonl'], { cwd });
  expect(jsonLines(stdout)).toHaveLength(3);
});

test('fine-tuning examples are told what keeps them from being rows', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'train.jsonl'), '{"messages":[{"role":"user","content":"q"}]}\n'.repeat(2));
  for (const command of ['detect', 'validate']) {
    const { exit, stdout, stderr } = await pchronicle([command, 'train.jsonl'], { cwd });
    expect(exit).toBe(3);
    expect(stdout + stderr).toMatch(/has messages but no session_id and no step_id/);
    expect(stderr).not.toContain('--format');
  }
});

test('values that are printed over several lines each are told by the first, like lines', async () => {
  const cwd = folder();
  const pretty = (...values: object[]) =>
    values.map((value) => `${JSON.stringify(value, null, 2)}\n`).join('');
  const row = { session_id: 's', step_id: 1, messages: [], response: { role: 'assistant', content: 'x' } };
  writeFileSync(join(cwd, 'stories.json'), pretty(JSON.parse(story), JSON.parse(story)));
  writeFileSync(join(cwd, 'documents.json'), pretty({ session_steps: [row] }, { session_steps: [row] }));
  writeFileSync(join(cwd, 'broken.json'), `{\n  "a": }\n${pretty({ b: 1 })}`);
  const { stdout } = await pchronicle(['detect', '.', '--jsonl'], { cwd });
  expect(jsonLines(stdout)).toMatchObject([
    { file: 'broken.json', format: null, why: expect.stringContaining('(line 2 column 8)') },
    {
      file: 'documents.json',
      format: null,
      container: 'lines',
      why: expect.stringContaining('give each document a file'),
    },
    { file: 'stories.json', format: 'storyline', container: 'lines', records: 2, confidence: 'yes' },
  ]);
});
