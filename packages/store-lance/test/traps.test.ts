import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildTable } from '../src/columns/build-table.ts';
import type { Column, Row } from '../src/columns/column.ts';
import { readBatch } from '../src/columns/read-batch.ts';
import type { StoreContext } from '../src/context.ts';
import { openStore } from '../src/index.ts';
import { appendRows } from '../src/ingest/append-rows.ts';
import { literal, oneOf } from '../src/lance/filter.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { batches } from '../src/lance/scan.ts';
import { collect, contents, events, freshStore, put, story, temporaryFolder } from './helpers.ts';

const columns: readonly Column[] = [
  { name: 'key', type: 'utf8', nullable: false },
  { name: 'text', type: 'utf8', nullable: true },
  { name: 'count', type: 'int64', nullable: true },
  { name: 'score', type: 'float64', nullable: true },
  { name: 'flag', type: 'bool', nullable: true },
  { name: 'at', type: 'timestamp_ns', nullable: true },
];

async function table() {
  const lance = loadLance();
  const connection = await lance.lancedb.connect(temporaryFolder(), {
    readConsistencyInterval: 0,
    namespaceClientProperties: { manifest_enabled: 'false' },
  });
  const { arrowSchema } = await import('../src/columns/schema.ts');
  const made = await connection.createEmptyTable('steps', arrowSchema(lance, columns, new Map()), {
    storageOptions: { newTableDataStorageVersion: '2.2' },
  });
  const context = {
    lance,
    connection,
    secrets: [],
    location: { uri: '', shown: 'test' },
    tables: { steps: made },
    columns: { steps: columns },
  } as unknown as StoreContext;
  return { lance, made, context };
}

