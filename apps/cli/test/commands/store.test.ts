import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseActf } from '@pchronicle/format-actf';
import { equalJson, parseJson } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { actfAttempt, actfDocument, actfStep, storylineDocument, turn } from '../support/documents.ts';
import { folder, jsonLines, pchronicle } from '../support/run.ts';

const text = (taskId: string): string => JSON.stringify(actfDocument(taskId));

interface Imported {
  readonly store: string;
  readonly documents: Record<string, number>;
  readonly rows: Record<string, number>;
  readonly bytes: number;
  readonly seconds: number;
  readonly issues: Record<string, number>;
}

/** Imports with --json and returns the summary. */
async function imported(cwd: string, ...args: readonly string[]) {
  const ran = await pchronicle(['import', ...args, '--json'], { cwd });
  return {
    ...ran,
    summary: (ran.stdout === '' ? undefined : JSON.parse(ran.stdout)) as Imported | undefined,
  };
}

async function runs(cwd: string, ...args: readonly string[]) {
  const { stdout, exit } = await pchronicle(['ls', '--json', ...args], { cwd });
  expect(exit).toBe(0);
  return (JSON.parse(stdout) as { runs: Record<string, unknown>[] }).runs;
}

describe('import', () => {
  test('--json has a stable shape; the same again changes nothing; a changed document replaces', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const first = await imported(cwd, 'a.json');
    expect(first.exit).toBe(0);
    expect(first.stderr).toBe('');
    expect(first.summary).toEqual({
      store: './trajectories',
      documents: { new: 1, replaced: 0, unchanged: 0, rejected: 0 },
      rows: { runs: 1, steps: 2, tool_calls: 1 },
      bytes: text('a').length,
      seconds: expect.any(Number),
      issues: {},
    });
    const again = await imported(cwd, 'a.json');
    expect(again.summary?.documents).toEqual({ new: 0, replaced: 0, unchanged: 1, rejected: 0 });
    expect(again.summary?.rows).toEqual({ runs: 0, steps: 0, tool_calls: 0 });
    writeFileSync(join(cwd, 'a.json'), text('a').replace('The answer is 42.', 'It is 43.'));
    const changed = await imported(cwd, 'a.json');
    expect(changed.summary?.documents).toEqual({ new: 0, replaced: 1, unchanged: 0, rejected: 0 });
    expect(await runs(cwd)).toHaveLength(1);
    const shown = await pchronicle(['show', 'a'], { cwd });
    expect(shown.stdout).toContain('It is 43.');
    expect(shown.stdout).not.toContain('The answer is 42.');
  });

  test('equal ids from different files stay apart; show lists the candidates and exits with 4', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'one.json'), text('same'));
    writeFileSync(join(cwd, 'two.json'), text('same').replace('The answer', 'My answer'));
    const { summary } = await imported(cwd, 'one.json', 'two.json');
    expect(summary?.documents.new).toBe(2);
    const found = await runs(cwd);
    expect(found.map(({ document_id, source }) => [document_id, source])).toEqual([
      ['same', 'one.json'],
      ['same', 'two.json'],
    ]);
    const { exit, stdout, stderr } = await pchronicle(['show', 'same'], { cwd });
    expect(exit).toBe(4);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/"same" names 2 trajectories; say which with its key \(cli\/ambiguous-id\)/);
    for (const run of found) {
      expect(stderr).toContain(`${run.document_key}  same`);
      const one = await pchronicle(['show', String(run.document_key)], { cwd });
      expect(one.exit).toBe(0);
      const prefix = await pchronicle(['show', String(run.document_key).slice(0, 8)], { cwd });
      expect(prefix.stdout).toBe(one.stdout);
    }
  });

  test('a bad document among good ones: the good ones are imported, the bad one goes to the rejects byte for byte, exit 1', async () => {
    const cwd = folder();
    const bad = '{"schema_version":"storyline/v1",  "session":"bad","agent":{"id":"x"},"turns":[{"id":1}] }';
    const broken = '{"schema_version": "storyline/v1", "session": ';
    const good = (session: string): string => JSON.stringify(storylineDocument(session, [turn(1)]));
    writeFileSync(join(cwd, 'x.jsonl'), `${good('a')}\n${bad}\n${good('b')}\r\n${broken}\n${good('c')}`);
    writeFileSync(join(cwd, 'y.json'), text('y'));
    const { exit, summary, stderr } = await imported(cwd, 'x.jsonl', 'y.json', '--rejects', 'rejects.jsonl');
    expect(exit).toBe(1);
    expect(summary?.documents).toEqual({ new: 4, replaced: 0, unchanged: 0, rejected: 2 });
    expect(readFileSync(join(cwd, 'rejects.jsonl'), 'utf8')).toBe(`${bad}\n${broken}\n`);
    expect((await runs(cwd)).map(({ session }) => session)).toEqual(['a', 'b', 'c', 'y']);
    const issues = jsonLines(stderr);
    expect(issues.filter(({ severity }) => severity === 'error').length).toBeGreaterThanOrEqual(2);
    for (const issue of issues) expect(issue.at).toMatchObject({ source: 'x.jsonl' });
    const codes = Object.values(summary?.issues ?? {}).reduce((sum, count) => sum + count, 0);
    expect(codes).toBe(issues.length);
  });

  test('G7: one bad attempt rejects its ACTF document; --salvage keeps the good attempts', async () => {
    const cwd = folder();
    const attempts = {
      '1': actfAttempt([actfStep(1, 'fine')]),
      '2': actfAttempt([actfStep(1, 'bad')], { trajectory: 7 }),
      '3': actfAttempt([actfStep(1, 'fine too')]),
    };
    writeFileSync(join(cwd, 'x.json'), JSON.stringify(actfDocument('x', attempts)));
    const strict = await imported(cwd, 'x.json', '--rejects', 'r.json');
    expect(strict.exit).toBe(1);
    expect(strict.summary?.documents).toMatchObject({ new: 0, rejected: 1 });
    expect(readFileSync(join(cwd, 'r.json'), 'utf8')).toBe(readFileSync(join(cwd, 'x.json'), 'utf8'));
    const salvaged = await imported(cwd, 'x.json', '--salvage', '--rejects', 'left-out.json');
    expect(salvaged.exit).toBe(1);
    expect(readFileSync(join(cwd, 'left-out.json'), 'utf8')).toBe(readFileSync(join(cwd, 'x.json'), 'utf8'));
    expect(salvaged.summary?.documents).toMatchObject({ new: 2 });
    expect((await runs(cwd)).map(({ attempt }) => attempt)).toEqual(['1', '3']);
  });

  test('--dry-run says what would happen and leaves no store', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const { exit, summary } = await imported(cwd, 'a.json', '--dry-run');
    expect(exit).toBe(0);
    expect(summary?.store).toBe('./trajectories');
    expect(summary?.documents.new).toBe(1);
    expect(readdirSync(cwd)).toEqual(['a.json']);
    await imported(cwd, 'a.json');
    const before = readdirSync(join(cwd, 'trajectories'), { recursive: true }).sort();
    const again = await pchronicle(['import', 'a.json', '--dry-run'], { cwd });
    expect(again.stdout).toBe('');
    expect(again.stderr).toMatch(/nothing new, 1 unchanged; \.\/trajectories was not changed/);
    expect(readdirSync(join(cwd, 'trajectories'), { recursive: true }).sort()).toEqual(before);
  });

  test('unreadable and unknown inputs exit with 3, and good neighbours are imported', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'in'));
    writeFileSync(join(cwd, 'in/a.json'), text('a'));
    writeFileSync(join(cwd, 'in/empty.json'), '');
    writeFileSync(join(cwd, 'in/package.json'), '{"name":"x"}');
    const { exit, summary, stderr } = await imported(cwd, 'in', 'gone.json');
    expect(exit).toBe(3);
    expect(summary?.documents.new).toBe(1);
    expect(jsonLines(stderr).map(({ code }) => code)).toEqual([
      'cli/no-such-input',
      'cli/empty-input',
      'cli/unknown-input',
    ]);
  });

  test.skipIf(process.getuid?.() === 0)('a file without permission exits with 3', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'), { mode: 0 });
    const { exit, stderr } = await imported(cwd, 'a.json');
    expect(exit).toBe(3);
    expect(stderr).toContain('permission denied');
  });

  test('only bad input: the store is made, but holds nothing; exit 1', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a').slice(0, -20));
    const { exit, summary } = await imported(cwd, 'a.json', '--format', 'actf');
    expect(exit).toBe(1);
    expect(summary?.documents).toEqual({ new: 0, replaced: 0, unchanged: 0, rejected: 1 });
  });

  test('--source names the source: the same file under another path is the same source', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    mkdirSync(join(cwd, 'copy'));
    cpSync(join(cwd, 'a.json'), join(cwd, 'copy/a.json'));
    await imported(cwd, 'a.json', '--source', 'nightly');
    const { summary } = await imported(cwd, 'copy/a.json', '--source', 'nightly', '--base', 'copy');
    expect(summary?.documents).toMatchObject({ new: 0, unchanged: 1 });
  });

  test('--skip-copies leaves out what another source has brought', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    writeFileSync(join(cwd, 'b.json'), text('a'));
    await imported(cwd, 'a.json');
    const { summary } = await imported(cwd, 'b.json', '--skip-copies');
    expect(summary?.documents.new).toBe(0);
    expect(await runs(cwd)).toHaveLength(1);
    const kept = await imported(cwd, 'b.json');
    expect(kept.summary?.documents.new).toBe(1);
    expect(kept.summary?.issues).toMatchObject({ 'store/copy': 1 });
  });

  test('standard input', async () => {
    const cwd = folder();
    const { exit, stderr } = await pchronicle(['import', '-', '--source', 'pipe'], {
      cwd,
      input: text('piped'),
    });
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^imported 1 trajectory \(1 new, 0 replaced\); into \.\/trajectories/);
    expect((await runs(cwd))[0]).toMatchObject({ document_id: 'piped', source: 'stdin' });
  });

  test('PCHRONICLE_STORE names the store; --store beats it', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const env = { PCHRONICLE_STORE: './from-env' };
    await pchronicle(['import', 'a.json', '--quiet'], { cwd, env });
    await pchronicle(['import', 'a.json', '--quiet', '--store', 'from-flag'], { cwd, env });
    expect(readdirSync(cwd).sort()).toEqual(['a.json', 'from-env', 'from-flag']);
  });

  test('--quiet says nothing', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const { exit, stdout, stderr } = await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    expect([exit, stdout, stderr]).toEqual([0, '', '']);
  });
});

