import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { statsTable } from '../../src/stats/table.ts';
import { createStyle } from '../../src/terminal/style.ts';
import { displayWidth } from '../../src/terminal/width.ts';
import { storylineDocument, turn } from '../support/documents.ts';
import { filledFolder } from '../support/filled.ts';
import { keepFolder } from '../support/keep-folder.ts';
import { folder, pchronicle } from '../support/run.ts';

let cwd = '';
beforeAll(async () => {
  const kept = keepFolder(await filledFolder());
  cwd = kept.path;
  return kept.remove;
});

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { exit, stdout, stderr } = await pchronicle(['stats', ...args, '--json'], { cwd });
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('stats', () => {
  test('overview is the default; --json has a stable shape', async () => {
    expect(await json()).toEqual({
      summary: 'overview',
      rows: [
        {
          storylines: 4,
          tasks: 3,
          sources: 3,
          formats: 1,
          steps: 5,
          tool_calls: 3,
          failed_tool_calls: 0,
          prompt_tokens: 303,
          completion_tokens: 33,
          judged: 3,
          correct: 2,
          pass_rate: 0.6667,
          first_time: '2026-08-01T00:00:00Z',
          last_time: '2026-08-01T00:01:00Z',
        },
      ],
    });
    const { stdout } = await pchronicle(['stats'], { cwd });
    expect(stdout).toMatch(/^trajectories {2}4, of 3 tasks, from 3 sources$/m);
    expect(stdout).toMatch(/^judged {8}3, 2 correct \(66\.7%\) {2}█████████████▍$/m);
  });

  test('tools, models and outcomes, as JSON and as tables with bars', async () => {
    expect(await json('tools')).toMatchObject({
      summary: 'tools',
      rows: [{ tool: 'bash', calls: 3, storylines: 3, failures: 0, without_result: 0 }],
    });
    const tools = await pchronicle(['stats', 'tools'], { cwd });
    expect(tools.stdout).toMatch(/^TOOL +CALLS .*\nbash +3 .* █{20}\n$/);
    expect((await json('models')).rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ turns: 4, prompt_tokens: 303, completion_tokens: 33 }),
      ]),
    );
    const outcomes = await json('outcomes');
    expect(outcomes.rows).toMatchObject([
      { task: 'task-b', attempts: 1, correct: 1, pass_rate: 1, mean_score: 1 },
      { task: 'task-a', attempts: 2, correct: 1, pass_rate: 0.5, mean_score: 0.625 },
      { task: 'nightly', attempts: 1, correct: 0, pass_rate: null },
    ]);
    // None of them names a model.
    expect(outcomes.pass_at_k).toEqual([
      { model: null, k: 1, tasks: 2, pass_at_k: 0.75 },
      { model: null, k: 2, tasks: 1, pass_at_k: 1 },
    ]);
    expect((await json('outcomes', '--by', 'source')).rows).toMatchObject([
      { task: 'task-b', source: 'in/b.json' },
      { task: 'task-a', source: 'in/a.json', attempts: 2 },
      { task: 'nightly', source: 'in/s.storyline.json' },
    ]);
    expect((await json('outcomes', '--by', 'none')).pass_at_k).toEqual([
      { k: 1, tasks: 2, pass_at_k: 0.75 },
      { k: 2, tasks: 1, pass_at_k: 1 },
    ]);
    const other = await pchronicle(['stats', 'tools', '--by', 'model'], { cwd });
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('cli/not-grouped')]);
    const shown = await pchronicle(['stats', 'outcomes', '--limit', '2'], { cwd });
    expect(shown.stdout).toMatch(/^task-a +2 +1 +50% +0\.625 +completed {2}█{10}$/m);
    expect(shown.stdout).not.toContain('nightly');
    expect(shown.stdout).toMatch(/\n\nK +TASKS +PASS AT K\n1 +2 +75% {2}█{15}\n/);
    expect(shown.stderr).toBe('tasks by pass rate: the first 2 of 3; --limit shows more\n');
  });

  test('--where looks at some trajectories alone', async () => {
    expect((await json('outcomes', '--where', 'correct')).rows).toMatchObject([
      { task: 'task-a', attempts: 1, pass_rate: 1 },
      { task: 'task-b', attempts: 1, pass_rate: 1 },
    ]);
    expect(await json('outcomes', '--where', 'false')).toMatchObject({ rows: [], pass_at_k: [] });
    const wrong = await pchronicle(['stats', '--where', 'corect'], { cwd });
    expect([wrong.exit, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/\n {2}corect\n {2}\^\n/);
  });

  test('an empty store has every summary; bars and tables fit a narrow terminal; no colours where none are wanted', async () => {
    const empty = folder();
    writeFileSync(join(empty, 'a.json'), JSON.stringify(storylineDocument('s', [turn(1)])));
    await pchronicle(['import', 'a.json', '--quiet'], { cwd: empty });
    await pchronicle(['store', 'delete', 's', '--yes'], { cwd: empty });
    for (const summary of ['overview', 'tools', 'models', 'outcomes']) {
      const { exit, stdout } = await pchronicle(['stats', summary], {
        cwd: empty,
        env: { FORCE_COLOR: '1', NO_COLOR: '1' },
      });
      expect(exit).toBe(0);
      expect(stdout).toMatch(/^(trajectories {2}0, of 0 tasks, from 0 sources|(TOOL|MODEL|TASK) .*)\n/);
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(/NaN|null|undefined|Infinity/);
    }
    const rows = Array.from({ length: 5 }, (_, index) => [
      `a tool with a long name ${'x'.repeat(60)}`,
      10 ** index,
    ]);
    const columns = [
      { name: 'tool', type: 'VARCHAR' },
      { name: 'calls', type: 'BIGINT' },
    ];
    const style = createStyle(false);
    for (const width of [32, 40, 80]) {
      const text = statsTable('tools', { title: '', columns, rows }, { width, style, limit: 9 });
      for (const line of text.split('\n'))
        expect(displayWidth(line), `${width}: ${line}`).toBeLessThanOrEqual(width);
      expect(text.split('\n')).toHaveLength(6);
    }
  });

  test('ids narrow; a wrong summary is a usage error', async () => {
    expect(await json('tools', '--run', 'task-a')).toMatchObject({ rows: [{ calls: 2 }] });
    expect(await json('tools', '--run', 'nightly')).toMatchObject({ rows: [] });
    const wrong = await pchronicle(['stats', 'tolls'], { cwd });
    expect([wrong.exit, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/Allowed choices are overview, tools, models, outcomes/);
  });
});
