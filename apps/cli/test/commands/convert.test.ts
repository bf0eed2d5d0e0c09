import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseActf } from '@pchronicle/format-actf';
import { equalJson, parseJson } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { actfAttempt, actfDocument, actfStep, storylineDocument, turn } from '../support/documents.ts';
import { folder, jsonLines, pchronicle } from '../support/run.ts';

const text = (taskId: string): string => JSON.stringify(actfDocument(taskId));
const story = (session: string, more: object = {}): string =>
  JSON.stringify(storylineDocument(session, [turn(1), turn(2)], more as Record<string, unknown>));

function isNormalForm(output: string, source: string): boolean {
  const normal = normaliseActf(parseJson(source).value ?? null);
  return equalJson(parseJson(output).value ?? null, normal);
}

test('ACTF to Storyline and back is the normal form (G1); stdout holds data alone', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'a.json'), text('a'));
  const there = await pchronicle(['convert', 'a.json', '--to', 'storyline'], { cwd });
  expect(there.exit).toBe(0);
  expect(there.stderr).toBe('converted 1 trajectory to 1 document of storyline; no issues\n');
  expect(JSON.parse(there.stdout)).toMatchObject({
    schema_version: 'storyline/v1',
    origin: { format: 'actf' },
  });
  const back = await pchronicle(['convert', '-', '--to', 'actf', '--quiet'], { cwd, input: there.stdout });
  expect([back.exit, back.stderr]).toEqual([0, '']);
  expect(isNormalForm(back.stdout, text('a'))).toBe(true);
});

