// What the store costs: import rate, bytes a step, lookups, scans, SQL, search, maintenance, verifying, memory.
//
//   node bench/store-import.mjs [runs=2000] [steps=20] [characters=700] [folder=a temporary one]
//
// Generates runs × steps with messages, calls and results of about the given size, and prints one JSON object.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@pchronicle/store-lance';
import { openSql } from '@pchronicle/store-lance/sql';

const [runs = 2000, steps = 20, characters = 700] = process.argv.slice(2, 5).map(Number);
const folder = process.argv[5] ?? mkdtempSync(join(tmpdir(), 'store-bench-'));
const uri = join(folder, 'store');

// A small generator with a fixed seed: text that compresses about as prose does.
let state = 42;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const words = Array.from({ length: 8000 }, () =>
  Array.from({ length: 3 + random() * 8 }, () => 'abcdefghijklmnoprstuvw'[(random() * 22) | 0]).join(''),
);
const prose = (length) => {
  let text = '';
  while (text.length < length) text += `${words[(random() * random() * words.length) | 0]} `;
  return text;
};

function storyline(run) {
  const turns = [];
  for (let step = 0; step < steps; step += 1) {
    const at = new Date(1_760_000_000_000 + run * 60_000 + step * 1000).toISOString();
    turns.push(
      step % 4 === 0
        ? { id: step + 1, src: 'user', msg: prose(characters), ts: at }
        : {
            id: step + 1,
            src: 'agent',
            msg: prose(characters / 2),
            reason: prose(characters / 2),
            ts: at,
            model: 'model-a',
            metrics: { prompt_tokens: 100 + step, completion_tokens: 20 },
            tool_calls: [
              {
                tcid: `call_${step}`,
                fn: ['shell', 'read', 'write'][step % 3],
                args: { command: prose(characters / 4) },
                result: prose(characters / 2),
                duration_ms: step * 10,
              },
            ],
            observation: { results: [{ source_call_id: `call_${step}`, content: prose(characters / 2) }] },
          },
    );
  }
  return {
    schema_version: 'storyline/v1',
    session: `session-${run}`,
    trajectory: `task-${run % 500}-${run}`,
    run: `task-${run % 500}`,
    attempt_id: String((run / 500) | 0),
    agent: { id: 'bench', model: 'model-a' },
    prompt: { system: 'You are a helpful agent.' },
    task: { result: { correct: run % 3 === 0, score: run % 10 } },
    turns,
  };
}

async function* events() {
  for (let run = 0; run < runs; run += 1) {
    const at = { source: 'bench.jsonl', record: run + 1, offset: run * 1000, pointer: '' };
    const document = { ordinal: run, format: 'storyline', at };
    yield { type: 'document', document };
    yield { type: 'storyline', storyline: storyline(run), document, at };
    yield { type: 'end', document, accepted: true, storylines: 1, ranges: [] };
  }
}

const result = { runs, steps: runs * steps, characters };
const megabytes = () => Math.round(process.resourceUsage().maxRSS / 1024);
async function timed(name, action) {
  const start = performance.now();
  const value = await action();
  result[name] = Number(((performance.now() - start) / 1000).toFixed(3));
  return value;
}

const generated = performance.now();
for await (const _ of events());
result.generate_s = Number(((performance.now() - generated) / 1000).toFixed(3));
state = 42;
const store = await openStore(uri, { create: true });
await timed('import_s', () => store.ingest(events(), { sourceId: 'bench' }));
result.import_steps_per_s = Math.round((runs * steps) / Math.max(0.001, result.import_s - result.generate_s));
result.import_peak_mb = megabytes();
state = 42;
await timed('import_again_s', () => store.ingest(events(), { sourceId: 'bench' }));
const info = await timed('info_s', () => store.info());
result.bytes_per_step = Math.round(info.bytesOnDisk / (runs * steps));
result.fragments = info.tables.steps.fragments;
const some = Array.from({ length: 20 }, (_, index) => `session-${(index * 37) % runs}`);
const lookups = await timed('resolve_20_s', async () => {
  const found = [];
  for (const id of some) found.push(...(await store.resolve(id)));
  return found;
});
await timed('read_20_s', async () => {
  for (const { documentKey } of lookups) await store.read(documentKey);
});
await timed('list_s', async () => {
  for await (const _ of store.list());
});
const session = await timed('sql_open_s', () => openSql(store));
const query = async (sql) => {
  const rows = [];
  for await (const batch of (await session.query(sql)).batches) rows.push(...batch);
  return rows;
};
await timed('sql_count_s', () => query('SELECT count(*) FROM steps'));
await timed('sql_scan_s', () => query('SELECT max(step_id), max(timestamp), max(model_name) FROM steps'));
await timed('sql_group_s', () =>
  query('SELECT function_name, count(*), avg(duration_ms) FROM tool_calls GROUP BY ALL'),
);
await timed('sql_join_s', () =>
  query(
    'SELECT s.source, count(*) FROM steps s JOIN tool_calls c ON c.ingest_id = s.ingest_id AND c.turn_ordinal = s.turn_ordinal GROUP BY ALL',
  ),
);
await session.close();
result.sql_peak_mb = megabytes();
const word = words[4321];
await timed('find_first_s', () => store.find(word));
await timed('find_again_s', () => store.find(words[1234]));
await timed('maintain_s', () => store.maintain({ retention: 0, safetyAge: 0 }));
result.bytes_per_step_maintained = Math.round((await store.info()).bytesOnDisk / (runs * steps));
await timed('read_20_maintained_s', async () => {
  for (const { documentKey } of lookups) await store.read(documentKey);
});
await timed('resolve_20_maintained_s', async () => {
  for (const id of some) await store.resolve(id);
});
result.maintain_peak_mb = megabytes();
let turns = 0;
await timed('read_all_s', async () => {
  for await (const { storyline: read } of store.storylines()) turns += read.turns.length;
});
result.read_steps_per_s = Math.round(turns / result.read_all_s);
const report = await timed('verify_s', () => store.verify());
result.faults = report.faults.length;
result.peak_mb = megabytes();
console.log(JSON.stringify(result, null, 1));
await store.close();
if (process.argv[5] === undefined) rmSync(folder, { recursive: true, force: true });
if (report.faults.length > 0 || turns !== runs * steps) process.exit(1);
