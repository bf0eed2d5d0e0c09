import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actfAttempt, actfDocument, actfStep, storylineDocument, turn } from '../support/documents.ts';
import { bin, folder, pchronicle } from '../support/run.ts';

// util-linux `script` gives a command a real terminal.
const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

/** Runs a command on a terminal of 100 columns and returns all that was written to it. */
function onTerminal(args: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  const command = [process.execPath, bin, ...args]
    .map((part) => `'${part.replaceAll("'", "'\\''")}'`)
    .join(' ');
  const { stdout } = spawnSync('script', ['-qec', `stty cols 100 rows 24; ${command}`, '/dev/null'], {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      TERM: 'xterm',
      NO_COLOR: '',
      FORCE_COLOR: '',
      PCHRONICLE_STORE: './trajectories',
      ...env,
    },
    maxBuffer: 1 << 28,
  });
  expect(stdout).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  return stdout;
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('colours, but not with --no-color or NO_COLOR', () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'x.json'), '{');
    expect(onTerminal(['validate', 'x.json'], cwd)).toContain('\u001b[31merror\u001b[39m');
    expect(onTerminal(['validate', 'x.json', '--no-color'], cwd)).not.toContain('\u001b');
    expect(onTerminal(['validate', 'x.json'], cwd, { NO_COLOR: '1' })).not.toContain('\u001b');
  });

  test('JSON with control characters is written with escapes, which mean the same; in a pipe it stays as it is', async () => {
    const cwd = folder();
    const text = JSON.stringify(storylineDocument('s', [turn(1, 'a\u009b31m\u202eb')]));
    writeFileSync(join(cwd, 'x.json'), text);
    const shown = onTerminal(['convert', 'x.json', '--to', 'storyline', '--quiet'], cwd);
    expect(shown).toContain('a\\u009b31m\\u202eb');
    expect(JSON.parse(shown)).toEqual(JSON.parse(text));
    const piped = await pchronicle(['convert', 'x.json', '--to', 'storyline', '--quiet'], { cwd });
    expect(piped.stdout).toContain('a\u009b31m\u202eb');
  });

  test('ls fits the width', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'x.json'), JSON.stringify(actfDocument(`${'很长的名字'.repeat(30)}`)));
    await pchronicle(['import', 'x.json', '--quiet'], { cwd });
    const lines = onTerminal(['ls', '--no-color'], cwd).split(/\r?\n/);
    expect(lines[1]).toContain('很长的名字');
    expect(lines[1]).toContain('…');
  });

  test('show goes through PAGER', async () => {
    const cwd = folder();
    const steps = Array.from({ length: 30 }, (_, index) => actfStep(index + 1, `step ${index + 1}`));
    writeFileSync(join(cwd, 'x.json'), JSON.stringify(actfDocument('x', { '1': actfAttempt(steps) })));
    await pchronicle(['import', 'x.json', '--quiet'], { cwd });
    const paged = onTerminal(['show', 'x'], cwd, { PAGER: 'head -n 3' });
    expect(paged.trimEnd().split('\n')).toHaveLength(3);
    const plain = onTerminal(['show', 'x', '--no-pager'], cwd, { PAGER: 'head -n 3' });
    expect(plain).toContain('step 30');
    const missing = onTerminal(['show', 'x'], cwd, { PAGER: 'no-such-pager' });
    expect(missing).toContain('step 30');
    expect(missing).toMatch(/the pager "no-such-pager" was not found/);
  });

  test('a progress bar with share, rate, ETA and counts after a second, gone at the end; never in a pipe', async () => {
    const cwd = folder();
    const handle = openSync(join(cwd, 'big.jsonl'), 'w');
    const filler = 'x'.repeat(2_000);
    for (let number = 0; number < 8_000; number += 1) {
      const turns = Array.from({ length: 5 }, (_, index) => turn(index + 1, filler));
      writeSync(handle, `${JSON.stringify(storylineDocument(`s${number}`, turns))}\n`);
    }
    closeSync(handle);
    const args = [
      'convert',
      'big.jsonl',
      '--to',
      'storyline',
      '--container',
      'lines',
      '-o',
      'out.jsonl',
      '--overwrite',
    ];
    const shown = onTerminal(args, cwd);
    expect(shown).toMatch(/converting [█░]{24} \d+% \| \d+(\.\d)? MB\/s \| ETA .+ \| [\d,]+ trajectories/);
    const last = shown.trimEnd().split('\n').at(-1) ?? '';
    expect(last).toMatch(
      /converted 8,000 trajectories to 8,000 documents of storyline in out\.jsonl; no issues\s*$/,
    );
    const piped = await pchronicle(args, { cwd });
    expect(piped.stderr).toBe(
      'converted 8,000 trajectories to 8,000 documents of storyline in out.jsonl; no issues\n',
    );
  });
});