describe('a store that is not there, or is something else, exits with 4', () => {
  test.each([['ls'], ['show', 'x'], ['export', '--to', 'actf'], ['store', 'info'], ['store', 'verify']])(
    '%s',
    async (...command) => {
      const cwd = folder();
      const { exit, stdout, stderr } = await pchronicle(command, { cwd });
      expect(exit).toBe(4);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/\(store\/not-found\)\n {2}import something first/);
      expect(existsSync(join(cwd, 'trajectories'))).toBe(false);
    },
  );

  test('import into a folder that holds other things', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'trajectories'));
    writeFileSync(join(cwd, 'trajectories/notes.txt'), 'mine');
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const { exit, stderr } = await pchronicle(['import', 'a.json'], { cwd });
    expect(exit).toBe(4);
    expect(stderr).toMatch(/\(store\/foreign-folder\)/);
    expect(readdirSync(join(cwd, 'trajectories'))).toEqual(['notes.txt']);
  });
});

describe('ls', () => {
  async function filled(): Promise<string> {
    const cwd = folder();
    mkdirSync(join(cwd, 'in'));
    const attempts = {
      '1': actfAttempt([actfStep(1, 'a')]),
      '2': actfAttempt([actfStep(1, 'b')], { correct: false, score: 0.25 }),
    };
    writeFileSync(join(cwd, 'in/b.json'), JSON.stringify(actfDocument('任务-😀', attempts)));
    writeFileSync(
      join(cwd, 'in/a.storyline.json'),
      JSON.stringify(storylineDocument('s1', [turn(1), turn(2)], { run: 'nightly' })),
    );
    await pchronicle(['import', 'in', '--quiet'], { cwd });
    return cwd;
  }

  test('--json has a stable shape, ordered by source, record and position', async () => {
    const found = await runs(await filled());
    expect(found.map(({ source, attempt }) => [source, attempt])).toEqual([
      ['in/a.storyline.json', null],
      ['in/b.json', '1'],
      ['in/b.json', '2'],
    ]);
    expect(Object.keys(found[0] ?? {})).toEqual([
      'document_key',
      'document_id',
      'source',
      'run',
      'session',
      'attempt',
      'format',
      'agent',
      'model',
      'correct',
      'score',
      'status',
      'turns',
      'tool_calls',
      'started_at',
      'finished_at',
    ]);
    expect(found[0]).toMatchObject({
      session: 's1',
      run: 'nightly',
      turns: 2,
      tool_calls: 0,
      correct: null,
      score: null,
    });
    expect(found[2]).toMatchObject({
      format: 'actf',
      correct: false,
      score: 0.25,
      status: 'completed',
      turns: 1,
    });
    expect(found[2]?.started_at).toMatch(/^2026-08-01T00:00:0/);
  });

  test('filters narrow each other, repeated ones widen, --limit cuts', async () => {
    const cwd = await filled();
    expect(await runs(cwd, '--run', 'nightly')).toHaveLength(1);
    expect(await runs(cwd, '--attempt', '1', '--attempt', '2')).toHaveLength(2);
    expect(await runs(cwd, '--attempt', '1', '--run', 'nightly')).toHaveLength(0);
    expect(await runs(cwd, '--session', 's1')).toHaveLength(1);
    expect(await runs(cwd, '--limit', '2')).toHaveLength(2);
    const { stdout } = await pchronicle(['ls', '--jsonl', '-n', '1'], { cwd });
    expect(jsonLines(stdout)).toHaveLength(1);
    const none = await pchronicle(['ls', '--run', "it's not\nthere"], { cwd });
    expect([none.exit, none.stdout]).toEqual([0, '']);
    expect(none.stderr).toBe('no trajectory has run "it\'s not\\nthere"\n');
  });

  test('a table with Chinese and emoji; the count goes to stderr', async () => {
    const { stdout, stderr } = await pchronicle(['ls'], { cwd: await filled() });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^KEY +DOCUMENT +ATTEMPT .*OUTCOME +TURNS +CALLS/);
    expect(lines[3]).toMatch(/任务-😀.* 2 .*wrong · 0\.25 · completed/);
    expect(stderr).toBe('3 trajectories\n');
  });
});

