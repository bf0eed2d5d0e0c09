// What the store costs: import rate, bytes a step, lookups, scans, SQL, search, maintenance, verifying, memory.
//
//   node bench/store-import.mjs [runs=2000] [steps=20] [characters=700] [phase,phase…]
//
// Generates runs × steps with messages, calls and results of about the given size, runs each phase of store-phases.mjs in a process of
// its own over one store in a temporary folder, and prints one JSON object: figures of each phase, with its processor time and peak memory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { openStore } from '@pchronicle/store-lance';
import { storeData } from './store-data.mjs';
import { PHASES } from './store-phases.mjs';

const [runs = 2000, steps = 20, characters = 700] = process.argv.slice(2, 5).map(Number);
const wanted = process.argv[5]?.split(',') ?? Object.keys(PHASES);

if (process.env.STORE_BENCH_URI !== undefined) {
  // As the command does: memory is that of `pchronicle`.
  setFlagsFromString('--heap-growing-percent=40');
  const [name] = wanted;
  const data = { ...storeData({ runs, steps, characters }), runs, total: runs * steps };
  const store = await openStore(process.env.STORE_BENCH_URI, { create: true });
  const figures = await PHASES[name](store, data);
  await store.close();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = Number(((userCPUTime + systemCPUTime) / 1e6).toFixed(1));
  console.log(JSON.stringify({ ...figures, cpu_s: cpu, peak_mb: Math.round(maxRSS / 1024) }));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
  const result = { runs, steps: runs * steps, characters };
  try {
    for (const name of wanted) {
      const args = [fileURLToPath(import.meta.url), runs, steps, characters, name].map(String);
      const env = { ...process.env, STORE_BENCH_URI: join(folder, 'store') };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr || stdout}`);
      result[name] = JSON.parse(stdout);
      process.stderr.write(`${name} ${stdout}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(JSON.stringify(result, null, 1));
}
