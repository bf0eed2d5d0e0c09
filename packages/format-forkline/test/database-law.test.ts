import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importStorylines, type Storyline } from '@pchronicle/storyline-core';
import { openFile } from '@pchronicle/storyline-core/node';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { pythonJson } from '../src/python/index.ts';
import { nodeEngine, type Row, wasmEngine } from '../src/sqlite/engine.ts';
import { forklineWithSqlite, writeForklineDatabase } from '../src/sqlite/index.ts';
import { RECORDER_SCHEMA, TRACER_SCHEMA } from '../src/sqlite/schema.ts';
import { python } from './support/fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'forkline-law-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = nodeEngine() ?? wasmEngine();

/** JSON as Python writes it: NaN, tags that are no tags, `1.0`, lone surrogates and keys like `__proto__` among it. */
const payload = fc
  .oneof(
    fc.constantFrom(
      '{}',
      'null',
      '[]',
      'NaN',
      '"text"',
      '{"$nonfinite": "NaN"}',
      '{"$nonfinite": [{"$nonfinite": "NaN"}]}',
      '{"text": {"$nonfinite": 5}, "n": NaN}',
      '{"text": "\\ud800", "__proto__": {"a": 1.0}, "big": 9007199254740993}',
      '{"name": "f", "args": {"a": -Infinity}, "result": null}',
      '{"tool_name": "f", "invocation_id": "i", "request": [1e400], "error": {"type": "E"}, "timing": {"duration_ms": 1.5}}',
      '{"prompt": "p", "response": "r", "model": "m", "usage": {"t": 1}}',
      '{"result": null}',
      '{"name": "", "args": 1}',
    ),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  )
  .map((text) => pythonJson(python(text)));
const type = fc.constantFrom(
  'input',
  'output',
  'tool_call',
  'llm_call',
  'error',
  'system',
  '',
  'é',
  'constructor',
);
const time = fc.constantFrom(
  '2026-02-23T01:04:21+00:00',
  '2026-02-23T01:04:21.000001+00:00',
  '2026-02-23T01:04:20Z',
  't',
  '',
);
const id = fc.oneof(
  { weight: 9, arbitrary: fc.bigInt({ min: -3n, max: 60n }) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n) },
);

interface Made {
  readonly runs: readonly (readonly (string | null)[])[];
  readonly steps: readonly (readonly (string | number | null)[])[];
  readonly events: readonly (readonly (bigint | string | number)[])[];
}

const runIds = fc.uniqueArray(fc.constantFrom('a', 'b', 'event-1', 'ü', '__proto__'), {
  minLength: 1,
  maxLength: 3,
});

const recorder: fc.Arbitrary<Made> = runIds.chain((ids) =>
  fc.record({
    runs: fc.tuple(
      ...ids.map((run) =>
        fc.tuple(
          fc.constant(run),
          fc.constantFrom('1.0', 'recording_v0', '1.1', '2.0'),
          fc.constantFrom('0.5.0', ''),
          fc.constantFrom('a.py', ''),
          time,
          fc.option(time),
          fc.option(fc.constantFrom('ok', 'failed', '')),
          fc.constantFrom('3.11', ''),
          fc.constant('linux'),
          fc.constantFrom('/x', ''),
        ),
      ),
    ),
    steps: fc.constant([]),
    events: fc.uniqueArray(fc.tuple(id, fc.constantFrom(...ids), time, type, payload), {
      selector: ([one]) => one,
      maxLength: 12,
    }),
  }),
);

const tracer: fc.Arbitrary<Made> = runIds.chain((ids) =>
  fc.record({
    runs: fc.tuple(
      ...ids.map((run) =>
        fc.tuple(
          fc.constant(run),
          time,
          fc.option(fc.constant('0.5.0')),
          fc.option(fc.constantFrom('1.0', 'recording_v0')),
        ),
      ),
    ),
    steps: fc
      .uniqueArray(
        fc.tuple(
          fc.integer({ min: 1, max: 40 }),
          fc.constantFrom(...ids),
          fc.integer({ min: 0, max: 4 }),
          fc.constantFrom('plan', 'act', 'é', ''),
          time,
          fc.option(time),
        ),
        {
          selector: ([step, run, idx]) => `${run} ${idx} ${step}`,
          maxLength: 8,
        },
      )
      .map((steps) => {
        // One row for each id, and one for each step of a run: Forkline's tracer writes no others.
        const seen = new Set<string>();
        return steps.filter(([step, run, idx]) => {
          const keys = [`id ${step}`, `${run} ${idx}`];
          if (keys.some((key) => seen.has(key))) return false;
          for (const key of keys) seen.add(key);
          return true;
        });
      }),
    events: fc.uniqueArray(
      fc.tuple(id, fc.constantFrom(...ids), fc.integer({ min: 0, max: 5 }), type, payload, time),
      { selector: ([one]) => one, maxLength: 12 },
    ),
  }),
);

let files = 0;

function write(schema: readonly string[], { runs, steps, events }: Made): string {
  files += 1;
  const path = join(folder, `${files}.db`);
  const database = open(path);
  database.exec('PRAGMA foreign_keys = OFF');
  database.exec('BEGIN');
  for (const sql of schema) database.exec(sql);
  const insert = (table: string, rows: readonly (readonly (bigint | string | number | null)[])[]): void => {
    for (const row of rows) {
      const statement = database.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`);
      statement.run(row);
      statement.release();
    }
  };
  insert('runs', runs);
  insert('steps', steps);
  insert('events', events);
  database.exec('COMMIT');
  database.close();
  return path;
}

function rowsOf(path: string): { readonly [table: string]: readonly Row[] } {
  const database = open(path);
  const tables = [
    ...database.iterate(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`),
  ];
  const rows = Object.fromEntries(
    tables.map(({ name }) => [
      String(name),
      [...database.iterate(`SELECT * FROM ${name} ORDER BY rowid`)].map((row) => ({ ...row })),
    ]),
  );
  database.close();
  return rows;
}

async function read(
  path: string,
): Promise<{ readonly storylines: readonly Storyline[]; readonly rejected: number }> {
  const source = await openFile(path);
  const storylines: Storyline[] = [];
  let rejected = 0;
  for await (const event of importStorylines(source, forklineWithSqlite)) {
    if (event.type === 'storyline') storylines.push(event.storyline);
    if (event.type === 'end' && !event.accepted) rejected += 1;
  }
  await source.close();
  return { storylines, rejected };
}

test.each([
  ['recorder', RECORDER_SCHEMA, recorder],
  ['tracer', TRACER_SCHEMA, tracer],
] as const)('F3, F5, G2, G3: what the %s wrote comes back row by row', async (model, schema, made) => {
  await fc.assert(
    fc.asyncProperty(made, async (content) => {
      const path = write(schema, content);
      const { storylines, rejected } = await read(path);
      expect(rejected).toBe(0);
      expect(storylines).toHaveLength(content.runs.length);
      const back = `${path}.back`;
      const written = await writeForklineDatabase(back, storylines);
      expect([written.model, written.issues]).toEqual([model, []]);
      expect(rowsOf(back)).toEqual(rowsOf(path));
    }),
    { numRuns: 60 },
  );
});