describe('show', () => {
  async function one(): Promise<string> {
    const cwd = folder();
    const hostile = 'pretty \u001b[31mred\u001b]0;title\u0007 \u009b2J \u202e end';
    const steps = Array.from({ length: 12 }, (_, index) =>
      actfStep(index + 1, index === 4 ? hostile : `step ${index + 1} says`, {
        id: `call-${index + 1}`,
        command: `echo ${index + 1}`,
        output: `out ${index + 1}`,
      }),
    );
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('task-a', { '1': actfAttempt(steps) })));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    return cwd;
  }

  test('renders turns, reasoning, calls with arguments and results, and metrics, all safe for a terminal', async () => {
    const { exit, stdout, stderr } = await pchronicle(['show', 'task-a'], { cwd: await one() });
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^task-a/);
    for (const part of [
      'source ',
      'outcome ',
      'status completed',
      'correct true',
      '12 turns',
      'You are careful.',
    ]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).toMatch(/── turn 3 · .*agent/);
    expect(stdout).toContain('thinking about 3');
    expect(stdout).toMatch(/→ bash call-3|→ bash .*call-3/);
    expect(stdout).toContain('command: echo 3');
    expect(stdout).toContain('out 3');
    expect(stdout).toMatch(/metrics .*prompt_tokens/);
    expect(stdout).toContain('pretty \\u001b[31mred\\u001b]0;title\\u0007 \\u009b2J \\u202e end');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test('--turns shows a range, and says what was left out', async () => {
    const cwd = await one();
    const { stdout } = await pchronicle(['show', 'task-a', '--turns', '2-3'], { cwd });
    expect(stdout).not.toContain('── turn 1 ');
    expect(stdout).toContain('── turn 2 ');
    expect(stdout).toContain('── turn 3 ');
    expect(stdout).not.toContain('── turn 4 ');
    expect(stdout).toContain('… turns 4–12');
    const gone = await pchronicle(['show', 'task-a', '--turns', '99'], { cwd });
    expect(gone.exit).toBe(2);
    expect(gone.stderr).toMatch(/there is no turn 99: the trajectory has 12 \(cli\/no-such-turn\)/);
  });

  test('--raw is the Storyline as stored; --json has the run beside it', async () => {
    const cwd = await one();
    const raw = await pchronicle(['show', 'task-a', '--raw'], { cwd });
    const storyline = JSON.parse(raw.stdout) as { turns: { msg: string }[]; schema_version: string };
    expect(storyline.schema_version).toBe('storyline/v1');
    expect(storyline.turns[4]?.msg).toContain('\u001b[31mred');
    const both = await pchronicle(['show', 'task-a', '--json'], { cwd });
    const { run, storyline: same } = JSON.parse(both.stdout) as {
      run: Record<string, unknown>;
      storyline: unknown;
    };
    expect(run).toEqual((await runs(cwd))[0]);
    expect(same).toEqual(storyline);
    const few = await pchronicle(['show', 'task-a', '--raw', '--turns', '5'], { cwd });
    expect((JSON.parse(few.stdout) as { turns: unknown[] }).turns).toEqual([storyline.turns[4]]);
  });

  test('an id that is not there exits with 4 and names the nearest', async () => {
    const { exit, stdout, stderr } = await pchronicle(['show', 'task-b'], { cwd: await one() });
    expect([exit, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(
      /no trajectory has the id "task-b" \(cli\/no-such-trajectory\)\n {2}did you mean "task-a"\?/,
    );
  });

  test('a long text is cut, and whole with --full', async () => {
    const cwd = folder();
    const long = `begin ${'x'.repeat(10_000)} end`;
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(storylineDocument('long', [turn(1, long)])));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    const cut = await pchronicle(['show', 'long'], { cwd });
    expect(cut.stdout).toContain('… 8,011 more characters (--full shows all)');
    expect(cut.stdout).not.toContain(' end');
    const full = await pchronicle(['show', 'long', '--full'], { cwd });
    expect(full.stdout).toContain(long);
  });
});

