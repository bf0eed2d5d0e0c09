// Generated files must be what their generators give: runs every package's `generate` script and compares.
// A package with a generated file must have such a script.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePnpm, root, run } from './workspace.mjs';

ensurePnpm();

function generatedFiles() {
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', 'packages', 'apps'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (listed.status !== 0) throw new Error(listed.stderr);
  const names = listed.stdout
    .split('\0')
    .filter((name) => name.includes('.generated.') && existsSync(join(root, name)));
  return new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

const faults = [];
const before = generatedFiles();
for (const name of before.keys()) {
  const manifest = JSON.parse(
    readFileSync(join(root, name.split('/').slice(0, 2).join('/'), 'package.json'), 'utf8'),
  );
  if (manifest.scripts?.generate === undefined) faults.push(`${name}: its package has no "generate" script`);
}
if (run('pnpm', ['--recursive', '--if-present', 'run', 'generate']) !== 0)
  faults.push('a generate script failed');
const after = generatedFiles();
for (const name of new Set([...before.keys(), ...after.keys()])) {
  if (before.get(name) === after.get(name)) continue;
  faults.push(`${name}: differs from what its generator gives`);
  if (before.has(name)) writeFileSync(join(root, name), before.get(name)); // a check changes nothing
}
for (const fault of faults) console.error(fault);
console.log(`${before.size} generated files, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
