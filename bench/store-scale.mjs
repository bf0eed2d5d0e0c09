// Cost against size: runs store-import.mjs for each number of steps in a process of its own and prints a Markdown table.
//
//   node bench/store-scale.mjs [steps…=1000 10000 100000 1000000]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000];
const script = fileURLToPath(new URL('./store-import.mjs', import.meta.url));
const results = sizes.map((steps) => {
  const ended = spawnSync(process.execPath, [script, String(steps / 20), '20'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (ended.status !== 0) throw new Error(ended.stderr || ended.stdout);
  process.stderr.write(`${steps} steps\n${ended.stdout}`);
  return JSON.parse(ended.stdout);
});
const rows = [
  ['import, steps a second', (r) => r.import_steps_per_s],
  ['import again, unchanged, s', (r) => r.import_again_s],
  ['bytes a step, fresh / maintained', (r) => `${r.bytes_per_step} / ${r.bytes_per_step_maintained}`],
  ['lookup of one id, ms', (r) => (r.resolve_20_maintained_s * 50).toFixed(0)],
  ['read of one Storyline, ms', (r) => (r.read_20_maintained_s * 50).toFixed(0)],
  ['list of all, s', (r) => r.list_s],
  ['read of all, steps a second', (r) => r.read_steps_per_s],
  ['SQL: open a session, s', (r) => r.sql_open_s],
  ['SQL: count, s', (r) => r.sql_count_s],
  ['SQL: scan of three columns, s', (r) => r.sql_scan_s],
  ['SQL: group by, s', (r) => r.sql_group_s],
  ['SQL: join of steps and calls, s', (r) => r.sql_join_s],
  ['find, the first (builds the index), s', (r) => r.find_first_s],
  ['find, later, s', (r) => r.find_again_s],
  ['maintain, s', (r) => r.maintain_s],
  ['verify, s', (r) => r.verify_s],
  ['peak memory: import / SQL / all, MB', (r) => `${r.import_peak_mb} / ${r.sql_peak_mb} / ${r.peak_mb}`],
];
console.log(`| | ${sizes.map((steps) => `${steps.toLocaleString('en')} steps`).join(' | ')} |`);
console.log(`|---|${sizes.map(() => '---').join('|')}|`);
for (const [name, value] of rows) console.log(`| ${name} | ${results.map(value).join(' | ')} |`);
