// What every script of the repository shares: the root folder, pnpm on PATH, an installed and built workspace.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };

/** Runs a program in the root folder with the terminal's own streams; returns its exit code. */
export function run(command, args, options = {}) {
  // npm and pnpm are .cmd files on Windows, which only a shell can start.
  const shell = process.platform === 'win32';
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment,
    shell,
    ...options,
  });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** Runs a program without showing its output, unless it fails: then the output is shown and this process ends with its exit code. */
export function must(command, args) {
  const shell = process.platform === 'win32';
  const options = {
    cwd: root,
    env: { ...environment, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell,
  };
  const result = spawnSync(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  if (result.status === 0) return;
  console.error(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`);
  console.error(`${[command, ...args].join(' ')} failed with exit code ${result.status}`);
  process.exit(result.status || 1);
}

/**
 * Makes sure that `pnpm` on PATH is the version package.json names. A machine that has only Node and npm does not have it:
 * then this script starts again under `npm exec`, which fetches pnpm into npm's own cache and puts it on PATH.
 */
export function ensurePnpm() {
  const wanted = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
    .packageManager.split('@')[1]
    .split('+')[0];
  const shell = process.platform === 'win32';
  const found = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8', shell });
  if (found.status === 0 && found.stdout.trim() === wanted) return;
  if (process.env.PCHRONICLE_PNPM === wanted)
    throw new Error(`npm exec did not give pnpm ${wanted} (found: ${found.stdout?.trim() || 'none'})`);
  const again = [process.execPath, ...process.argv.slice(1)];
  const code = run('npm', ['exec', '--yes', `--package=pnpm@${wanted}`, '--', ...again], {
    env: { ...environment, PCHRONICLE_PNPM: wanted },
  });
  process.exit(code);
}

/** Installs from the lockfile what is missing; costs a fraction of a second when nothing is. Not `frozen`: a new package may change the lockfile. */
export function install({ frozen = true } = {}) {
  must('pnpm', ['install', frozen ? '--frozen-lockfile' : '--no-frozen-lockfile', '--prefer-offline']);
}

/** Compiles every package to its dist/ folder, through turbo's cache. */
export function build() {
  must('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only', '--ui=stream']);
}

/** From any clone, fresh or not, to one that runs: what `npm test` and `npm run demo` do first. */
export function prepare() {
  ensurePnpm();
  install();
  build();
}
