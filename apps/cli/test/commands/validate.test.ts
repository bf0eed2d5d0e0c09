import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actfAttempt, actfDocument, actfStep, storylineDocument, turn } from '../support/documents.ts';
import { folder, jsonLines, pchronicle } from '../support/run.ts';

interface Validated {
  readonly files: readonly {
    readonly file: string;
    readonly format: string | null;
    readonly records: number;
    readonly issues: readonly {
      readonly code: string;
      readonly severity: string;
      readonly message: string;
      readonly at: Record<string, unknown>;
    }[];
  }[];
  readonly summary: { errors: number; warnings: number; losses: number; info: number };
}

const good = JSON.stringify(actfDocument('good'));

async function validated(text: string | Uint8Array, args: readonly string[] = [], name = 'x.json') {
  const cwd = folder();
  writeFileSync(join(cwd, name), text);
  const ran = await pchronicle(['validate', name, '--json', ...args], { cwd });
  return { ...ran, found: JSON.parse(ran.stdout) as Validated };
}

test('a good file: exit 0, no issues, the stable shape', async () => {
  const { exit, found, stderr } = await validated(good);
  expect(exit).toBe(0);
  expect(stderr).toBe('');
  expect(found).toEqual({
    files: [{ file: 'x.json', format: 'actf', records: 1, issues: [] }],
    summary: { errors: 0, warnings: 0, losses: 0, info: 0 },
  });
});

test('an unknown reference is named with attempt, step, byte and pointer, for people and for scripts', async () => {
  const step = actfStep(1, 'look', { id: 'call_7', command: 'ls', output: 'x' });
  const broken = { ...step, observation: [{ tool_use_id: 'call_9', content: 'x' }] };
  const text = JSON.stringify(actfDocument('t', { '2': actfAttempt([broken]) }));
  const { exit, found } = await validated(text);
  expect(exit).toBe(1);
  const [issue] = found.files[0]?.issues ?? [];
  expect(issue).toMatchObject({ code: 'actf/unknown-tool-reference', severity: 'error' });
  expect(issue?.at).toMatchObject({
    source: 'x.json',
    pointer: expect.stringMatching(/^\/attempts\/2\/trajectory\/steps\/0\/observation\/0/),
  });
  expect(found.summary.errors).toBe(1);

  const cwd = folder();
  writeFileSync(join(cwd, 'x.json'), text);
  const { stdout } = await pchronicle(['validate', 'x.json'], { cwd });
  expect(stdout).toMatch(
    /^error: x\.json, attempt "2", step 1: .*call_9.*\(actf\/unknown-tool-reference\).* \/attempts\/2\//m,
  );
  expect(stdout).toMatch(/✗ x\.json: actf, 1 record, 1 error$/m);
  expect(readdirSync(cwd)).toEqual(['x.json']);
});

