import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { actfAttempt, actfDocument, actfStep, storylineDocument, turn } from './documents.ts';
import { folder, pchronicle } from './run.ts';

/**
 * A folder with a store of four trajectories: `task-a` with attempts 1 (correct) and 2 (not), `task-b` (correct), all ACTF with one bash
 * call each; and the Storyline `s1` of run `nightly`, with Chinese, a control character and `zebra` after a line break, a tab and a quote.
 */
export async function filledFolder(): Promise<string> {
  const cwd = folder();
  mkdirSync(join(cwd, 'in'));
  const call = (id: string) => [actfStep(1, 'look', { id, command: `echo ${id}`, output: 'total 0' })];
  const attempts = {
    '1': actfAttempt(call('c1')),
    '2': actfAttempt(call('c2'), { correct: false, score: 0.25 }),
  };
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(cwd, 'in', name), JSON.stringify(value));
  write('a.json', actfDocument('task-a', attempts));
  write('b.json', actfDocument('task-b', { '1': actfAttempt(call('c3')) }));
  const turns = [turn(1, '请汇总销售数据 \u001b[31m'), turn(2, 'a\nzebra\t"zebra"')];
  write('s.storyline.json', storylineDocument('s1', turns, { run: 'nightly' }));
  const { exit } = await pchronicle(['import', 'in', '--quiet'], { cwd });
  expect(exit).toBe(0);
  return cwd;
}
