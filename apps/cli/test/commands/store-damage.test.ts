import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { damagedFolder } from '../support/damaged.ts';
import { storylineDocument, turn } from '../support/documents.ts';
import { folder, jsonLines, pchronicle } from '../support/run.ts';

test.each<[string, string[], string[]]>([
  [
    'query',
    ['query', 'SELECT DISTINCT document_id FROM steps ORDER BY 1', '--format', 'csv'],
    ['document_id', 's1', 's3'],
  ],
  ['find', ['find', 'turn'], []],
  ['export', ['export', '--to', 'storyline', '--container', 'lines'], []],
])(
  '%s fails over a damaged file; with --skip-damaged it goes on without what that hits, names it, and exits with 4',
  async (_, args, lines) => {
    const { cwd } = await damagedFolder();
    const failed = await pchronicle(args, { cwd });
    expect(failed.exit).toBe(4);
    expect(failed.stderr).toMatch(/\(store\/damaged\)\n.*--skip-damaged/);
    const { exit, stdout, stderr } = await pchronicle([...args, '--skip-damaged'], { cwd });
    expect(exit).toBe(4);
    expect(stderr).toMatch(/^error: table steps: 2 rows cannot be read: .* \(cli\/rows-left-out\)$/m);
    expect(stderr).toMatch(/^error: "s2" \([0-9a-z]{20}\) is left out: .* \(cli\/left-out\)$/m);
    expect(stderr.match(/cli\/left-out/g)).toHaveLength(1);
    if (lines.length > 0) expect(stdout).toBe(`${lines.join('\n')}\n`);
    for (const id of ['s1', 's3']) expect(stdout).toMatch(new RegExp(`(^|\\W)${id}(\\W|$)`, 'm'));
    expect(stdout).not.toMatch(/(^|\W)s2(\W|$)/m);
  },
);

test('--skip-damaged of a store that is whole changes nothing; files have none', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 's1.json'), JSON.stringify(storylineDocument('s1', [turn(1)])));
  await pchronicle(['import', 's1.json', '--quiet'], { cwd });
  const { exit, stdout, stderr } = await pchronicle(['ls', '--jsonl', '--skip-damaged'], { cwd });
  expect([exit, stderr]).toEqual([0, '']);
  expect(jsonLines(stdout)).toMatchObject([{ document_id: 's1' }]);
  const files = await pchronicle(['query', 'SELECT 1', '--from', 's1.json', '--skip-damaged'], { cwd });
  expect([files.exit, files.stdout]).toEqual([2, '']);
});

test('a damaged store is made whole: delete what verify names, drop the file, import again', async () => {
  const { cwd } = await damagedFolder();
  const refused = await pchronicle(['store', 'maintain', '--drop-damaged'], { cwd });
  expect([refused.exit, refused.stdout]).toEqual([4, '']);
  expect(refused.stderr).toContain(
    'rows of "s2" are among them; put the files back from a copy, or delete these first',
  );
  const verified = await pchronicle(['store', 'verify'], { cwd });
  expect(verified.exit).toBe(4);
  expect(verified.stderr).toContain('pchronicle store maintain --drop-damaged');
  await pchronicle(['store', 'delete', 's2', '--yes'], { cwd });
  const dropped = await pchronicle(['store', 'maintain', '--drop-damaged'], { cwd });
  expect(dropped.exit).toBe(0);
  expect(dropped.stdout).toContain('\ndropped     2 steps, 0 calls in damaged files\n');
  await pchronicle(['import', 's2.json', '--quiet'], { cwd });
  const whole = await pchronicle(['store', 'verify'], { cwd });
  expect(whole.exit).toBe(0);
  expect(whole.stdout).toContain('3 trajectories, 6 steps');
  const asked = await pchronicle(['query', 'SELECT count(*) AS n FROM steps', '--jsonl'], { cwd });
  expect(asked.stdout).toBe('{"n":6}\n');
});