describe('containers', () => {
  const attempts = { '1': actfAttempt([actfStep(1, 'x')]), '2': actfAttempt([actfStep(1, 'y')]) };

  test('a Storyline stands alone, several make an array; lines hold one value each', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'one.json'), story('s'));
    writeFileSync(join(cwd, 'two.json'), JSON.stringify(actfDocument('t', attempts)));
    const one = await pchronicle(['convert', 'one.json', '--to', 'storyline'], { cwd });
    expect(JSON.parse(one.stdout)).toMatchObject({ session: 's' });
    const two = await pchronicle(['convert', 'two.json', '--to', 'storyline'], { cwd });
    expect((JSON.parse(two.stdout) as unknown[]).length).toBe(2);
    const lines = await pchronicle(
      ['convert', 'one.json', 'two.json', '--to', 'storyline', '--container', 'lines'],
      { cwd },
    );
    expect(jsonLines(lines.stdout)).toHaveLength(3);
    const array = await pchronicle(
      ['convert', 'one.json', '--to', 'storyline', '--container', 'array', '--indent', '2'],
      { cwd },
    );
    expect(JSON.parse(array.stdout)).toHaveLength(1);
    expect(array.stdout).toContain('\n    "session": "s"');
  });

  test('O17: rows of several source documents fit into no one file; only -o FOLDER is named', async () => {
    const cwd = folder();
    const row = (session: string): string =>
      JSON.stringify([
        { session_id: session, step_id: 1, messages: [], response: { role: 'assistant', content: 'a' } },
      ]);
    writeFileSync(join(cwd, 'a.json'), row('a'));
    writeFileSync(join(cwd, 'b.json'), row('b'));
    for (const container of ['document', 'lines']) {
      const { exit, stdout, stderr } = await pchronicle(
        ['convert', 'a.json', 'b.json', '--to', 'openai-msg', '--container', container],
        { cwd },
      );
      expect([exit, stdout]).toEqual([2, '']);
      expect(stderr).toContain('write a file each with -o FOLDER/');
      expect(stderr).not.toContain('--container');
    }
  });

  test('G7: a first row that is none does not hide the others: lines are read, and of an array --format reads them', async () => {
    const cwd = folder();
    const rows = [{ step_id: 1 }, { session_id: 's', step_id: 1 }].map((ids) => ({
      ...ids,
      messages: [],
      response: { role: 'assistant', content: 'a' },
    }));
    writeFileSync(join(cwd, 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
    writeFileSync(join(cwd, 'rows.json'), JSON.stringify(rows));
    const unknown = await pchronicle(['convert', 'rows.json', '--to', 'storyline'], { cwd });
    expect(unknown.exit).toBe(3);
    expect(unknown.stderr).toContain('if the others are in order, name the format (--format openai-msg)');
    for (const args of [['rows.jsonl'], ['rows.json', '--format', 'openai-msg']]) {
      const { exit, stdout, stderr } = await pchronicle(
        ['convert', ...args, '--to', 'storyline', '--container', 'array'],
        { cwd },
      );
      expect(exit).toBe(1);
      expect(stderr).toContain('session_id is missing');
      expect(JSON.parse(stdout)).toMatchObject([{ session: 's' }]);
    }
  });

  test('G7: a Storyline that makes no row is told, counted out, and leaves the others alone', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), story('a'));
    writeFileSync(join(cwd, 'b.json'), JSON.stringify(storylineDocument('b', [turn(1)])));
    writeFileSync(join(cwd, 'c.json'), story('c'));
    const { exit, stderr } = await pchronicle(
      ['convert', 'a.json', 'b.json', 'c.json', '--to', 'openai-msg', '-o', 'out.json'],
      { cwd },
    );
    expect(exit).toBe(1);
    expect(stderr).toContain('openai-msg/request-without-response');
    expect(stderr).toContain('converted 2 trajectories to 1 document of openai-msg');
    const { session_steps: rows } = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'));
    expect(rows.map(({ session_id: id }: { session_id: string }) => id)).toEqual(['a', 'c']);
  });

  test('O17: several documents do not fit into one plain document; the error names -o FOLDER, and nothing is written', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    writeFileSync(join(cwd, 'b.json'), text('b'));
    const { exit, stdout, stderr } = await pchronicle(
      ['convert', 'a.json', 'b.json', '--to', 'actf', '-o', 'out.json'],
      { cwd },
    );
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /2 documents do not fit into one plain document \(cli\/several-documents\)\n {2}write a file each with -o FOLDER\/, or choose --container array or lines/,
    );
    expect(readdirSync(cwd).sort()).toEqual(['a.json', 'b.json']);
    const array = await pchronicle(['convert', 'a.json', 'b.json', '--to', 'actf', '--container', 'array'], {
      cwd,
    });
    expect((JSON.parse(array.stdout) as { task_id: string }[]).map(({ task_id }) => task_id)).toEqual([
      'a',
      'b',
    ]);
    const storylines = await pchronicle(
      ['convert', 'a.json', 'b.json', '--to', 'storyline', '--container', 'document'],
      { cwd },
    );
    expect([storylines.exit, storylines.stdout]).toEqual([2, '']);
    expect(storylines.stderr).toContain('-o FOLDER/');
  });
});

