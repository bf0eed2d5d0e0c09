import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@pchronicle/store-lance';
import { describe, expect, test } from 'vitest';
import { storylineDocument, turn } from '../support/documents.ts';
import { filledFolder } from '../support/filled.ts';
import { folder, jsonLines, pchronicle } from '../support/run.ts';

describe('find', () => {
  test('words after a line break, a tab and a quote; Chinese; in arguments and results; --json has a stable shape', async () => {
    const cwd = await filledFolder();
    const { exit, stdout, stderr } = await pchronicle(['find', 'zebra', '--json'], { cwd });
    expect([exit, stderr]).toEqual([0, '']);
    const found = JSON.parse(stdout) as { query: string; matches: Record<string, unknown>[] };
    expect(found.query).toBe('zebra');
    expect(found.matches).toEqual([
      {
        document_key: expect.stringMatching(/^[0-9a-z]{20}$/),
        document_id: 's1',
        run: 'nightly',
        session: 's1',
        kind: 'turn',
        turn: 2,
        turn_id: 2,
        src: 'agent',
        tool: null,
        tool_call_id: null,
        score: expect.any(Number),
        snippet: 'a zebra "zebra"',
        matches: [
          [2, 7],
          [9, 14],
        ],
      },
    ]);
    const chinese = await pchronicle(['find', '销售'], { cwd });
    expect(chinese.stdout).toMatch(/^[0-9a-z]{8} {2}s1 {2}turn 1 · user\n {2}请汇总销售数据 \\u001b\[31m\n$/);
    expect(chinese.stderr).toBe('1 match\n');
    const call = await pchronicle(['find', 'echo', 'c2', '--jsonl'], { cwd });
    expect(jsonLines(call.stdout)).toEqual([
      expect.objectContaining({ kind: 'call', tool: 'bash', tool_call_id: 'c2', run: 'task-a', src: null }),
    ]);
  });

  test('filters, --any, --limit; nothing found is no failure', async () => {
    const cwd = await filledFolder();
    const count = async (...args: readonly string[]): Promise<number> => {
      const { exit, stdout } = await pchronicle(['find', ...args, '--jsonl'], { cwd });
      expect(exit).toBe(0);
      return jsonLines(stdout).length;
    };
    expect(await count('total', '--tool', 'bash')).toBe(3);
    expect(await count('total', '--tool', 'bash', '--run', 'task-a')).toBe(2);
    expect(await count('total', '--tool', 'other')).toBe(0);
    expect(await count('zebra', '--src', 'agent')).toBe(1);
    expect(await count('zebra', '--src', 'user')).toBe(0);
    expect(await count('c1', 'c2')).toBe(0);
    expect(await count('c1', 'c2', '--any')).toBe(2);
    expect(await count('total', '--where', 'correct')).toBe(2);
    expect(await count('total', '--attempt', '2')).toBe(1);
    expect(await count('total', '--limit', '1')).toBe(1);
    expect(await count('total', '--since', '2026-08-01')).toBe(3);
    expect(await count('total', '--since', '2026-08-02T00:00')).toBe(0);
    const none = await pchronicle(['find', 'nowhere'], { cwd });
    expect([none.exit, none.stdout, none.stderr]).toEqual([0, '', 'nothing found\n']);
    const bad = await pchronicle(['find', 'x', '--since', 'yesterday'], { cwd });
    expect([bad.exit, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('(cli/bad-time)');
  });

  test('prompts and outcome of a trajectory; --json says that they belong to no turn', async () => {
    const cwd = await filledFolder();
    const { stdout } = await pchronicle(['find', 'careful', '--run', 'task-b', '--jsonl'], { cwd });
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({
        kind: 'story',
        document_id: 'task-b',
        turn: null,
        turn_id: null,
        src: null,
        tool: null,
      }),
    ]);
    const shown = await pchronicle(['find', 'What is the answer', '--run', 'task-b'], { cwd });
    expect(shown.stdout).toMatch(
      /^[0-9a-z]{8} {2}task-b {2}prompts and outcome\n {2}You are careful\. What is the answer\?/,
    );
    const none = await pchronicle(['find', 'careful', '--src', 'agent', '--jsonl'], { cwd });
    expect(none.stdout).toBe('');
  });

  test('a replaced or deleted trajectory is never found, but as of a moment when it was there', async () => {
    const cwd = await filledFolder();
    const found = async (...args: readonly string[]) =>
      jsonLines((await pchronicle(['find', ...args, '--jsonl'], { cwd })).stdout).map(
        (match) => match.document_id,
      );
    expect(await found('zebra')).toEqual(['s1']); // the index is made before
    await pchronicle(['store', 'tag', 'before'], { cwd });
    const replaced = storylineDocument('s1', [turn(1, 'a\tgiraffe'), turn(2, 'x\n"walrus"')], {
      run: 'nightly',
    });
    writeFileSync(join(cwd, 'in', 's.storyline.json'), JSON.stringify(replaced));
    expect((await pchronicle(['import', 'in', '--quiet'], { cwd })).exit).toBe(0);
    // Newer than the index.
    expect([await found('zebra'), await found('giraffe'), await found('walrus')]).toEqual([
      [],
      ['s1'],
      ['s1'],
    ]);
    expect(await found('zebra', '--as-of', 'before')).toEqual(['s1']);
    await pchronicle(['store', 'delete', 's1', '--yes'], { cwd });
    const { stdout, stderr } = await pchronicle(['find', 'giraffe'], { cwd });
    expect([stdout, stderr]).toEqual(['', 'nothing found\n']);
    expect(await found('giraffe', '--as-of', 'before')).toEqual([]);
    expect(await found('zebra', '--as-of', 'before')).toEqual(['s1']);
  });
});

describe('an index that cannot be read', () => {
  test('is said once, as a sentence or an issue; ls and find give the same, and maintain makes it anew', async () => {
    const cwd = await filledFolder();
    const pc = (...args: readonly string[]) => pchronicle(args, { cwd });
    expect((await pc('find', 'zebra')).exit).toBe(0);
    // A store of this size has none of itself.
    const store = await openStore(join(cwd, 'trajectories'));
    await store.refreshIndexes({ force: true });
    await store.close();
    const before = await pc('ls', '--run', 'nightly', '--json');
    for (const table of ['runs', 'steps']) {
      const indexes = join(cwd, 'trajectories', `${table}.lance`, '_indices');
      for (const name of readdirSync(indexes))
        for (const file of readdirSync(join(indexes, name))) rmSync(join(indexes, name, file));
    }
    const listed = await pc('ls', '--run', 'nightly', '--json');
    expect([listed.exit, listed.stdout]).toEqual([0, before.stdout]);
    expect(jsonLines(listed.stderr)).toMatchObject([{ code: 'store/index-unreadable', severity: 'warning' }]);
    const found = await pc('find', 'zebra');
    expect([found.exit, found.stdout]).toEqual([0, expect.stringContaining('zebra')]);
    expect(found.stderr).toMatch(/^warning: .*an index of the table steps cannot be read/m);
    expect((await pc('find', 'zebra', '--quiet')).stderr).toBe('');
    const maintained = await pc('store', 'maintain', '--json');
    expect([maintained.exit, maintained.stderr]).toEqual([0, '']);
    expect((JSON.parse(maintained.stdout) as { indexes: string[] }).indexes).toEqual(
      expect.arrayContaining(['runs.run_id', 'steps.document_key', 'steps.search_text']),
    );
    expect((await pc('find', 'zebra')).stderr).toBe('1 match\n');
  });
});

test('words that begin with a dash go behind --, and the usage error says so', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 's.json'), JSON.stringify(storylineDocument('s', [turn(1, 'run rm -rf there')])));
  await pchronicle(['import', 's.json', '--quiet'], { cwd });
  const found = await pchronicle(['find', '--jsonl', '--', '-rf'], { cwd });
  expect([found.exit, jsonLines(found.stdout)]).toEqual([0, [expect.objectContaining({ document_id: 's' })]]);
  const wrong = await pchronicle(['find', '-rf'], { cwd });
  expect([wrong.exit, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('words that begin with a dash go behind --');
});
