import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf } from '../support/alignment.ts';
import { folder, pchronicle } from '../support/run.ts';

type Event = { event_id: number; ts: string; type: string; payload: unknown };

function artifact(runId: string, events: readonly Event[]): string {
  return JSON.stringify({
    run_id: runId,
    schema_version: '1.0',
    forkline_version: '0.5.0',
    entrypoint: 'agent.py',
    started_at: '2026-08-01T00:00:00+00:00',
    ended_at: '2026-08-01T00:01:00+00:00',
    status: 'success',
    metadata: { python_version: '3.11.7', platform: 'linux', cwd: '' },
    events,
  });
}

function events(
  count: number,
  seconds: number,
  over: (index: number) => string = (index) => `answer ${index}`,
): Event[] {
  return Array.from({ length: count }, (_, index) => ({
    event_id: index + 1,
    ts: `2026-08-01T00:00:${String(seconds).padStart(2, '0')}+00:00`,
    type: 'output',
    payload: { text: over(index), filler: 'x'.repeat(300) },
  }));
}

describe('Forkline on the command line', () => {
  test('long runs are compared without their equal beginning, with the same outcome as whole', async () => {
    const cwd = folder();
    const inserted = events(12_000, 2, (index) =>
      index < 11_000 ? `answer ${index}` : index === 11_000 ? 'new' : `answer ${index - 1}`,
    );
    writeFileSync(join(cwd, 'a.json'), artifact('a', events(12_000, 1)));
    writeFileSync(join(cwd, 'b.json'), artifact('b', inserted));
    const short = await pchronicle(['diff', 'a.json', 'b.json', '--json'], { cwd });
    expect(short.exit).toBe(1);
    const result = JSON.parse(short.stdout);
    expect(blocksOf(result)).toEqual([
      ['equal', 0, 0, 11_000],
      ['inserted', 11_000, 11_000, 1],
      ['equal', 11_000, 11_001, 999],
      ['removed', 11_999, 12_000, 1],
    ]);
    expect(result.first).toMatchObject({
      class: 'extra',
      left: 11_000,
      right: 11_000,
      changes: [{ pointer: '/turns/11000' }],
    });
    expect([result.left.turns, result.right.turns]).toEqual([12_000, 12_000]);
    // --compat reads both sides whole.
    const whole = JSON.parse(
      (await pchronicle(['diff', 'a.json', 'b.json', '--json', '--compat'], { cwd })).stdout,
    );
    expect({ ...whole, left: 0, right: 0 }).toEqual({ ...result, left: 0, right: 0 });
  });

  test('--compat writes the text that Forkline writes; a .db file is a database that reads back', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), artifact('a', events(2, 1)));
    const compat = await pchronicle(['convert', 'a.json', '--to', 'forkline', '--compat'], { cwd });
    expect(compat.exit).toBe(0);
    expect(compat.stdout.startsWith('{\n  "')).toBe(true);
    expect(compat.stdout.endsWith('}')).toBe(true);
    expect((await pchronicle(['convert', 'a.json', '--to', 'forkline', '-o', 'runs.db'], { cwd })).exit).toBe(
      0,
    );
    expect(readFileSync(join(cwd, 'runs.db')).toString('latin1', 0, 15)).toBe('SQLite format 3');
    const again = await pchronicle(['convert', 'a.json', '--to', 'forkline', '-o', 'runs.db'], { cwd });
    expect([again.exit, again.stderr.includes('cli/output-exists')]).toEqual([2, true]);
    expect((await pchronicle(['diff', 'a.json', 'runs.db'], { cwd })).exit).toBe(0);
    expect(existsSync(join(cwd, 'runs.db-wal'))).toBe(false);
  });
});
