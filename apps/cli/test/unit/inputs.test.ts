import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listInputs } from '../../src/io/inputs.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pchronicle-inputs-'));
  for (const name of ['logs/deep', 'one', 'two', 'work']) mkdirSync(join(root, name), { recursive: true });
  for (const name of ['logs/deep/a.json', 'logs/z.jsonl', 'logs/notes.txt', 'one/a.json', 'two/a.json']) {
    writeFileSync(join(root, name), '{}');
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function names(cwd: string, arguments_: readonly string[], base?: string): Promise<readonly string[]> {
  const options = {
    cwd: join(root, cwd),
    extensions: ['.json', '.jsonl'],
    ...(base === undefined ? {} : { base }),
  };
  const { inputs, failures } = await listInputs(arguments_, options);
  expect(failures).toEqual([]);
  return inputs.map(({ name }) => name);
}

test('names are the path relative to the working directory, or to the base; never absolute, no ..', async () => {
  expect(await names('', ['logs/deep/a.json'])).toEqual(['logs/deep/a.json']);
  expect(await names('', ['./logs//deep/../deep/a.json'])).toEqual(['logs/deep/a.json']);
  expect(await names('', [join(root, 'logs/deep/a.json')])).toEqual(['logs/deep/a.json']);
  expect(await names('', ['logs'], 'logs')).toEqual(['deep/a.json', 'z.jsonl']);
  expect(await names('', ['logs/**/*.json'])).toEqual(['logs/deep/a.json']);
  expect(await names('logs', ['.'])).toEqual(['deep/a.json', 'z.jsonl']);
});

test('a path outside the base counts from its own folder', async () => {
  expect(await names('work', ['../logs/deep/a.json'])).toEqual(['a.json']);
  expect(await names('work', ['../logs'])).toEqual(['deep/a.json', 'z.jsonl']);
  expect(await names('work', ['../logs/**/*.json'])).toEqual(['deep/a.json']);
  expect(await names('', ['one/a.json'], 'work')).toEqual(['a.json']);
});

test('two inputs outside the base that would share a name are told apart', async () => {
  expect(await names('work', ['../one/a.json', '../two/a.json'])).toEqual(['one/a.json', 'two/a.json']);
});

test('what is shown is what was typed, or found under what was typed', async () => {
  const { inputs } = await listInputs(['../logs', '-'], {
    cwd: join(root, 'work'),
    extensions: ['.json', '.jsonl'],
  });
  expect(inputs.map(({ shown, walked }) => [shown, walked])).toEqual([
    ['../logs/deep/a.json', true],
    ['../logs/z.jsonl', true],
    ['-', false],
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'one that cannot be looked at does not hide the others of its folder',
  async () => {
    // A name of bytes that are no UTF-8 cannot be opened by the text that a listing gives for it.
    writeFileSync(
      Buffer.concat([Buffer.from(join(root, 'logs/m')), Buffer.from([0xff]), Buffer.from('.json')]),
      '{}',
    );
    for (const argument of ['logs', 'logs/**/*']) {
      const { inputs, failures } = await listInputs([argument], {
        cwd: root,
        extensions: ['.json', '.jsonl'],
      });
      expect(inputs.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['logs/deep/a.json', 'logs/z.jsonl']),
      );
      expect(failures.map(({ code, source }) => [code, source])).toEqual([
        ['cli/unreadable-input', 'logs/m\ufffd.json'],
      ]);
    }
  },
);
