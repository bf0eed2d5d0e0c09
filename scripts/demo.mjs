// `npm run demo`: from a fresh clone to a proof, on a machine that has only Node and npm.
// Installs and builds what is missing, imports the bundled example into a fresh store, lists it, shows one trajectory, exports it, and
// proves that what comes out is the normal form of what went in. Exits with 1 if it is not.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root, run } from './workspace.mjs';

const bin = join(root, 'apps/cli/bin/pchronicle.js');
const examples = join(root, 'examples/actf');

console.log('Installing and building what is missing (the first time takes a minute) …');
prepare();

const folder = mkdtempSync(join(tmpdir(), 'pchronicle-demo-'));
let same = true;
try {
  mkdirSync(join(folder, 'examples'));
  const files = readdirSync(examples).filter((name) => name.endsWith('.actf.json'));
  if (files.length === 0) throw new Error('examples/actf holds no example');
  for (const name of files) copyFileSync(join(examples, name), join(folder, 'examples', name));

  pchronicle('detect', 'examples');
  pchronicle('import', 'examples', '--store', 'trajectories');
  pchronicle('ls', '--store', 'trajectories');
  const runs = JSON.parse(output('ls', '--store', 'trajectories', '--json')).runs;
  pchronicle('show', runs[0].document_key.slice(0, 8), '--store', 'trajectories', '--turns', '1-3');
  pchronicle('import', 'examples', '--store', 'trajectories');
  pchronicle('export', '--store', 'trajectories', '--to', 'actf', '--indent', '2', '-o', 'exported/');
  same = await prove(files);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(same ? 0 : 1);

/** Shows a command, then runs it; the tour ends where one fails. */
function pchronicle(...args) {
  console.log(`\n$ pchronicle ${args.join(' ')}`);
  const code = run(process.execPath, [bin, ...args], { cwd: folder, shell: false });
  if (code !== 0) {
    console.error(`pchronicle ended with exit code ${code}`);
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  }
}

/** Runs a command for what it prints. */
function output(...args) {
  const { status, stdout } = spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`pchronicle ${args.join(' ')} ended with exit code ${status}`);
  return stdout;
}

/** Compares every exported document with the normal form of the one it came from, and prints the rewrites (decision G1). */
async function prove(files) {
  const built = (path) => import(pathToFileURL(join(root, 'packages', path)).href);
  const core = await built('storyline-core/dist/index.js');
  const { listChanges } = await built('storyline-core/dist/diff/list-changes.js');
  const { normaliseActf } = await built('format-actf/dist/index.js');
  const read = (...path) => {
    const { value, issues } = core.parseJson(readFileSync(join(folder, ...path)));
    if (value === undefined) throw new Error(`${path.join('/')}: ${issues[0].message}`);
    return value;
  };
  const exported = new Map();
  for (const name of readdirSync(join(folder, 'exported'), { recursive: true })) {
    if (!name.endsWith('.json')) continue;
    const document = read('exported', name);
    exported.set(document.task_id, document);
  }
  console.log('\nIs what came out the normal form of what went in?');
  let all = exported.size === files.length;
  if (!all) console.log(`✗ ${files.length} documents went in, ${exported.size} came out`);
  for (const name of files) {
    const source = read('examples', name);
    const normal = normaliseActf(source);
    const out = exported.get(source.task_id);
    const equal = out !== undefined && core.equalJson(out, normal);
    all = all && equal;
    const rewrites = listChanges(source, normal, '', 'typed');
    console.log(
      `${equal ? '✓' : '✗'} ${name}: ${Object.keys(source.attempts).length} attempts, ${rewrites.length} rewrites by the rules of the format:`,
    );
    for (const change of rewrites) console.log(`    ${rewriteLine(change)}`);
    if (equal || out === undefined) continue;
    console.log('  but these places came out differently:');
    for (const change of listChanges(normal, out, '', 'typed')) console.log(`    ${rewriteLine(change)}`);
  }
  console.log(
    all
      ? '\nYes: what came out is the normal form of what went in. Every rewrite is listed here, and every loss of the event array that a\ncanonical ACTF trajectory has no place for is listed at the export; with --carry even those travel along and come back.'
      : '\nNo: something is wrong.',
  );
  return all;
}

/** One rewrite as a line: the pointer, what was there, what is there now. */
function rewriteLine({ op, pointer, left, right }) {
  const brief = (value) => {
    const text = JSON.stringify(value);
    return text.length > 60 ? `${text.slice(0, 59)}…` : text;
  };
  if (op === 'add') return `${pointer}  added ${brief(right)}`;
  if (op === 'remove') return `${pointer}  removed ${brief(left)}`;
  return `${pointer}  ${brief(left)} → ${brief(right)}`;
}