describe('bad input gives a located issue, the right exit code, and never a stack trace', () => {
  test.each([
    ['truncated', good.slice(0, -40), 1, /^json\//],
    ['cut in a string', good.slice(0, 300), 1, /^json\//],
    [
      'invalid UTF-8',
      Buffer.concat([
        Buffer.from(good.slice(0, -1)),
        Buffer.from([0x2c, 0x22, 0x78, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
      ]),
      1,
      /utf-?8/,
    ],
    ['NaN', good.replace('"score":1', '"score":NaN'), 1, /^json\//],
    [
      '100,000 levels of nesting',
      good.replace('"extra":{}', `"extra":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      1,
      /core\/too-deep/,
    ],
    ['text after the document', `${good} trailing`, 1, /^json\//],
  ] as const)('%s', async (_, text, exit, code) => {
    const ran = await validated(text, ['--format', 'actf']);
    expect(ran.exit).toBe(exit);
    const errors = ran.found.files[0]?.issues.filter(({ severity }) => severity === 'error') ?? [];
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]?.code).toMatch(code);
    expect(errors[0]?.at).toHaveProperty('pointer');
    expect(errors[0]?.at).toHaveProperty('offset');
  });

  test('an empty file exits with 3, also under --format', async () => {
    for (const args of [[], ['--format', 'actf']]) {
      const { exit, found } = await validated('', args);
      expect(exit).toBe(3);
      expect(found.files).toEqual([
        {
          file: 'x.json',
          format: null,
          records: 0,
          issues: [
            {
              code: 'cli/empty-input',
              severity: 'error',
              message: 'the file is empty',
              at: { source: 'x.json', pointer: '' },
            },
          ],
        },
      ]);
      expect(found.summary.errors).toBe(1);
    }
  });

  test('a binary file exits with 3', async () => {
    const { exit, found } = await validated(Buffer.from([0, 1, 2, 255, 254, 10, 0]));
    expect(exit).toBe(3);
    expect(found.files[0]?.issues[0]?.code).toBe('cli/unknown-input');
  });

  test('a missing file beside a good one: the good one is checked, exit 3', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'x.json'), good);
    const { exit, stdout } = await pchronicle(['validate', 'x.json', 'gone.json', '--json'], { cwd });
    expect(exit).toBe(3);
    const found = JSON.parse(stdout) as Validated;
    expect(found.files.map(({ file, format }) => [file, format])).toEqual([
      ['gone.json', null],
      ['x.json', 'actf'],
    ]);
  });
});

test('G5: duplicate keys warn with their pointer; the file is still valid', async () => {
  const { exit, found } = await validated(
    good.replace('"task_id":"good"', '"task_id":"first","task_id":"good"'),
  );
  expect(exit).toBe(0);
  expect(found.summary.warnings).toBe(1);
  expect(found.files[0]?.issues[0]).toMatchObject({
    code: 'json/duplicate-key',
    severity: 'warning',
    at: { pointer: '/task_id' },
  });
});

test('G6: --allow-nan reads NaN as null, with one warning each', async () => {
  const text = good
    .replace('"final_answer":"42"', '"final_answer":NaN')
    .replace('"ground_truth":"42"', '"ground_truth":-Infinity');
  const strict = await validated(text);
  expect(strict.exit).toBe(1);
  expect(strict.found.files[0]?.issues[0]?.at).toMatchObject({
    line: 1,
    column: expect.any(Number),
    pointer: '/attempts/1/final_answer',
  });
  const { exit, found } = await validated(text, ['--allow-nan']);
  expect(exit).toBe(0);
  expect(found.summary).toMatchObject({ errors: 0 });
  expect(found.files[0]?.issues.map(({ at }) => at.pointer)).toEqual([
    '/attempts/1/final_answer',
    '/attempts/1/ground_truth',
  ]);
});

test('each line of JSON Lines is a record; bad ones are named by line', async () => {
  const lines = [
    JSON.stringify(storylineDocument('a', [turn(1)])),
    '{"broken',
    JSON.stringify(storylineDocument('b', [turn(1), turn(1)])),
  ];
  const { exit, found } = await validated(`${lines.join('\n')}\n`, [], 'x.jsonl');
  expect(exit).toBe(1);
  expect(found.files[0]?.records).toBe(3);
  const places = found.files[0]?.issues.map(({ at }) => at.line);
  expect(new Set(places)).toEqual(new Set([2, 3]));
});

test('--jsonl prints one issue a line, as it is found', async () => {
  const cwd = folder();
  writeFileSync(
    join(cwd, 'x.jsonl'),
    '{"schema_version":"storyline/v1","session":""}\n{"schema_version":"storyline/v1","agent":3}\n',
  );
  const { exit, stdout } = await pchronicle(['validate', 'x.jsonl', '--jsonl', '--format', 'storyline'], {
    cwd,
  });
  expect(exit).toBe(1);
  const issues = jsonLines(stdout);
  expect(issues.length).toBeGreaterThanOrEqual(2);
  for (const issue of issues) {
    expect(Object.keys(issue)).toEqual(['code', 'severity', 'message', 'at']);
    expect(issue.code).toMatch(/^[a-z-]+\/[a-z0-9-]+$/);
  }
});