describe('output files', () => {
  test('appear whole, are never overwritten without --overwrite, and leave no temporary file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    writeFileSync(join(cwd, 'out.json'), 'mine');
    const refused = await pchronicle(['convert', 'a.json', '--to', 'storyline', '-o', 'out.json'], { cwd });
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toMatch(
      /out\.json: exists already and was left as it is \(cli\/output-exists\)\n.*--overwrite/,
    );
    expect(readFileSync(join(cwd, 'out.json'), 'utf8')).toBe('mine');
    const { exit, stdout } = await pchronicle(
      ['convert', 'a.json', '--to', 'storyline', '-o', 'out.json', '--overwrite'],
      { cwd },
    );
    expect([exit, stdout]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))).toMatchObject({
      schema_version: 'storyline/v1',
    });
    expect(readdirSync(cwd).sort()).toEqual(['a.json', 'out.json']);
  });

  test.each([['--losses'], ['--rejects'], ['-o']])(
    '%s refuses an existing file before any work',
    async (flag) => {
      const cwd = folder();
      writeFileSync(join(cwd, 'a.json'), text('a'));
      writeFileSync(join(cwd, 'there'), 'mine');
      const { exit, stdout } = await pchronicle(['convert', 'a.json', '--to', 'storyline', flag, 'there'], {
        cwd,
      });
      expect([exit, stdout]).toEqual([2, '']);
      expect(readFileSync(join(cwd, 'there'), 'utf8')).toBe('mine');
    },
  );

  test('a folder takes a file a document, named after its source, inside the folder whatever the ids say', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'logs/deep'), { recursive: true });
    const attempts = { '1': actfAttempt([actfStep(1, 'x')]), '../../2': actfAttempt([actfStep(1, 'y')]) };
    writeFileSync(join(cwd, 'logs/a.actf.json'), text('a'));
    writeFileSync(join(cwd, 'logs/deep/b.json'), JSON.stringify(actfDocument('b', attempts)));
    writeFileSync(join(cwd, 'logs/c.jsonl'), `${story('../../../etc/x')}\n${story('..')}\n`);
    const { exit, stderr } = await pchronicle(['convert', 'logs', '--to', 'storyline', '-o', 'out/'], {
      cwd,
    });
    expect(exit).toBe(0);
    expect(stderr).toMatch(/converted 5 trajectories to 5 documents of storyline in out\/; no issues/);
    expect(readdirSync(cwd).sort()).toEqual(['logs', 'out']);
    const written = readdirSync(join(cwd, 'out'), { recursive: true, withFileTypes: true });
    const names = written
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
    expect(names).toEqual(
      [
        'a.storyline.json',
        'b.1.storyline.json',
        'b..._.._2.storyline.json',
        'c.storyline.json',
        'c-2.storyline.json',
      ].sort(),
    );
    const again = await pchronicle(['convert', 'logs', '--to', 'storyline', '-o', 'out/'], { cwd });
    expect(again.exit).toBe(2);
  });

  test.skipIf(process.platform === 'win32')('a device is written to, not replaced', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const { exit } = await pchronicle(
      ['convert', 'a.json', '--to', 'storyline', '-o', '/dev/null', '--quiet'],
      { cwd },
    );
    expect(exit).toBe(0);
  });

  test('a folder that does not exist is a usage error for a file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    const { exit, stderr } = await pchronicle(
      ['convert', 'a.json', '--to', 'storyline', '-o', 'no/such/out.json'],
      { cwd },
    );
    expect(exit).toBe(2);
    expect(stderr).toMatch(/no\/such\/out\.json: cannot be written: it does not exist \(cli\/cannot-write\)/);
  });
});

describe('losses', () => {
  const foreign = story('s', { notes: 'cannot be said in ACTF', children: ['c1'] });

  test('are listed for people, written as JSON Lines with --losses, and fail with --strict', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 's.json'), foreign);
    const plain = await pchronicle(['convert', 's.json', '--to', 'actf', '--losses', 'losses.jsonl'], {
      cwd,
    });
    expect(plain.exit).toBe(0);
    expect(JSON.parse(plain.stdout)).toHaveProperty('attempts');
    expect(plain.stderr).toMatch(/^loss: .*\/children/m);
    const losses = jsonLines(readFileSync(join(cwd, 'losses.jsonl'), 'utf8'));
    expect(losses.length).toBeGreaterThan(0);
    for (const loss of losses) {
      expect(loss).toMatchObject({
        severity: 'loss',
        code: expect.stringMatching(/^[a-z-]+\/[a-z0-9-]+$/),
        at: { pointer: expect.any(String) },
      });
    }
    expect(losses.map(({ at }) => (at as { pointer: string }).pointer)).toContain('/children');
    const strict = await pchronicle(['convert', 's.json', '--to', 'actf', '--strict', '-o', 'out.json'], {
      cwd,
    });
    expect(strict.exit).toBe(1);
    expect(existsSync(join(cwd, 'out.json'))).toBe(false);
    const json = await pchronicle(['convert', 's.json', '--to', 'actf', '--json'], { cwd });
    expect(jsonLines(json.stderr).filter(({ severity }) => severity === 'loss')).toHaveLength(losses.length);
  });

  test('--carry makes the way back exact (G14)', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 's.json'), foreign);
    const there = await pchronicle(
      ['convert', 's.json', '--to', 'actf', '--carry', '--strict', '-o', 'carried.json'],
      { cwd },
    );
    expect(there.exit).toBe(0);
    const back = await pchronicle(['convert', 'carried.json', '--to', 'storyline'], { cwd });
    expect(back.exit).toBe(0);
    expect(equalJson(parseJson(back.stdout).value ?? null, parseJson(foreign).value ?? null)).toBe(true);
  });

  test('without a loss the losses file is there, and empty', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a'));
    await pchronicle(['convert', 'a.json', '--to', 'storyline', '--losses', 'l.jsonl', '--quiet'], { cwd });
    expect(readFileSync(join(cwd, 'l.jsonl'), 'utf8')).toBe('');
  });
});