describe('traps of LanceDB (store.md)', () => {
  test('trap 1: rows of a foreign Arrow instance vanish without an error; counting after the write finds it', async () => {
    // In a process of its own, on dist/: under vitest `import 'apache-arrow'` gives the instance that LanceDB requires, so the trap is not there.
    const dist = new URL('../dist/', import.meta.url).href;
    const script = `
      import * as foreign from 'apache-arrow';
      import { appendRows } from '${dist}ingest/append-rows.js';
      import { arrowSchema } from '${dist}columns/schema.js';
      import { loadLance } from '${dist}lance/load-lance.js';
      const lance = loadLance();
      const columns = [{ name: 'key', type: 'utf8', nullable: false }];
      const connection = await lance.lancedb.connect(process.env.STORE, { readConsistencyInterval: 0, namespaceClientProperties: { manifest_enabled: 'false' } });
      const table = await connection.createEmptyTable('steps', arrowSchema(lance, columns, new Map()));
      const context = { lance, connection, secrets: [], location: { shown: 'test' }, tables: { steps: table }, columns: { steps: columns } };
      const trapped = { add: () => table.add(foreign.tableFromArrays({ key: ['a'] })) };
      const outcome = (steps) => appendRows({ ...context, tables: { steps } }, 'steps', [{ key: 'a' }]).then(() => 'written', (error) => error.code);
      console.log([await outcome(trapped), await table.countRows(), await outcome(table), await table.countRows()].join(' '));`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, STORE: temporaryFolder() },
    });
    expect(ended.stderr).toBe('');
    expect(ended.stdout.trim()).toBe('store/lost-write 0 written 1');
  });

  test('trap 2: nothing uses mergeInsert', () => {
    const folder = fileURLToPath(new URL('../src', import.meta.url));
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.ts'))
        expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(/\.mergeInsert\(/);
    }
  });

  test('trap 5: a commit without calls, or without steps, appends no empty batch', async () => {
    const { store } = await freshStore();
    await put(store, [{ storylines: [story('nothing', 0)] }]);
    await put(store, [{ storylines: [story('no-calls', 1)] }]);
    const { tables } = await store.info();
    expect([tables.runs.rows, tables.steps.rows, tables.tool_calls.rows]).toEqual([2, 1, 0]);
    expect(tables.tool_calls.version).toBe(1);
    await store.close();
  });

  test('trap 6: own column building gives back every value, at every edge', async () => {
    const { made, context } = await table();
    const rows: Row[] = [
      { key: '', text: null, count: null, score: null, flag: null, at: null },
      {
        key: 'é中😀',
        text: '\u0000',
        count: 9223372036854775807n,
        score: -0,
        flag: true,
        at: 1786000000123456789n,
      },
      {
        key: 'x'.repeat(100_000),
        text: '',
        count: -9223372036854775808n,
        score: 1.5e300,
        flag: false,
        at: -1n,
      },
      ...Array.from({ length: 70 }, (_, index) => ({
        key: `k${index}`,
        text: index % 3 === 0 ? null : '中'.repeat(index),
        count: BigInt(index),
        score: null,
        flag: index % 2 === 0 ? true : null,
        at: null,
      })),
    ];
    await appendRows(context, 'steps', [...rows]);
    await appendRows(context, 'steps', [
      { key: 'only nulls', text: null, count: null, score: null, flag: null, at: null },
    ]);
    const back: Row[] = [];
    for await (const batch of batches(made.query(), 16)) back.push(...readBatch(batch));
    expect(back).toEqual([
      ...rows,
      { key: 'only nulls', text: null, count: null, score: null, flag: null, at: null },
    ]);
    expect(Object.is(back[1]?.score, -0)).toBe(true);
    expect(() => buildTable(context.lance, columns, [{ key: 'a', count: 2n ** 63n }])).toThrow(/64-bit/);
    expect(() => buildTable(context.lance, columns, [{ key: null }])).toThrow(/needs one/);
  });

  test('trap 7: filters are built from typed values; nothing breaks out of a literal', async () => {
    const { made, context } = await table();
    const hostile = [
      "'",
      "''",
      "' OR 1=1 --",
      '\\',
      '"',
      '`',
      ';',
      "a';DROP TABLE steps;'",
      '\n',
      '%_',
      '中文',
    ];
    await appendRows(
      context,
      'steps',
      [...hostile, 'other'].map((key) => ({ key })),
    );
    for (const key of hostile) expect(await made.countRows(oneOf('key', [key])), key).toBe(1);
    expect(await made.countRows(oneOf('key', []))).toBe(0);
    expect(() => literal(Number.NaN)).toThrow(RangeError);
    expect(() => oneOf('key` OR `', ['a'])).toThrow(RangeError);
  });

  test('trap 8: what another handle commits is seen by the next read, and never in the middle of one', async () => {
    const { store, uri } = await freshStore();
    const other = await openStore(uri);
    expect(await contents(other)).toEqual([]);
    await put(
      store,
      Array.from({ length: 30 }, (_, index) => ({ storylines: [story(`a${index}`, 3)] })),
    );
    expect(await contents(other)).toHaveLength(30);
    const reading = other.storylines();
    const first = await reading.next();
    expect(first.done).toBe(false);
    await put(
      store,
      Array.from({ length: 30 }, (_, index) => ({ storylines: [story(`a${index}`, 5)] })),
    );
    let turns = 3;
    for await (const { storyline } of reading) turns += storyline.turns.length;
    expect(turns).toBe(30 * 3);
    expect((await contents(other)).reduce((sum, item) => sum + item.turns.length, 0)).toBe(30 * 5);
    await other.close();
    await store.close();
  });
});

test('rows are counted exactly while others write', async () => {
  const { made, context } = await table();
  const second = await context.connection.openTable('steps');
  const write = async (handle: typeof made, many: number) => {
    for (let round = 0; round < 15; round += 1) {
      const rows = Array.from({ length: many }, (_, index) => ({ key: `k${index}` }));
      await appendRows({ ...context, tables: { ...context.tables, steps: handle } }, 'steps', rows);
    }
  };
  await Promise.all([write(made, 3), write(second, 5)]);
  expect(await made.countRows()).toBe(15 * 8);
});

