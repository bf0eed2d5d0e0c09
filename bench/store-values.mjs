// Large and repeated values: what they cost in the store.
//
//   node bench/store-values.mjs
//
// 1. 200 runs of 20 steps, with and without one step of 60 MB and one of 20 MB of Chinese among them: import, scans that do not name the
//    value, reading it back. 2. 1,000 runs of 10 steps that share a prompt and tool definitions of 27 kB, in one import and in 20 small
//    ones, before and after maintenance: bytes on disk beside the bytes of text that were repeated.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@pchronicle/store-lance';
import { openSql } from '@pchronicle/store-lance/sql';

let state = 7;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const noise = (length, from = 97, to = 122) => {
  const codes = new Uint16Array(length);
  for (let index = 0; index < length; index += 1) codes[index] = from + ((random() * (to - from)) | 0);
  return Buffer.from(codes.buffer).toString('utf16le');
};
const turn = (id, msg) => ({
  id,
  src: 'agent',
  msg,
  tool_calls: [{ tcid: `c${id}`, fn: 'shell', args: { n: id }, result: noise(200) }],
});
const megabytes = (bytes) => Number((bytes / 1e6).toFixed(2));

async function* events(storylines, source) {
  let ordinal = 0;
  for (const storyline of storylines) {
    const at = { source, record: ordinal + 1, pointer: '' };
    const document = { ordinal, format: 'storyline', at };
    ordinal += 1;
    yield { type: 'document', document };
    yield { type: 'storyline', storyline, document, at };
    yield { type: 'end', document, accepted: true, storylines: 1, ranges: [] };
  }
}

const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
const result = {};
const clock = async (action) => {
  const start = performance.now();
  const value = await action();
  return [Math.round(performance.now() - start), value];
};

function* plain(large) {
  for (let run = 0; run < 200; run += 1) {
    const turns = Array.from({ length: 20 }, (_, id) => turn(id, noise(500)));
    if (large && run === 100) turns[10] = turn(10, noise(60_000_000));
    if (large && run === 120) turns[10] = turn(10, noise(20_000_000 / 3, 0x4e00, 0x9000));
    yield { schema_version: 'storyline/v1', session: `s${run}`, agent: { id: 'a' }, turns };
  }
}
for (const large of [false, true]) {
  state = 7;
  const store = await openStore(join(folder, `large-${large}`), { create: true });
  const [importing] = await clock(() => store.ingest(events(plain(large), 'f'), { sourceId: 'f' }));
  const session = await openSql(store);
  const query = async (sql) => {
    for await (const _ of (await session.query(sql)).batches);
  };
  await query('SELECT count(*) FROM steps');
  const [narrow] = await clock(() => query('SELECT source, count(*), max(step_id) FROM steps GROUP BY ALL'));
  const [text] = await clock(() => query('SELECT sum(length(message_json)) FROM steps'));
  await session.close();
  const [small] = await store.resolve('s50');
  const [reading] = await clock(() => store.read(small.documentKey));
  const entry = { import_ms: importing, narrow_scan_ms: narrow, text_scan_ms: text, read_small_ms: reading };
  if (large) {
    const [found] = await store.resolve('s100');
    const [took, storyline] = await clock(() => store.read(found.documentKey));
    entry.read_large_ms = took;
    entry.large_characters = storyline.turns[10].msg.length;
  }
  entry.disk_mb = megabytes((await store.info()).bytesOnDisk);
  entry.peak_mb = Math.round(process.resourceUsage().maxRSS / 1024);
  result[large ? 'with_60_mb_values' : 'without'] = entry;
  await store.close();
}

const prompt = noise(20_000);
const tools = Array.from({ length: 10 }, (_, index) => ({ name: `tool${index}`, description: noise(700) }));
function* repeated(from, to, unique) {
  for (let run = from; run < to; run += 1) {
    yield {
      schema_version: 'storyline/v1',
      session: `s${run}`,
      agent: { id: 'a', tools: unique && run % 2 ? noise(7_000) : tools },
      prompt: { system: unique && run % 2 ? noise(20_000) : prompt },
      turns: Array.from({ length: 10 }, (_, id) => turn(id, noise(100))),
    };
  }
}
for (const [name, imports, unique] of [
  ['one_import', 1, false],
  ['twenty_imports', 20, false],
  ['half_unique', 20, true],
]) {
  const store = await openStore(join(folder, name), { create: true });
  const each = 1000 / imports;
  for (let part = 0; part < imports; part += 1)
    await store.ingest(events(repeated(part * each, (part + 1) * each, unique), 'f'), {
      sourceId: `f${part}`,
    });
  const runs = async () => megabytes((await store.info()).tables.runs.bytes);
  const before = await runs();
  await store.maintain({ retention: 0, safetyAge: 0 });
  result[name] = {
    text_mb: 27,
    distinct_mb: unique ? 13.5 : 0.027,
    runs_table_mb: before,
    after_maintenance_mb: await runs(),
  };
  await store.close();
}
console.log(JSON.stringify(result, null, 1));
rmSync(folder, { recursive: true, force: true });
