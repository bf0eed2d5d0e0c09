import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf } from '../support/alignment.ts';
import { actfAttempt, actfDocument, actfStep } from '../support/documents.ts';
import { folder, pchronicle } from '../support/run.ts';

const call = (id: string, output: string) => ({ id, command: 'ls', output });

function write(cwd: string, name: string, steps: ReturnType<typeof actfStep>[], task = 'task-1'): string {
  writeFileSync(join(cwd, name), JSON.stringify(actfDocument(task, { '1': actfAttempt(steps) })));
  return name;
}

describe('diff', () => {
  test('two files that agree but for ids and times: exit 0', async () => {
    const cwd = folder();
    write(cwd, 'a.json', [actfStep(1, 'one', call('x', 'out')), actfStep(2, 'two')]);
    write(cwd, 'b.json', [actfStep(1, 'one', call('y', 'out')), actfStep(2, 'two')]);
    const ran = await pchronicle(['diff', 'a.json', 'b.json'], { cwd });
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('equal: 2 turns');
    const strict = await pchronicle(['diff', 'a.json', 'b.json', '--no-ignore-defaults', '--json'], { cwd });
    expect(strict.exit).toBe(1);
    expect(
      JSON.parse(strict.stdout).first.changes.map((change: { pointer: string }) => change.pointer),
    ).toEqual([
      '/turns/0/tool_calls/0/tcid',
      '/turns/0/observation/results/0/tool_use_id',
      '/turns/0/observation/results/0/source_call_id',
    ]);
  });

  test('a changed result, an inserted turn: places, classes, counts, exit 1', async () => {
    const cwd = folder();
    write(cwd, 'a.json', [actfStep(1, 'one', call('x', 'out')), actfStep(2, 'two'), actfStep(3, 'three')]);
    write(cwd, 'b.json', [
      actfStep(1, 'one', call('x', 'other')),
      actfStep(2, 'two'),
      actfStep(3, 'new'),
      actfStep(4, 'three'),
    ]);
    const ignore = ['--ignore', '/turns/*/reason', '--ignore', '/turns/*/metrics'];
    const ran = await pchronicle(['diff', 'a.json', 'b.json', '--json', ...ignore], { cwd });
    expect(ran.exit).toBe(1);
    const result = JSON.parse(ran.stdout);
    expect(result.first).toMatchObject({ class: 'output', kind: 'changed', left: 0, right: 0 });
    expect(result.counts).toEqual({ equal: 2, changed: 1, removed: 0, inserted: 1, moved: 0 });
    expect(blocksOf(result)).toEqual([
      ['changed', 0, 0, 1],
      ['equal', 1, 1, 1],
      ['inserted', 2, 2, 1],
      ['equal', 2, 3, 1],
    ]);
    const text = await pchronicle(['diff', 'a.json', 'b.json', ...ignore], { cwd });
    expect(text.stdout).toContain(
      'first divergence: turn 1: output at /turns/0/observation/results/0/content',
    );
    expect(text.stdout).toContain('2 equal, 1 changed, 1 inserted');
    const beside = await pchronicle(['diff', 'a.json', 'b.json', '--side-by-side', ...ignore], { cwd });
    expect(beside.stdout).toMatch(/1 agent one.* \| +1 agent one/);
    expect(beside.stdout).toMatch(/> +3 agent new/);
  });

  test('FILE#ID picks one of several; without it the candidates are listed', async () => {
    const cwd = folder();
    const attempts = { '1': actfAttempt([actfStep(1, 'a')]), '2': actfAttempt([actfStep(1, 'b')]) };
    writeFileSync(join(cwd, 'two.json'), JSON.stringify(actfDocument('task-1', attempts)));
    const several = await pchronicle(['diff', 'two.json', 'two.json'], { cwd });
    expect(several.exit).toBe(2);
    expect(several.stderr).toContain('cli/several-trajectories');
    expect(several.stderr).toContain('#attempt-2');
    const picked = await pchronicle(['diff', 'two.json#1', 'two.json#2', '--json'], { cwd });
    expect(picked.exit).toBe(1);
    expect(JSON.parse(picked.stdout).first.changes).toEqual([
      { op: 'replace', pointer: '/turns/0/msg', left: 'a', right: 'b' },
    ]);
    const none = await pchronicle(['diff', 'two.json#3', 'two.json#2'], { cwd });
    expect([none.exit, none.stderr.includes('cli/no-such-trajectory')]).toEqual([2, true]);
  });

  test('a file against a trajectory of the store', async () => {
    const cwd = folder();
    write(cwd, 'a.json', [actfStep(1, 'one')], 'stored');
    write(cwd, 'b.json', [actfStep(1, 'two')], 'stored');
    expect((await pchronicle(['import', 'a.json', '--store', 's'], { cwd })).exit).toBe(0);
    const same = await pchronicle(['diff', 'stored', 'a.json', '--store', 's'], { cwd });
    expect(same.exit).toBe(0);
    const other = await pchronicle(['diff', 'stored', 'b.json', '--store', 's'], { cwd });
    expect(other.exit).toBe(1);
  });

  test('what cannot be read or is no pointer is refused', async () => {
    const cwd = folder();
    write(cwd, 'a.json', [actfStep(1, 'one')]);
    writeFileSync(join(cwd, 'broken.json'), '{"task_id":');
    expect((await pchronicle(['diff', 'a.json', 'missing.json'], { cwd })).exit).toBe(3);
    expect((await pchronicle(['diff', 'a.json', 'broken.json'], { cwd })).exit).toBe(3);
    const pointer = await pchronicle(['diff', 'a.json', 'a.json', '--ignore', 'turns'], { cwd });
    expect([pointer.exit, pointer.stderr.includes('RFC 6901')]).toEqual([2, true]);
  });
});

