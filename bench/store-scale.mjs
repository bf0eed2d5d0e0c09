// Cost against size: runs store-import.mjs for each number of steps and prints a Markdown table, under the machine, versions and commit.
//
//   node bench/store-scale.mjs [steps…=1000 10000 100000 1000000]
//
// Everything lies in temporary folders (TMPDIR), which are removed; a million steps take some 2 GB there, and about ten minutes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000];
const script = fileURLToPath(new URL('./store-import.mjs', import.meta.url));

const store = createRequire(new URL('../packages/store-lance/package.json', import.meta.url));
const versionOf = (name) => {
  const { dependencies } = store('./package.json');
  return dependencies[name];
};
const git = (...args) =>
  spawnSync('git', args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  }).stdout?.trim();
const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes';
const load = (() => {
  try {
    return readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  } catch {
    return 'unknown';
  }
})();
console.log(
  `Node ${process.version}, lancedb ${versionOf('@lancedb/lancedb')}, DuckDB ${versionOf('@duckdb/node-api')}; ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${load} before; commit ${git('rev-parse', '--short', 'HEAD') || 'unknown'}${changed}\n`,
);

const results = sizes.map((steps) => {
  const started = performance.now();
  const ended = spawnSync(process.execPath, [script, String(steps / 20), '20'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (ended.status !== 0) throw new Error(`${steps} steps: store-import.mjs ended with ${ended.status}`);
  return { ...JSON.parse(ended.stdout), minutes: ((performance.now() - started) / 60_000).toFixed(1) };
});
const ids = ['key', 'document', 'session', 'run', 'call'];
const rows = [
  ['import, steps a second', (r) => r.import.steps_per_s],
  ['indexes after the import, s', (r) => r.import.indexes_s],
  ['import again, unchanged, s', (r) => r.again.again_s],
  [
    'bytes a step, fresh / maintained and with text index',
    (r) => `${r.info.bytes_per_step} / ${r.maintain.bytes_per_step}`,
  ],
  ['fragments of steps, fresh / maintained', (r) => `${r.info.fragments} / ${r.maintain.fragments}`],
  [
    'lookup by key / document / session / run / tool call, ms',
    (r) => ids.map((id) => r.lookup_maintained[id].median).join(' / '),
  ],
  ['the first lookup of a process, ms', (r) => r.lookup_maintained.session.first],
  ['read of one Storyline, ms', (r) => r.lookup_maintained.read.median],
  ['list of all, s', (r) => r.list.list_s],
  ['`--where` that selects a tenth / a third, s', (r) => `${r.where.tenth_s} / ${r.where.third_s}`],
  [
    'read of all, fresh / maintained, steps a second',
    (r) => `${r.read.steps_per_s} / ${r.read_maintained.steps_per_s}`,
  ],
  ['export of all as Storylines, steps a second', (r) => r.export.steps_per_s],
  ['SQL: open a session, s', (r) => r.sql.open_s],
  ['SQL: count, s', (r) => r.sql.count_s],
  ['SQL: scan of three columns, s', (r) => r.sql.scan_s],
  ['SQL: scan of all messages, s', (r) => r.sql.text_s],
  ['SQL: group by, s', (r) => r.sql.group_s],
  ['SQL: join of steps and calls, s', (r) => r.sql.join_s],
  ['find, the first (builds the index), s', (r) => r.find_first.find_s],
  [
    'find, later: a word / in one run / of one tool, ms',
    (r) => `${r.find.word.median} / ${r.find.in_run.median} / ${r.find.of_tool.median}`,
  ],
  ['find in the later half (`--since`), ms', (r) => r.find.since.median],
  ['maintain, s', (r) => r.maintain.maintain_s],
  ['verify, s', (r) => r.verify.verify_s],
  ['verify, steps a second', (r) => r.verify.steps_per_s],
  [
    'peak memory, MB: import / again / list / read / export',
    (r) => ['import', 'again', 'list', 'read', 'export'].map((name) => r[name].peak_mb).join(' / '),
  ],
  [
    'peak memory, MB: SQL / first find / find / maintain / verify',
    (r) => ['sql', 'find_first', 'find', 'maintain', 'verify'].map((name) => r[name].peak_mb).join(' / '),
  ],
  [
    'processor seconds: import (generating twice) / again / read / verify',
    (r) => ['import', 'again', 'read', 'verify'].map((name) => r[name].cpu_s).join(' / '),
  ],
  ['minutes of the bench', (r) => r.minutes],
];
console.log(`| | ${sizes.map((steps) => `${steps.toLocaleString('en')} steps`).join(' | ')} |`);
console.log(`|---|${sizes.map(() => '---').join('|')}|`);
for (const [name, value] of rows) console.log(`| ${name} | ${results.map(value).join(' | ')} |`);