describe('bad documents', () => {
  test('a rejected document leaves nothing in the output, and its bytes in the rejects', async () => {
    const cwd = folder();
    const bad =
      '{"schema_version":"storyline/v1","session":"bad","agent":{"id":"x"},"turns":[{"id":1,"src":"user"}]}';
    writeFileSync(join(cwd, 'x.json'), `[\n${story('a')},\n  ${bad}  ,${story('b')}\n]`);
    const { exit, stdout, stderr } = await pchronicle(
      ['convert', 'x.json', '--to', 'storyline', '--rejects', 'r.json', '--json'],
      { cwd },
    );
    expect(exit).toBe(1);
    expect((JSON.parse(stdout) as { session: string }[]).map(({ session }) => session)).toEqual(['a', 'b']);
    expect(readFileSync(join(cwd, 'r.json'), 'utf8')).toBe(bad);
    const errors = jsonLines(stderr).filter(({ severity }) => severity === 'error');
    expect(errors[0]?.at).toMatchObject({
      source: 'x.json',
      record: 2,
      pointer: expect.stringMatching(/turns\/0/),
    });
  });

  test('nothing good: no output file, exit 1', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), text('a').slice(0, -9));
    const { exit, stdout, stderr } = await pchronicle(
      ['convert', 'a.json', '--from', 'actf', '--to', 'storyline', '-o', 'out.json'],
      { cwd },
    );
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/nothing was written; 1 error/);
    expect(readdirSync(cwd)).toEqual(['a.json']);
  });

  test('an unknown file beside a good one: the good one is converted, exit 3', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), story('a'));
    writeFileSync(join(cwd, 'b.json'), '{"not":"known"}');
    const { exit, stdout } = await pchronicle(['convert', 'a.json', 'b.json', '--to', 'storyline'], { cwd });
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ session: 'a' });
  });

  test('salvage keeps the good attempts of a bad document (G7)', async () => {
    const cwd = folder();
    const attempts = { '1': actfAttempt([actfStep(1, 'fine')]), '2': actfAttempt([], { trajectory: 'bad' }) };
    writeFileSync(join(cwd, 'x.json'), JSON.stringify(actfDocument('x', attempts)));
    const { exit, stdout } = await pchronicle(
      ['convert', 'x.json', '--to', 'storyline', '--salvage', '--quiet', '--rejects', 'left-out.json'],
      { cwd },
    );
    expect(exit).toBe(1);
    expect(readFileSync(join(cwd, 'left-out.json'), 'utf8')).toBe(readFileSync(join(cwd, 'x.json'), 'utf8'));
    expect(JSON.parse(stdout)).toMatchObject({ attempt_id: '1' });
  });
});

test('an empty input from a pipe exits with 3', async () => {
  const { exit, stdout, stderr } = await pchronicle(['convert', '-', '--to', 'storyline'], { input: '' });
  expect([exit, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^error: -: the file is empty \(cli\/empty-input\)/);
});
