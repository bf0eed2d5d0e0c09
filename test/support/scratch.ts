import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.ts';

/** Runs a program to its end; a failure throws with its output. */
export function runProgram(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, [...args], {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, NO_COLOR: '1', TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0)
    throw new Error(
      `${[command, ...args].join(' ')} ended with ${result.status}:\n${result.stdout}${result.stderr}`,
    );
  return result.stdout;
}

/** What a program that must fail printed; one that succeeds throws. */
export function failureOf(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, [...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (result.status === 0) throw new Error(`${[command, ...args].join(' ')} should fail`);
  return result.stdout + result.stderr;
}

/** Builds packages and packs them as they would be published; returns the tarball of each. */
export function packAll(folders: readonly string[], target: string): readonly string[] {
  mkdirSync(target, { recursive: true });
  runProgram(
    'pnpm',
    [
      'exec',
      'turbo',
      'run',
      'build',
      '--output-logs=errors-only',
      ...folders.map((folder) => `--filter=./${folder}`),
    ],
    root,
  );
  return folders.map((folder) => {
    const packed = JSON.parse(
      runProgram('pnpm', ['pack', '--json', '--pack-destination', target], join(root, folder)),
    ) as { filename: string };
    return join(target, packed.filename.replace(/^.*[\\/]/, ''));
  });
}

/** A project outside the workspace that depends on tarballs alone, installed by npm without a network. */
export function scratchProject(
  dependencies: { readonly [name: string]: string },
  overrides: { readonly [name: string]: string },
): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'pchronicle-scratch-'));
  const file = (paths: { readonly [name: string]: string }): { readonly [name: string]: string } =>
    Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `file:${path}`]));
  const manifest = {
    name: 'scratch',
    private: true,
    type: 'module',
    dependencies: file(dependencies),
    overrides: file(overrides),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  runProgram('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Bytes of all files under a folder. */
export function bytesUnder(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