describe('check', () => {
  test('one line a trajectory, exit 1 when one fails, JSON and JUnit say the same', async () => {
    const cwd = folder();
    const document = (third: string, keys: readonly string[]) =>
      JSON.stringify(
        actfDocument(
          'task-1',
          Object.fromEntries(
            keys.map((key) => [key, actfAttempt([actfStep(1, key === '3' ? third : 'same')])]),
          ),
        ),
      );
    writeFileSync(join(cwd, 'baseline.json'), document('old <&"', ['1', '2', '3']));
    writeFileSync(join(cwd, 'current.json'), document('new', ['1', '3', '4']));
    const ran = await pchronicle(
      [
        'check',
        'baseline.json',
        'current.json',
        '--junit',
        'report.xml',
        '--ignore',
        '/task',
        '--ignore',
        '/final_metrics',
      ],
      { cwd },
    );
    expect(ran.exit).toBe(1);
    expect(ran.stdout.trimEnd().split('\n')).toEqual([
      '✓ task-1#attempt-1: equal, 1 turn',
      '✗ task-1#attempt-2: only in the baseline',
      '✗ task-1#attempt-3: turn 1: output at /turns/0/msg · 1 changed',
      '✗ task-1#attempt-4: not in the baseline',
    ]);
    const report = readFileSync(join(cwd, 'report.xml'), 'utf8');
    expect(report).toContain('<testsuite name="baseline.json" tests="4" failures="3">');
    expect(report).toContain('old &lt;&amp;');
    const json = await pchronicle(
      [
        'check',
        'baseline.json',
        'current.json',
        '--json',
        '--fail-on',
        'extra',
        '--ignore',
        '/task',
        '--ignore',
        '/final_metrics',
      ],
      { cwd },
    );
    expect(json.exit).toBe(1);
    const result = JSON.parse(json.stdout);
    expect([result.passed, result.failed]).toEqual([3, 1]);
    expect(result.trajectories[2]).toMatchObject({
      id: 'task-1#attempt-3',
      status: 'differs',
      failed: false,
      findings: ['output'],
    });
    const kept = await pchronicle(['check', 'baseline.json', 'current.json', '--junit', 'report.xml'], {
      cwd,
    });
    expect([kept.exit, kept.stderr.includes('cli/output-exists')]).toEqual([2, true]);
  });

  test('a wrong finding is a usage error', async () => {
    expect((await pchronicle(['check', 'a', 'b', '--fail-on', 'nonsense'])).exit).toBe(2);
  });
});