describe('export', () => {
  test('what comes out is the normal form of what went in (G1)', async () => {
    const cwd = folder();
    const attempts = {
      '10': actfAttempt([actfStep(1, 'x')]),
      '2': actfAttempt([actfStep(1, 'y')], { vendor: { big: 1 } }),
    };
    const source = actfDocument('exact', attempts, { vendor: ['a', null] });
    const written = JSON.stringify(source).replace('"big":1', '"big":123456789012345678901234567890');
    writeFileSync(join(cwd, 'a.json'), written);
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    const { exit, stdout, stderr } = await pchronicle(['export', '--to', 'actf'], { cwd });
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^exported 2 trajectories to 1 document of actf; no issues\n$/);
    const normal = normaliseActf(parseJson(written).value ?? null);
    expect(equalJson(parseJson(stdout).value ?? null, normal)).toBe(true);
    expect(stdout).toContain('123456789012345678901234567890');
  });

  test('selects by run, session, document, attempt; nothing selected exits with 4', async () => {
    const cwd = folder();
    const attempts = { '1': actfAttempt([actfStep(1, 'x')]), '2': actfAttempt([actfStep(1, 'y')]) };
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('a', attempts)));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    const { stdout } = await pchronicle(['export', '--to', 'actf', '--attempt', '2'], { cwd });
    expect(Object.keys((JSON.parse(stdout) as { attempts: object }).attempts)).toEqual(['2']);
    const none = await pchronicle(['export', '--to', 'actf', '--attempt', '7', '-o', 'x.json'], { cwd });
    expect(none.exit).toBe(4);
    expect(none.stderr).toMatch(/no trajectory has attempt "7" \(cli\/nothing-selected\)/);
    expect(existsSync(join(cwd, 'x.json'))).toBe(false);
  });

  test('into a folder: several attempts of a run go into a file of its name, one alone into its own', async () => {
    const cwd = folder();
    const attempts = { '1': actfAttempt([actfStep(1, 'x')]), '2': actfAttempt([actfStep(1, 'y')]) };
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('a/b', attempts)));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    await pchronicle(['export', '--to', 'actf', '-o', 'all/'], { cwd });
    expect(readdirSync(join(cwd, 'all'))).toEqual(['a_b.actf.json']);
    await pchronicle(['export', '--to', 'actf', '--attempt', '2', '-o', 'one/'], { cwd });
    expect(readdirSync(join(cwd, 'one'))).toEqual(['a_b#attempt-2.actf.json']);
  });

  test('to Storyline lines and back, into another store: the same content', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    const { exit } = await pchronicle(
      ['export', '--to', 'storyline', '--container', 'lines', '-o', 'all.jsonl'],
      { cwd },
    );
    expect(exit).toBe(0);
    await pchronicle(['import', 'all.jsonl', '--store', 'second', '--quiet'], { cwd });
    const first = await pchronicle(['show', 'a', '--raw'], { cwd });
    const second = await pchronicle(['show', 'a', '--raw', '--store', 'second'], { cwd });
    expect(second.stdout).toBe(first.stdout);
  });
});

