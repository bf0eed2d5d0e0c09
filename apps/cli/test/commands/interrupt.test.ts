import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { actfAttempt, actfDocument, actfStep, storylineDocument, turn } from '../support/documents.ts';
import { bin, collect, folder, pchronicle, start } from '../support/run.ts';

/** A file of many Storylines, big enough that a command is still at work when a signal comes. */
function manyLines(path: string, count: number): void {
  const handle = openSync(path, 'w');
  const filler = 'x'.repeat(2_000);
  for (let number = 0; number < count; number += 1) {
    const turns = Array.from({ length: 5 }, (_, index) => turn(index + 1, `${number} ${filler}`));
    writeSync(handle, `${JSON.stringify(storylineDocument(`s${number}`, turns))}\n`);
  }
  closeSync(handle);
}

const COUNT = 12_000;
let big = '';
let where = '';
beforeAll(() => {
  where = spawnSync('mktemp', ['-d'], { encoding: 'utf8' }).stdout.trim();
  big = join(where, 'big.jsonl');
  manyLines(big, COUNT);
  return () => spawnSync('rm', ['-r', where]);
});

/** Waits until something is so. */
async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 3_000 && !holds(); round += 1) await later(10);
  expect(holds()).toBe(true);
}

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  test('while standard input has not ended: exit 130 without waiting for it, no temporary files', async () => {
    const cwd = folder();
    const child = start(['validate', '-'], { cwd, env: { TMPDIR: cwd } });
    const ended = collect(child);
    await until(() => readdirSync(cwd).length > 0); // it spools
    child.kill('SIGINT');
    expect((await ended).exit).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s during convert: exit 130, no output file, no temporary files',
    async (signal) => {
      const cwd = folder();
      const temporary = join(cwd, 'tmp');
      mkdirSync(temporary);
      const child = start(['convert', big, '--to', 'storyline', '--container', 'lines', '-o', 'out.jsonl'], {
        cwd,
        env: { TMPDIR: temporary },
      });
      const ended = collect(child);
      await until(() => readdirSync(cwd).length > 1); // it is at work: its temporary file is there
      child.kill(signal);
      const ran = await ended;
      expect(ran.exit).toBe(130);
      expect(ran.stderr).toContain('stopping after the current trajectory');
      expect(readdirSync(cwd)).toEqual(['tmp']);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  test('during import: exit 130; what was committed is whole, and importing again completes it', async () => {
    const cwd = folder();
    const child = start(['import', big, '--store', 'store', '--json'], { cwd });
    const ended = collect(child);
    await until(() => existsSync(join(cwd, 'store/runs.lance')));
    await later(300);
    child.kill('SIGINT');
    const ran = await ended;
    expect(ran.exit).toBe(130);
    const first = JSON.parse(ran.stdout) as { documents: { new: number } };
    expect(first.documents.new).toBeLessThan(COUNT);
    const listed = await pchronicle(['ls', '--jsonl', '--store', 'store'], { cwd });
    expect(listed.stdout.split('\n').length - 1).toBe(first.documents.new);
    const verified = await pchronicle(['store', 'verify', '--store', 'store'], { cwd });
    expect(verified.exit).toBe(0);
    const again = await pchronicle(['import', big, '--store', 'store', '--json'], { cwd });
    expect(again.exit).toBe(0);
    expect((JSON.parse(again.stdout) as typeof first).documents).toEqual({
      new: COUNT - first.documents.new,
      replaced: 0,
      unchanged: first.documents.new,
      rejected: 0,
    });
  });

  test('two Ctrl-C in a row end it, and still remove the temporary files', async () => {
    const cwd = folder();
    const temporary = join(cwd, 'tmp');
    mkdirSync(temporary);
    const child = start(['convert', big, '--to', 'actf', '--container', 'lines', '-o', 'out.jsonl'], {
      cwd,
      env: { TMPDIR: temporary },
    });
    const ended = collect(child);
    await until(() => readdirSync(temporary).length > 0); // the spool is there: signals are listened to
    child.kill('SIGINT');
    child.kill('SIGINT');
    const ran = await ended;
    expect(ran.exit).toBe(130);
    expect(readdirSync(cwd)).toEqual(['tmp']);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a reader that closes early (| head)', () => {
  test.each([
    ['convert', ['convert', 'BIG', '--to', 'storyline', '--container', 'lines']],
    ['validate', ['validate', 'BIG', '--format', 'actf', '--jsonl']],
  ])('%s ends quietly', async (_, args) => {
    const cwd = folder();
    const command = [bin, ...args.map((arg) => (arg === 'BIG' ? big : arg))]
      .map((part) => `'${part}'`)
      .join(' ');
    const child = spawn(
      'bash',
      [
        '-c',
        `set -o pipefail; '${process.execPath}' ${command} | head -n 1; echo "status \${PIPESTATUS[0]}"`,
      ],
      { cwd },
    );
    const ran = await collect(child as ReturnType<typeof start>);
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(() => JSON.parse(lines[0] ?? '')).not.toThrow();
    expect(lines[1]).toBe('status 0');
    expect(ran.stderr).toBe('');
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test('memory stays bounded while a big file streams through convert', async () => {
  const cwd = folder();
  const probe = join(cwd, 'probe.cjs');
  writeFileSync(
    probe,
    "process.on('exit', () => require('node:fs').writeFileSync('rss', String(process.resourceUsage().maxRSS)));",
  );
  const ran = await pchronicle(
    ['convert', big, '--to', 'storyline', '--container', 'lines', '-o', 'out.jsonl', '--quiet'],
    {
      cwd,
      node: ['--require', probe],
    },
  );
  expect(ran.exit).toBe(0);
  expect(readFileSync(join(cwd, 'out.jsonl')).length).toBeGreaterThan(100_000_000);
  expect(Number(readFileSync(join(cwd, 'rss'), 'utf8'))).toBeLessThan(400_000);
});

test('many attempts of one document are written together', async () => {
  const cwd = folder();
  const attempts = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [String(index), actfAttempt([actfStep(1, `a${index}`)])]),
  );
  writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('a', attempts)));
  const { exit, stdout } = await pchronicle(['convert', 'a.json', '--to', 'actf', '--quiet'], { cwd });
  expect(exit).toBe(0);
  expect(Object.keys((JSON.parse(stdout) as { attempts: object }).attempts)).toHaveLength(50);
});
