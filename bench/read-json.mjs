// How fast core reads JSON, without any format's own work: node bench/read-json.mjs FILE [MEMBER]
// Ways, each in a process of its own: the skipping scan (readHead), exact records (importStorylines with a reader that only pulls the
// values), exact parsing of the whole text (parseJson), and JSON.parse of the text in one piece. MEMBER is the map of records of an
// object (default attempts); arrays and lines are documents of it. Wall and processor time, since a busy machine disturbs only the first.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const [file, member = 'attempts', way] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node bench/read-json.mjs FILE [MEMBER]');
  process.exit(2);
}

const storyline = { schema_version: 'storyline/v1', session: 's', agent: { id: 'a' }, turns: [] };

async function open() {
  const { openFile } = await import('@pchronicle/storyline-core/node');
  return openFile(file);
}

const ways = {
  async scan() {
    const { readHead } = await import('@pchronicle/storyline-core');
    const source = await open();
    const head = await readHead(source, { count: true });
    await source.close();
    return `${head.shape}${head.count === undefined ? '' : ` of ${head.count}`}`;
  },
  async records() {
    const { importStorylines } = await import('@pchronicle/storyline-core');
    const source = await open();
    let records = 0;
    const outer = ['document', 'array', 'lines'];
    const format = {
      id: 'bench',
      title: 'bench',
      containers: outer.map((one) => ({ kind: 'entries', outer: one, member })),
      reader: {
        frame: () => ({}),
        decode(record) {
          for (const { value } of record.values()) records += value === undefined ? 0 : 1;
          return record;
        },
        toStorylines: () => [storyline],
      },
    };
    for await (const event of importStorylines(source, format)) {
      if (event.type === 'issue' && event.issue.severity === 'error') throw new Error(event.issue.message);
    }
    await source.close();
    return `${records} records`;
  },
  async parseJson() {
    const { parseJson } = await import('@pchronicle/storyline-core');
    const { value, issues } = parseJson(readFileSync(file));
    if (value === undefined) throw new Error(issues[0].message);
    return 'one value';
  },
  async 'JSON.parse'() {
    JSON.parse(readFileSync(file, 'utf8'));
    return 'one value';
  },
};

if (way === undefined) {
  const megabytes = statSync(file).size / 1e6;
  const machine = `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}, ${Math.round(totalmem() / 1e9)} GB`;
  console.log(`${megabytes.toFixed(1)} MB, ${machine}, Node ${process.version}, V8 ${process.versions.v8}`);
  const results = {};
  for (const name of Object.keys(ways)) {
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), file, member, name], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    if (child.status !== 0) {
      console.log(
        `${name.padEnd(12)} fails: ${child.stderr.match(/^\w*Error.*/m)?.[0] ?? `exit ${child.status ?? child.signal}`}`,
      );
      continue;
    }
    const one = JSON.parse(child.stdout);
    results[name] = one;
    const speed = (seconds) =>
      `${seconds.toFixed(2).padStart(7)} s ${(megabytes / seconds).toFixed(0).padStart(5)} MB/s`;
    console.log(
      `${name.padEnd(12)} wall ${speed(one.wall)}   processor ${speed(one.processor)}   ${one.peak.toFixed(0).padStart(5)} MB peak   ${one.found}`,
    );
  }
  if (results.records && results['JSON.parse']) {
    const ratio = (what) => (results['JSON.parse'][what] / results.records[what]).toFixed(2);
    console.log(
      `records against JSON.parse: wall ${ratio('wall')}, processor ${ratio('processor')} (above 1: records are faster)`,
    );
  }
} else {
  const before = process.cpuUsage();
  const started = process.hrtime.bigint();
  const found = await ways[way]();
  const wall = Number(process.hrtime.bigint() - started) / 1e9;
  const used = process.cpuUsage(before);
  const processor = (used.user + used.system) / 1e6;
  console.log(
    JSON.stringify({ wall, processor, found, peak: (process.resourceUsage().maxRSS * 1024) / 1e6 }),
  );
}
