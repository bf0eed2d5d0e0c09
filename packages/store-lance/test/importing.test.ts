import { describe, expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { appendRows } from '../src/ingest/append-rows.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { bareTable } from './bare-table.ts';
import { collect, contents, events, freshStore, put, story } from './helpers.ts';

test('rows are counted exactly while others write', async () => {
  const { made, context } = await bareTable();
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
