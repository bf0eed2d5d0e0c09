// Reading Forkline runs: node bench/forkline-load.mjs [EVENTS]
// Generates two runs of EVENTS events (default 100,000; payloads of 280 bytes) as a recorder database and as artifacts, and a tracer
// database of EVENTS / 10 steps; then reads each in a process of its own and prints wall time (start of the process included), processor time and maxRSS.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [first = '100000', part, ...files] = process.argv.slice(2);

/** Reads Storylines one by one, as an import or a diff of Storylines has them. */
async function storylines() {
  const { importStorylines } = await import('@pchronicle/storyline-core');
  const { openFile } = await import('@pchronicle/storyline-core/node');
  const { forklineWithSqlite } = await import('@pchronicle/format-forkline/sqlite');
  let turns = 0;
  for (const file of files) {
    const source = await openFile(file);
    for await (const event of importStorylines(source, forklineWithSqlite)) {
      if (event.type === 'issue' && event.issue.severity === 'error') throw new Error(event.issue.message);
      if (event.type === 'storyline') turns += event.storyline.turns.length;
    }
    await source.close();
  }
  return `${turns} turns`;
}

/** Opens a database and hands it over. */
async function withDatabase(use) {
  const { openFile } = await import('@pchronicle/storyline-core/node');
  const { openForklineDatabase } = await import('@pchronicle/format-forkline/sqlite');
  const source = await openFile(files[0]);
  const database = await openForklineDatabase(source);
  const found = await use(database);
  await database.close();
  await source.close();
  return found;
}

const parts = {
  storylines,
  rows: () =>
    withDatabase((database) => {
      let bytes = 0;
      let count = 0;
      for (const run of database.runs) {
        for (const event of database.events(run)) {
          count += 1;
          bytes += event.payloadText.length;
        }
      }
      return `${count} events, ${bytes} payload bytes`;
    }),
  diff: () =>
    withDatabase((database) => {
      const diff = database.diffEvents(database.runs[0], database.runs[1]);
      return `first difference at event ${diff.index} of ${diff.totalA}`;
    }),
  tails: () =>
    withDatabase(async (database) => {
      const { diffStorylines } = await import('@pchronicle/storyline-core');
      const tails = database.tails(database.runs[0], database.runs[1]);
      const { equal } = diffStorylines(tails.left, tails.right);
      return `${tails.skipped} events passed over, ${tails.left.turns.length} turns aligned, ${equal ? 'equal' : 'different'}`;
    }),
  artifacts: async () => {
    const { openFile } = await import('@pchronicle/storyline-core/node');
    const { artifactTails } = await import('@pchronicle/format-forkline/artifact');
    const { diffStorylines } = await import('@pchronicle/storyline-core');
    const sources = [await openFile(files[0]), await openFile(files[1])];
    const tails = await artifactTails(...sources);
    const { equal } = diffStorylines(tails.left, tails.right);
    for (const source of sources) await source.close();
    return `${tails.skipped} events passed over, ${tails.left.turns.length} turns aligned, ${equal ? 'equal' : 'different'}`;
  },
  steps: () => withDatabase((database) => `${database.traced(database.runs[0]).steps.length} steps`),
};

if (part !== undefined) {
  const found = await parts[part]();
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  console.log(JSON.stringify({ found, maxRSS, cpu: (userCPUTime + systemCPUTime) / 1e6 }));
} else {
  const here = fileURLToPath(import.meta.url);
  const folder = mkdtempSync(join(tmpdir(), 'forkline-bench-'));
  const generate = (kind, name) => {
    const outcome = spawnSync(
      process.execPath,
      [fileURLToPath(new URL('forkline-generate.mjs', import.meta.url)), kind, join(folder, name), first],
      { stdio: 'inherit' },
    );
    if (outcome.status !== 0) throw new Error(`generating ${name} failed`);
  };
  try {
    generate('recorder', 'runs.db');
    generate('json', 'runs');
    generate('tracer', 'forkline.db');
    console.log(
      `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}, Node ${process.version}, 2 runs of ${first} events`,
    );
    const measure = (what, name, ...inputs) => {
      const paths = inputs.map((input) => join(folder, input));
      const started = process.hrtime.bigint();
      const child = spawnSync(process.execPath, [here, first, name, ...paths], { encoding: 'utf8' });
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      if (child.status !== 0) throw new Error(child.stderr);
      const { found, maxRSS, cpu } = JSON.parse(child.stdout);
      const megabytes = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
      console.log(
        `${what.padEnd(44)} ${seconds.toFixed(2).padStart(6)} s (${cpu.toFixed(2)} s of processor) ${(maxRSS / 1024).toFixed(0).padStart(5)} MiB  ${megabytes.toFixed(0).padStart(4)} MB in  ${found}`,
      );
    };
    measure('recorder database: rows', 'rows', 'runs.db');
    measure('recorder database: event diff', 'diff', 'runs.db');
    measure('recorder database: diff of Storylines', 'tails', 'runs.db');
    measure('recorder database: Storylines', 'storylines', 'runs.db');
    measure('two artifacts: diff of Storylines', 'artifacts', 'runs.a.run.json', 'runs.b.run.json');
    measure('two artifacts: Storylines', 'storylines', 'runs.a.run.json', 'runs.b.run.json');
    measure('tracer database: steps', 'steps', 'forkline.db');
    measure('tracer database: Storyline', 'storylines', 'forkline.db');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
