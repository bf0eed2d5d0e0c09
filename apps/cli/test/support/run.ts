import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';

/** The real bin; it runs from dist/, which `npm test` builds first. */
export const bin = fileURLToPath(new URL('../../bin/pchronicle.js', import.meta.url));

if (!existsSync(new URL('../../dist/index.js', import.meta.url))) {
  throw new Error('apps/cli/dist is not built: run `pnpm build` first');
}

/** How one run of the command ended. */
export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Buffer;
}

/** How a command is run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Record<string, string>;
  readonly node?: readonly string[];
}

/** Runs `pchronicle` with these arguments in a child process. Every run, however it ends, must show no stack trace. */
export async function pchronicle(arguments_: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = start(arguments_, options);
  const ended = collect(child);
  child.stdin?.on('error', () => {}); // it may end before it has read everything
  child.stdin?.end(options.input ?? '');
  return await ended;
}

/** Starts `pchronicle` without waiting for it; the caller talks to it. */
export function start(arguments_: readonly string[], options: RunOptions & SpawnOptions = {}) {
  const { node = [], input: _, env, cwd = folder(), ...rest } = options;
  return spawn(process.execPath, [...node, bin, ...arguments_], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...rest,
    cwd,
    env: { ...cleanEnvironment(), ...env },
  });
}

/** Waits for a child to end and gathers what it wrote. */
export async function collect(child: ReturnType<typeof start>): Promise<Ran> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => stdout.push(data));
  child.stderr?.on('data', (data: Buffer) => stderr.push(data));
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code));
  });
  const bytes = Buffer.concat(stdout);
  const ran = {
    exit,
    stdout: bytes.toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
    stdoutBytes: bytes,
  };
  expectNoStackTrace(ran);
  return ran;
}

/** Nothing that looks like a stack trace or an unhandled error was shown. */
export function expectNoStackTrace({ stdout, stderr, exit }: Ran): void {
  for (const text of [stdout, stderr]) {
    expect(text).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
    expect(text).not.toMatch(/node:internal|UnhandledPromiseRejection|\(node:\d+\)|file:\/\/\//);
  }
  expect(exit).not.toBe(5);
}

function cleanEnvironment(): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const name of [
    'PCHRONICLE_STORE',
    'PCHRONICLE_DEBUG',
    'NO_COLOR',
    'FORCE_COLOR',
    'PAGER',
    'NODE_OPTIONS',
  ]) {
    delete env[name];
  }
  return env;
}

const folders: string[] = [];

/** A fresh folder, gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pchronicle-cli-test-'));
  folders.push(path);
  return path;
}

afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** The JSON objects of JSON Lines. */
export function jsonLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
