// Writes Forkline runs for measuring: node bench/forkline-generate.mjs recorder|tracer|json OUT [EVENTS]
//   recorder  runs.db with two runs of EVENTS events each (default 100,000): four types, payloads of 280 bytes, the last one differing
//   json      the same two runs as artifacts: OUT.a.run.json and OUT.b.run.json
//   tracer    forkline.db with one run of EVENTS / 10 steps of ten events each

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';

const [kind, out, count = '100000'] = process.argv.slice(2);
const events = Number(count);
if (!['recorder', 'tracer', 'json'].includes(kind) || out === undefined || !Number.isInteger(events)) {
  console.error('usage: node bench/forkline-generate.mjs recorder|tracer|json OUT [EVENTS]');
  process.exit(2);
}

const PAYLOAD_BYTES = 280;
const TYPES = ['input', 'llm_call', 'tool_call', 'output'];

/** The payload of an event as Forkline stores it: sorted keys, 280 bytes. */
function payload(type, index, last) {
  const filler = (text) => 'x'.repeat(Math.max(0, PAYLOAD_BYTES - text.length));
  const number = String(index).padStart(6, '0');
  const shapes = {
    input: (fill) => `{"prompt": "question ${number} ${fill}"}`,
    llm_call: (fill) => `{"model": "m", "prompt": "p ${number}", "response": "${fill}"}`,
    tool_call: (fill) =>
      `{"args": {"n": "${number}", "q": "${fill}"}, "name": "search", "result": {"items": 5}}`,
    output: (fill) => `{"text": "${last ? 'another' : 'answers'} ${number} ${fill}"}`,
  };
  return shapes[type](filler(shapes[type]('')));
}

function time(index) {
  return `2026-02-23T01:${String(Math.floor(index / 60) % 60).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}.${String(index % 1_000_000).padStart(6, '0')}+00:00`;
}

function* rows(run, first) {
  for (let index = 0; index < events; index += 1) {
    const type = TYPES[index % TYPES.length];
    const last = run.startsWith('b') && index === events - 1;
    yield { id: first + index, ts: time(index), type, payload: payload(type, index, last) };
  }
}

const runs = ['a'.repeat(32), 'b'.repeat(32)];

if (kind === 'json') {
  for (const run of runs) {
    const file = createWriteStream(`${out}.${run[0]}.run.json`);
    file.write(
      `{"schema_version": "1.0", "run_id": "${run}", "entrypoint": "bench.py", "started_at": "${time(0)}", "status": "ok", "events": [\n`,
    );
    for (const { id, ts, type, payload } of rows(run, 1)) {
      const line = `${id === 1 ? '' : ',\n'} {"event_id": ${id}, "run_id": "${run}", "ts": "${ts}", "type": "${type}", "payload": ${payload}}`;
      if (!file.write(line)) await once(file, 'drain');
    }
    file.end('\n]}\n');
    await once(file, 'close');
  }
} else {
  const require = createRequire(
    createRequire(import.meta.url).resolve('@pchronicle/format-forkline/package.json'),
  );
  const { Database } = require('node-sqlite3-wasm');
  const database = new Database(out);
  database.exec('PRAGMA foreign_keys = OFF');
  if (kind === 'recorder') {
    database.exec(
      'CREATE TABLE runs (run_id TEXT PRIMARY KEY, schema_version TEXT NOT NULL, forkline_version TEXT NOT NULL, entrypoint TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT, status TEXT, python_version TEXT NOT NULL, platform TEXT NOT NULL, cwd TEXT NOT NULL)',
    );
    database.exec(
      'CREATE TABLE events (event_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, ts TEXT NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL, FOREIGN KEY (run_id) REFERENCES runs(run_id))',
    );
    database.exec('CREATE INDEX idx_events_run_id ON events(run_id, event_id)');
    database.exec('BEGIN');
    const run = database.prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
    for (const [index, id] of runs.entries()) {
      run.run([id, '1.0', '0.5.0', 'bench.py', time(0), null, 'ok', '3.11', 'linux', '/project']);
      for (const row of rows(id, 1 + index * events)) event.run([row.id, id, row.ts, row.type, row.payload]);
    }
    run.finalize();
    event.finalize();
  } else {
    database.exec(
      'CREATE TABLE runs (run_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, forkline_version TEXT, schema_version TEXT)',
    );
    database.exec(
      'CREATE TABLE steps (step_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, idx INTEGER NOT NULL, name TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT)',
    );
    database.exec(
      'CREATE TABLE events (event_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, step_idx INTEGER NOT NULL, type TEXT NOT NULL, payload_json TEXT NOT NULL, created_at TEXT NOT NULL)',
    );
    database.exec('BEGIN');
    const [id] = runs;
    database.run('INSERT INTO runs VALUES (?, ?, ?, ?)', [id, time(0), '0.5.0', '1.0']);
    const step = database.prepare('INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)');
    const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
    for (const row of rows(id, 1)) {
      const idx = Math.floor((row.id - 1) / 10);
      if ((row.id - 1) % 10 === 0) step.run([idx + 1, id, idx, `step ${idx % 7}`, row.ts, time(row.id + 9)]);
      event.run([row.id, id, idx, row.type, row.payload, row.ts]);
    }
    step.finalize();
    event.finalize();
  }
  database.exec('COMMIT');
  database.close();
}
