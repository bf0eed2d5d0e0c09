// `npm test`: installs and builds what is missing, runs every test, and ends with one plain line of counts.
// Arguments go to vitest: `npm test -- packages/format-actf`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, run } from './workspace.mjs';

prepare();

const folder = mkdtempSync(join(tmpdir(), 'pchronicle-test-'));
const countsFile = join(folder, 'counts.json');
let code = run(
  'pnpm',
  [
    'exec',
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=./scripts/counts-reporter.mjs',
    ...process.argv.slice(2),
  ],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PCHRONICLE_COUNTS: countsFile },
  },
);

let counts;
try {
  counts = JSON.parse(readFileSync(countsFile, 'utf8'));
} catch {
  counts = { passed: 0, failed: 1, skipped: 0 }; // vitest ended before it could report
}
rmSync(folder, { recursive: true, force: true });
if (counts.failed > 0 && code === 0) code = 1;
if (counts.passed === 0 && code === 0) code = 1; // a filter that matches nothing has shown nothing
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(code);