describe('store', () => {
  test('info in words and as JSON', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    const { stdout } = await pchronicle(['store', 'info', '--json'], { cwd });
    const info = JSON.parse(stdout) as Record<string, unknown>;
    expect(info).toMatchObject({ store: './trajectories', runs: 1, steps: 2, tool_calls: 1, sources: 1 });
    expect(info.superseded).toEqual({ runs: 0, steps: 0, tool_calls: 0 });
    expect(Object.keys(info.tables as object)).toEqual(['runs', 'steps', 'tool_calls']);
    const words = await pchronicle(['store', 'info'], { cwd });
    expect(words.stdout).toMatch(/^trajectories +1 from 1 source$/m);
    expect(words.stdout).toMatch(/^steps +2 .*\d+ B|^steps +2 /m);
  });

  test('verify reads everything back', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd });
    const { exit, stdout } = await pchronicle(['store', 'verify', '--json'], { cwd });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      store: './trajectories',
      runs: 1,
      steps: 2,
      tool_calls: 1,
      seconds: expect.any(Number),
      faults: [],
      damage: [],
      notes: [],
    });
    const words = await pchronicle(['store', 'verify'], { cwd });
    expect(words.stdout).toMatch(/^✓ 1 trajectory, 2 steps, 1 tool call: all as imported \(/);
  });
});

describe('A10: one task run by two models', () => {
  test('two files with one task id come out of the store as two documents', async () => {
    const cwd = folder();
    const two = ['a', 'b'].map((name) => {
      const document = actfDocument('same-task', { '1': actfAttempt([actfStep(1, `model ${name}`)]) });
      writeFileSync(join(cwd, `${name}.json`), JSON.stringify(document));
      return document;
    });
    expect((await pchronicle(['import', 'a.json', 'b.json', '--store', 's'], { cwd })).exit).toBe(0);
    const lines = await pchronicle(['export', '--to', 'actf', '--container', 'lines', '--store', 's'], {
      cwd,
    });
    const contents = (document: unknown) => JSON.stringify(document).match(/model [ab]/g);
    expect(lines.exit).toBe(0);
    expect(jsonLines(lines.stdout).map(contents)).toEqual(two.map(contents));
    const together = await pchronicle(
      ['convert', 'a.json', 'b.json', '--to', 'actf', '--container', 'array'],
      { cwd },
    );
    expect(JSON.parse(together.stdout).map(contents)).toEqual(two.map(contents));
  });
});
