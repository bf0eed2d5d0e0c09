// Runs a command and prints its wall time and peak memory: node bench/measure.mjs [--json] [--input FILE] -- COMMAND ARG…
// `pchronicle` as COMMAND is this workspace's own. Peak memory is maxRSS of the whole process, threads and native code included;
// of several Node processes the largest counts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const split = process.argv.indexOf('--');
const { values } = parseArgs({
  args: process.argv.slice(2, split < 0 ? undefined : split),
  options: { json: { type: 'boolean', default: false }, input: { type: 'string' } },
});
const command = split < 0 ? [] : process.argv.slice(split + 1);
if (command.length === 0) {
  console.error('usage: node bench/measure.mjs [--json] [--input FILE] -- COMMAND ARG…');
  process.exit(2);
}

const cli = join(here, '../apps/cli');
const manifest = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
const [name, ...args] = command;
const program =
  name === 'pchronicle' ? [process.execPath, join(cli, manifest.bin.pchronicle), ...args] : command;

const folder = mkdtempSync(join(tmpdir(), 'pchronicle-measure-'));
const preload = `--import=${pathToFileURL(join(here, 'peak-memory.mjs')).href}`;
const started = process.hrtime.bigint();
const child = spawn(program[0], program.slice(1), {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    PCHRONICLE_PEAK: folder,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload}`.trim(),
  },
});
const code = await new Promise((resolve, reject) => {
  child.on('error', reject);
  child.on('close', (status, signal) => resolve(status ?? signal));
});
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
const processes = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
rmSync(folder, { recursive: true, force: true });
if (processes.length === 0) {
  console.error(
    `no Node process of ${command.join(' ')} ended by itself (exit ${code}): its memory is unknown`,
  );
  process.exit(1);
}

const peak = Math.max(...processes.map((one) => one.maxRSS)) / 1024;
const cpuSeconds = processes.reduce((sum, one) => sum + one.userCPUTime + one.systemCPUTime, 0) / 1e6;
const megabytes = values.input === undefined ? undefined : statSync(values.input).size / 1e6;
const result = {
  command: command.join(' '),
  exit: code,
  seconds: Number(seconds.toFixed(2)),
  cpuSeconds: Number(cpuSeconds.toFixed(2)),
  peakMB: Number(((peak * 1024 * 1024) / 1e6).toFixed(1)),
  ...(megabytes === undefined
    ? {}
    : {
        inputMB: Number(megabytes.toFixed(1)),
        megabytesPerSecond: Number((megabytes / seconds).toFixed(1)),
      }),
  machine: `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}, ${Math.round(totalmem() / 1e9)} GB`,
  node: process.version,
  cli: manifest.version,
};
if (values.json) console.log(JSON.stringify(result));
else for (const [key, value] of Object.entries(result)) console.error(`${key.padEnd(20)} ${value}`);
process.exit(typeof code === 'number' ? code : 1);
