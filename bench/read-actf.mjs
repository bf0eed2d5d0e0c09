// Reading one ACTF file into Storylines, against JSON.parse of its text in one piece: node bench/read-actf.mjs FILE
// Each runs in a process of its own, and is given the time from opening the file to having everything.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [file, part] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node bench/read-actf.mjs FILE');
  process.exit(2);
}

async function readStorylines() {
  const { actf } = await import('@pchronicle/format-actf');
  const { importStorylines } = await import('@pchronicle/storyline-core');
  const { openFile } = await import('@pchronicle/storyline-core/node');
  const started = process.hrtime.bigint();
  const source = await openFile(file);
  let storylines = 0;
  let turns = 0;
  for await (const event of importStorylines(source, actf)) {
    if (event.type === 'issue' && event.issue.severity === 'error') throw new Error(event.issue.message);
    if (event.type !== 'storyline') continue;
    storylines += 1;
    turns += event.storyline.turns.length;
  }
  await source.close();
  return { started, found: `${storylines} Storylines, ${turns} turns` };
}

function parseInOnePiece() {
  const started = process.hrtime.bigint();
  const { attempts } = JSON.parse(readFileSync(file, 'utf8'));
  return { started, found: `${Object.keys(attempts).length} attempts` };
}

if (part === undefined) {
  const megabytes = statSync(file).size / 1e6;
  const measured = ['storylines', 'parse'].map((one) => {
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), file, one], {
      encoding: 'utf8',
    });
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout);
  });
  const [ours, native] = measured;
  const row = (name, one) =>
    `${name.padEnd(26)} ${one.seconds.toFixed(2).padStart(7)} s ${(megabytes / one.seconds).toFixed(0).padStart(5)} MB/s ${one.peakMB.toFixed(0).padStart(6)} MB peak   ${one.found}`;
  console.log(`${megabytes.toFixed(1)} MB, Node ${process.version}`);
  console.log(row('into Storylines, streamed', ours));
  console.log(row('JSON.parse, one piece', native));
  console.log(`ratio ${(native.seconds / ours.seconds).toFixed(2)} (above 1: Storylines are faster)`);
} else {
  const { started, found } = part === 'parse' ? parseInOnePiece() : await readStorylines();
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  console.log(JSON.stringify({ seconds, found, peakMB: (process.resourceUsage().maxRSS * 1024) / 1e6 }));
}