describe('importing', () => {
  test('a document too big to wait is written ahead, and invisible if it is rejected', async () => {
    const { store } = await freshStore();
    const attempts = Array.from({ length: 6 }, (_, index) =>
      story(`big#${index}`, 40, { run: 'big', attempt_id: String(index) }, 'x'.repeat(500)),
    );
    const batch = { characters: 20_000, rows: 50 };
    await put(store, [{ storylines: attempts, accepted: false }, { storylines: [story('good')] }], { batch });
    expect((await collect(store.list())).map((run) => run.documentId)).toEqual(['good']);
    const info = await store.info();
    expect(info.orphans.steps).toBeGreaterThanOrEqual(40 * 5);
    const accepted = await put(store, [{ storylines: attempts }], { batch });
    expect(accepted.documents).toMatchObject({ new: 6, rejected: 0 });
    expect(accepted.rows).toEqual({ runs: 6, steps: 240, tool_calls: 120 });
    // One commit for the whole document, however many slices its steps took.
    expect((await store.info()).tables.runs.version).toBe(info.tables.runs.version + 1);
    expect((await store.verify()).faults).toEqual([]);
    expect((await contents(store)).slice(0, 6)).toEqual(attempts);
    await store.close();
  });

  test('small rejected documents write nothing at all', async () => {
    const { store } = await freshStore();
    await put(
      store,
      Array.from({ length: 20 }, (_, index) => ({ storylines: [story(`bad${index}`)], accepted: false })),
    );
    const { tables } = await store.info();
    expect([tables.runs.rows, tables.steps.rows, tables.tool_calls.rows]).toEqual([0, 0, 0]);
    await store.close();
  });

  test('a signal stops after whole documents; what the input throws is thrown, and what was accepted before is kept', async () => {
    const { store } = await freshStore();
    const documents = Array.from({ length: 20 }, (_, index) => ({ storylines: [story(`d${index}`)] }));
    const controller = new AbortController();
    const stopping = function* () {
      for (const event of events(documents)) {
        if (event.type === 'document' && event.document.ordinal === 7) controller.abort();
        yield event;
      }
    };
    const summary = await store.ingest(stopping(), { sourceId: 's', signal: controller.signal });
    expect(summary).toMatchObject({ interrupted: true, documents: { new: 7 } });
    // A driver that was given the signal too throws its reason.
    const throwing = function* () {
      yield* events(documents.slice(0, 3));
      controller.signal.throwIfAborted();
    };
    const other = new AbortController();
    const late = function* () {
      for (const event of throwing()) {
        yield event;
        if (event.type === 'end' && event.document.ordinal === 2) other.abort(controller.signal.reason);
      }
    };
    expect(await store.ingest(late(), { sourceId: 's', signal: other.signal })).toMatchObject({
      interrupted: true,
    });
    const breaking = function* () {
      for (const event of events(documents)) {
        if (event.type === 'storyline' && event.document.ordinal === 12)
          throw new Error('the cable was pulled');
        yield event;
      }
    };
    await expect(store.ingest(breaking(), { sourceId: 's' })).rejects.toThrow('the cable was pulled');
    expect(await contents(store)).toEqual(documents.slice(0, 12).flatMap((document) => document.storylines));
    expect((await put(store, documents, { sourceId: 's' })).documents).toMatchObject({
      new: 8,
      unchanged: 12,
    });
    await store.close();
  });

  test('progress tells phases in the order of the protocol, and what is acknowledged is there', async () => {
    const { store, uri } = await freshStore();
    const phases: string[] = [];
    await store.ingest(
      events(Array.from({ length: 6 }, (_, index) => ({ storylines: [story(`d${index}`)] }))),
      {
        sourceId: 's',
        batch: { documents: 3 },
        onProgress: ({ phase }) => phases.push(phase),
      },
    );
    expect(phases.filter((phase) => phase !== 'read')).toEqual([
      'tool_calls',
      'steps',
      'commit',
      'committed',
      'tool_calls',
      'steps',
      'commit',
      'committed',
    ]);
    await store.close();
    const again = await openStore(uri);
    expect(await contents(again)).toHaveLength(6);
    await again.close();
  });
});

describe('schema growth', () => {
  test('columns added later read as absent from an older store, and are added when it is written', async () => {
    const { store, uri } = await freshStore();
    const old = story('old', 3, { notes: 'kept' });
    await put(store, [{ storylines: [old] }]);
    await store.close();
    // An older store: one that lacks columns of today.
    const { lancedb } = loadLance();
    const connection = await lancedb.connect(uri, {
      namespaceClientProperties: { manifest_enabled: 'false' },
    });
    const runs = await connection.openTable('runs');
    await runs.dropColumns(['first_time', 'prompt_tokens', 'source_offset']);
    const steps = await connection.openTable('steps');
    await steps.dropColumns(['ttft_ms']);
    const reader = await openStore(uri);
    expect(await contents(reader)).toEqual([old]);
    expect((await collect(reader.list()))[0]).not.toHaveProperty('startedAt');
    expect((await reader.info()).documents).toBe(1);
    await reader.close();
    const writer = await openStore(uri, { create: true });
    await put(writer, [{ storylines: [story('new', 2)] }], { sourceId: 'b' });
    expect((await contents(writer)).map((item) => item.session).sort()).toEqual(['new', 'old']);
    expect((await collect(writer.list({ documents: ['new'] })))[0]).toHaveProperty(
      'startedAt',
      '2026-01-02T03:04:05.123456789Z',
    );
    await writer.close();
  });
});
