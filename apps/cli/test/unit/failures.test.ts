import { afterEach, expect, test, vi } from 'vitest';
import { reportCrash } from '../../src/crash.ts';
import { EXIT, type ExitCode, worstExit } from '../../src/exit.ts';
import { Failure, failureIssue, systemReason } from '../../src/failure.ts';
import { createNotes, type Notes } from '../../src/terminal/notes.ts';

/** Notes that are kept instead of written. */
function kept(json = false): { notes: Notes; lines: string[] } {
  const lines: string[] = [];
  const notes: Notes = Object.assign(createNotes({ color: false, json }), {
    insist: (line: string) => {
      lines.push(line);
    },
  });
  return { notes, lines };
}

afterEach(() => vi.unstubAllEnvs());

test('the first that applies of 130, 5, 4, 3, 1 is the exit code', () => {
  const all = [EXIT.findings, EXIT.input, EXIT.done, EXIT.store] as const;
  expect(all.reduce<ExitCode>(worstExit, EXIT.done)).toBe(4);
  expect(worstExit(EXIT.interrupted, EXIT.internal)).toBe(130);
  expect(worstExit(EXIT.findings, EXIT.input)).toBe(3);
  expect(worstExit(EXIT.done, EXIT.findings)).toBe(1);
});

test('an internal error says how to report it, and shows its stack only with PCHRONICLE_DEBUG=1', () => {
  const quiet = kept();
  expect(reportCrash(new TypeError('x is \u001b[2Jnot a function'), quiet.notes)).toBe(5);
  const text = quiet.lines.join('\n');
  expect(text).toMatch(
    /^error: an internal error: x is \\u001b\[2Jnot a function \(cli\/internal\)\n {2}this is a fault of pchronicle/,
  );
  expect(text).toMatch(/please report it .* pchronicle \d.*, Node v\d/);
  expect(text).not.toMatch(/^\s+at /m);
  vi.stubEnv('PCHRONICLE_DEBUG', '1');
  const loud = kept();
  reportCrash(new TypeError('x'), loud.notes);
  expect(loud.lines.join('\n')).toMatch(/^\s+at .*failures\.test\.ts/m);
});

test('what the store throws exits with 4 under its own code; what the system refuses says so', () => {
  const store = kept();
  const error = Object.assign(new Error('rows are missing'), { name: 'StoreError', code: 'store/damaged' });
  expect(reportCrash(error, store.notes)).toBe(4);
  expect(store.lines).toEqual([
    'error: rows are missing (store/damaged)',
    '  pchronicle store verify names the files and the trajectories that are hit; --skip-damaged reads all others',
  ]);
  const full = kept(true);
  const enospc = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  expect(reportCrash(enospc, full.notes)).toBe(5);
  expect(JSON.parse(full.lines[0] ?? '')).toEqual({
    code: 'cli/system',
    severity: 'error',
    message: 'the system refused: the disk is full (ENOSPC)',
    at: { pointer: '' },
  });
});

test('a failure as an issue has its hint and its details in the message', () => {
  const failure = new Failure(EXIT.store, 'cli/ambiguous-id', '"x" names 2 trajectories', {
    source: 'a.json',
    details: ['k1', 'k2'],
    hint: 'use the key',
  });
  expect(failureIssue(failure)).toEqual({
    code: 'cli/ambiguous-id',
    severity: 'error',
    message: '"x" names 2 trajectories; k1; k2; use the key',
    at: { source: 'a.json', pointer: '' },
  });
});

test('system errors in words, without paths', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/secret/path'"), {
    code: 'EACCES',
    syscall: 'open',
  });
  expect(systemReason(error)).toBe('permission denied');
});
