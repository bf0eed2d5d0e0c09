// What the benches over rows share: JSON.parse of each line, the import into Storylines, each measured in a process of its own.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

/** JSON.parse of every line, read in pieces of 1 MB: what any reader has to do at least. */
function parseLines(path) {
  const descriptor = openSync(path, 'r');
  const buffer = Buffer.alloc(1 << 20);
  let rest = Buffer.alloc(0);
  let rows = 0;
  for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
    const chunk = Buffer.concat([rest, buffer.subarray(0, read)]);
    let at = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
      JSON.parse(chunk.toString('utf8', at, end));
      rows += 1;
      at = end + 1;
    }
    rest = chunk.subarray(at);
  }
  closeSync(descriptor);
  return { rows };
}

async function importRows(path, format) {
  const { importStorylines } = await import('@pchronicle/storyline-core');
  const { openFile } = await import('@pchronicle/storyline-core/node');
  const source = await openFile(path, 'rows');
  let storylines = 0;
  let turns = 0;
  for await (const event of importStorylines(source, format)) {
    if (event.type === 'storyline') {
      storylines += 1;
      turns += event.storyline.turns.length;
    } else if (event.type === 'issue' && event.issue.severity === 'error')
      throw new Error(event.issue.message);
  }
  await source.close();
  return { storylines, turns };
}

/** In the child of {@link measure}: does `--parse` or `--import` and prints what it took. False for any other mode. */
export async function runPhase(mode, path, format) {
  if (mode !== '--parse' && mode !== '--import') return false;
  const started = process.hrtime.bigint();
  const before = process.cpuUsage();
  const result = mode === '--parse' ? parseLines(path) : await importRows(path, format);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const { user, system } = process.cpuUsage(before);
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ ...result, seconds, processor: (user + system) / 1e6, peak }));
  return true;
}

/** Runs a phase of a bench in a process of its own. */
export function measure(script, mode, path) {
  const output = execFileSync(process.execPath, [script, mode, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 20,
  });
  return JSON.parse(output);
}

/** Bytes of a size such as 500M or 2G. */
export function bytesOf(size) {
  const match = /^(\d+)([KMG]?)$/i.exec(size);
  if (match === null) throw new Error(`${size} is no size: 500M and 2G are`);
  return Number(match[1]) * 1000 ** ' KMG'.indexOf(match[2] === '' ? ' ' : match[2].toUpperCase());
}

/** The machine and the versions that figures belong to. */
export function describeMachine(name) {
  const manifest = createRequire(import.meta.url).resolve(`@pchronicle/${name}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}, ${name} ${version}`;
}
