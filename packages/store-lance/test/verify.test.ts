import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as LanceDb from '@lancedb/lancedb';
import type { Storyline } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { buildTable } from '../src/columns/build-table.ts';
import { openStore, type Store, type VerifyReport } from '../src/index.ts';
import { allOf, equals, type Filter } from '../src/lance/filter.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { collect, scan } from '../src/lance/scan.ts';
import { tableColumns } from '../src/table-columns.ts';
import { planUnits, type Unit } from '../src/verify/plan-units.ts';
import type { RowSpans } from '../src/verify/row-spans.ts';
import { freshStore, put, story } from './helpers.ts';

/** A table of a store, opened beside it. */
async function tableOf(uri: string, name: string): Promise<LanceDb.Table> {
  const connection = await loadLance().lancedb.connect(uri, {
    namespaceClientProperties: { manifest_enabled: 'false' },
  });
  return await connection.openTable(name);
}

/** Copies some rows of a table into it once more. */
async function double(table: LanceDb.Table, name: 'steps' | 'tool_calls', where: Filter): Promise<void> {
  const columns = tableColumns[name];
  const rows = await collect(scan(table, { columns: columns.map((column) => column.name), where }));
  expect(rows).toHaveLength(1);
  await table.add(buildTable(loadLance(), columns, rows));
}

function turnOf(documentId: string, ordinal: number): Filter {
  return (
    allOf(equals('document_id', documentId), equals('turn_ordinal', ordinal)) ?? equals('document_id', '')
  );
}

async function filled(documents: number): Promise<{ store: Store; uri: string }> {
  const { store, uri } = await freshStore();
  await put(
    store,
    Array.from({ length: documents }, (_, index) => ({ storylines: [story(`d${index}`, 8)] })),
  );
  return { store, uri };
}

/** The same report, whatever its threads; without its seconds. */
async function verified(store: Store): Promise<Omit<VerifyReport, 'seconds'>> {
  const { seconds: _, ...alone } = await store.verify({ threads: 1 });
  const { seconds: __, ...together } = await store.verify({ threads: 2 });
  expect(together).toEqual(alone);
  return alone;
}

const messagesOf = (report: Omit<VerifyReport, 'seconds'>, id: string): string =>
  report.faults
    .filter((fault) => fault.documentId === id)
    .map((fault) => fault.message)
    .join('\n');

const NOTHING = { faults: [], damage: [], notes: [] };

describe('what verify finds, with one thread and with two', () => {
  test('nothing in a store that is as it was imported, and it counts all of it', async () => {
    const { store } = await filled(40);
    expect(await verified(store)).toEqual({ documents: 40, steps: 320, toolCalls: 160, ...NOTHING });
    await store.close();
  });

  test.each<[string, string, (table: LanceDb.Table) => Promise<unknown>, RegExp]>([
    [
      'a changed message',
      'steps',
      (table) =>
        table.update({
          values: { message_json: '"forged"' },
          where: "document_id = 'd7' AND turn_ordinal = 0",
        }),
      /content hash/,
    ],
    [
      'a changed cell that only repeats others',
      'steps',
      (table) =>
        table.update({ values: { search_text: 'forged' }, where: "document_id = 'd7' AND turn_ordinal = 0" }),
      /the column search_text holds "forged"/,
    ],
    [
      'a changed cell of a call',
      'tool_calls',
      (table) =>
        table.update({
          values: { function_name: 'forged' },
          where: "document_id = 'd7' AND turn_ordinal = 1",
        }),
      /content hash/,
    ],
    [
      'a changed count of runs',
      'runs',
      (table) => table.update({ valuesSql: { failed_tool_call_count: '3' }, where: "document_id = 'd7'" }),
      /the column failed_tool_call_count holds 3, the Storyline gives 0/,
    ],
    [
      'a wrong hash',
      'runs',
      (table) => table.update({ values: { content_hash: '0'.repeat(64) }, where: "document_id = 'd7'" }),
      /content hash is [0-9a-f]{64}, its row in runs says 0{64}/,
    ],
    [
      'a step that is missing',
      'steps',
      (table) => table.delete("document_id = 'd7' AND turn_ordinal = 2"),
      /turn_ordinal 2/,
    ],
    [
      'the last step missing',
      'steps',
      (table) => table.delete("document_id = 'd7' AND turn_ordinal = 7"),
      /7 turns are there; step_count says 8/,
    ],
    [
      'a call that is missing',
      'tool_calls',
      (table) => table.delete("document_id = 'd7' AND turn_ordinal = 3"),
      /content hash|rows of tool_calls/,
    ],
    ['all steps missing', 'steps', (table) => table.delete("document_id = 'd7'"), /step_count says 8/],
    [
      'a step too many',
      'steps',
      (table) => double(table, 'steps', turnOf('d7', 4)),
      /two rows of steps have the turn_ordinal 4/,
    ],
    [
      'a call too many',
      'tool_calls',
      (table) => double(table, 'tool_calls', turnOf('d7', 5)),
      /two rows of tool_calls have the call_index 0/,
    ],
  ])('%s', async (_, name, spoil, message) => {
    const { store, uri } = await filled(12);
    await spoil(await tableOf(uri, name));
    const report = await verified(store);
    expect(messagesOf(report, 'd7')).toMatch(message);
    expect(report.faults.every((fault) => fault.documentId === 'd7')).toBe(true);
    expect(report.documents).toBe(12);
    await store.close();
  });

  test.each<[string, 'steps' | 'tool_calls', Record<string, string>, number]>([
    ['a step id, which its calls repeat', 'steps', { step_id: '99' }, 1],
    [
      'an observation, of which its calls hold a part',
      'steps',
      { observation_json: `'{"results":[{"source_call_id":"call-1","is_error":true}]}'` },
      1,
    ],
    ['a step id of a call', 'tool_calls', { step_id: '99' }, 1],
    ['an outcome of a call', 'tool_calls', { failed: 'true' }, 1],
    ['the arguments of a call', 'tool_calls', { arguments_json: `'{"command":"forged"}'` }, 1],
  ])('the file that is wrong is named: %s', async (_, name, valuesSql, turn) => {
    const { store, uri } = await filled(1);
    const table = await tableOf(uri, name);
    await table.update({ valuesSql, where: `turn_ordinal = ${turn}` });
    const { faults, damage } = await store.verify();
    expect(faults.length).toBeGreaterThan(0);
    const tables = new Set(damage.map((one) => [one.table, one.file?.split('/')[0]].join()));
    expect([...tables]).toEqual([`${name},${name}.lance`]);
    await store.close();
  });

  test('rows that compaction or a writer in slices has put far apart are checked all the same', async () => {
    const { store, uri } = await filled(400);
    const steps = await tableOf(uri, 'steps');
    // An update writes a row anew, at the end of the table.
    await steps.update({
      valuesSql: { document_id: 'document_id' },
      where: "document_id = 'd0' AND turn_ordinal = 3",
    });
    const calls = await tableOf(uri, 'tool_calls');
    await calls.update({
      valuesSql: { document_id: 'document_id' },
      where: "document_id = 'd1' AND turn_ordinal = 3",
    });
    expect(await verified(store)).toEqual({ documents: 400, steps: 3200, toolCalls: 1600, ...NOTHING });
    await steps.update({
      values: { message_json: '"forged"' },
      where: "document_id = 'd0' AND turn_ordinal = 4",
    });
    const report = await verified(store);
    expect(messagesOf(report, 'd0')).toContain('content hash');
    expect(report.faults.every((fault) => fault.documentId === 'd0')).toBe(true);
    expect(report.documents).toBe(400);
    await store.close();
  }, 120_000);

  /** Three imports of four documents, so three data files a table; and the names of a table's in the order of their rows. */
  async function threeFiles(name: string): Promise<{ store: Store; uri: string; files: string[] }> {
    const { store, uri } = await freshStore();
    const folder = join(uri, `${name}.lance`, 'data');
    const files: string[] = [];
    for (const part of ['a', 'b', 'c']) {
      const documents = Array.from({ length: 4 }, (_, index) => ({
        storylines: [story(`${part}${index}`, 8)],
      }));
      await put(store, documents, { sourceId: part });
      files.push(...readdirSync(folder).filter((file) => !files.includes(file)));
    }
    expect(files).toHaveLength(3);
    return { store, uri, files };
  }
  const storylinesOf = async (
    items: AsyncIterable<{ readonly storyline: Storyline }>,
  ): Promise<Storyline[]> => {
    const all: Storyline[] = [];
    for await (const { storyline } of items) all.push(storyline);
    return all;
  };
  const ofB = ['b0', 'b1', 'b2', 'b3'];

  test.each([
    ['steps', 'cut short'],
    ['steps', 'emptied'],
    ['steps', 'removed'],
    ['tool_calls', 'cut short'],
  ])('a file of %s that was %s: the others are checked, those hit are named', async (name, how) => {
    const { store, uri, files } = await threeFiles(name);
    await store.close();
    const file = join(uri, `${name}.lance`, 'data', files[1] ?? '');
    if (how === 'removed') rmSync(file);
    else truncateSync(file, how === 'emptied' ? 0 : 50);
    for (const threads of [1, 2]) {
      const opened = await openStore(uri);
      const report = await opened.verify({ threads });
      await opened.close();
      expect([...new Set(report.faults.map(({ documentId }) => documentId))].sort()).toEqual(ofB);
      expect(report.documents).toBe(12);
      expect(report.damage.every(({ table }) => table === name)).toBe(true);
      const messages = report.damage.map(({ message }) => message).join('\n');
      expect(messages).toMatch(/^(32|16) rows cannot be read: /);
      expect(messages).toContain(`${name}.lance/data/${files[1]}`);
    }
  });

  test.each(['steps', 'tool_calls'])(
    'what lies in other files than the damaged one of %s is read all the same; what it held is named when it is asked for',
    async (name) => {
      const { store, uri, files } = await threeFiles(name);
      await store.close();
      truncateSync(join(uri, `${name}.lance`, 'data', files[1] ?? ''), 50);
      const opened = await openStore(uri);
      const whole = ['a0', 'a1', 'a2', 'a3', 'c0', 'c1', 'c2', 'c3'];
      const read = await storylinesOf(opened.storylines({ documents: whole }));
      expect(read).toEqual(whole.map((id) => story(id, 8)));
      const [hit] = await opened.resolve('b1');
      await expect(opened.read(hit?.documentKey ?? '')).rejects.toMatchObject({
        code: 'store/damaged',
        message: expect.stringContaining(`${hit?.documentKey} in ${uri} cannot be rebuilt`),
      });
      // Deleted, what is hit stands in nobody's way.
      await opened.delete({ documents: ofB });
      expect(await storylinesOf(opened.storylines())).toEqual(read);
      await opened.close();
    },
  );

  test('a file of runs that was cut short: what its rows name is unknown, the others are checked', async () => {
    const { store, uri, files } = await threeFiles('runs');
    await store.close();
    truncateSync(join(uri, 'runs.lance', 'data', files[1] ?? ''), 50);
    const opened = await openStore(uri);
    expect(await opened.verify()).toMatchObject({
      documents: 8,
      steps: 64,
      faults: [],
      damage: [
        { table: 'runs', message: expect.stringMatching(/^4 rows cannot be read: /) },
        { table: 'runs', message: `the file runs.lance/data/${files[1]} is cut short or was overwritten` },
      ],
      notes: [expect.stringMatching(/^32 steps and 16 calls belong to no committed import/)],
    });
    await opened.close();
  });

  test('bytes of a file of steps were changed: the Storylines that it hits are named, the others are checked', async () => {
    const { store, uri, files } = await threeFiles('steps');
    await store.close();
    const file = join(uri, 'steps.lance', 'data', files[1] ?? '');
    const bytes = readFileSync(file);
    const opened = async () => {
      const one = await openStore(uri);
      const report = await one.verify({ threads: 2 });
      await one.close();
      return report;
    };
    let hit = 0;
    for (let at = 64; at < bytes.length - 4096; at += Math.floor(bytes.length / 6)) {
      writeFileSync(
        file,
        Buffer.concat([bytes.subarray(0, at), Buffer.alloc(16, 0xaa), bytes.subarray(at + 16)]),
      );
      const report = await opened();
      expect(report.documents).toBeGreaterThanOrEqual(8);
      for (const { documentId } of report.faults) expect(ofB).toContain(documentId);
      if (report.faults.length > 0) hit += 1;
    }
    expect(hit).toBeGreaterThan(0);
    writeFileSync(file, bytes);
    expect(await opened()).toMatchObject({ documents: 12, faults: [], damage: [], notes: [] });
  });

  test('a commit that is lost: the hint of Lance says there was a newer version', async () => {
    const { store, uri } = await threeFiles('runs');
    await store.close();
    // Lance numbers manifests backwards.
    const versions = join(uri, 'runs.lance', '_versions');
    const newest =
      readdirSync(versions)
        .filter((file) => file.endsWith('.manifest'))
        .sort()[0] ?? '';
    rmSync(join(versions, newest));
    const opened = await openStore(uri);
    const report = await opened.verify();
    expect(report).toMatchObject({ documents: 8, faults: [] });
    expect(report.damage).toEqual([
      {
        table: 'runs',
        message:
          'version 4 was committed, and 3 is the newest that is there: the manifest of a later one is missing from runs.lance/_versions, and what it brought is lost',
      },
    ]);
    expect(report.notes).toEqual([
      expect.stringMatching(/^32 steps and 16 calls belong to no committed import: it was interrupted/),
    ]);
    // An earlier moment of a store knows nothing of later rows, and that is no finding.
    expect(await (await opened.at({ version: 2 })).verify()).toMatchObject({ documents: 4, notes: [] });
    await opened.close();
  });

  test('an interruption ends it with the reason, and its threads', async () => {
    const { store } = await filled(40);
    const stop = new AbortController();
    const reason = new Error('enough');
    const verifying = store.verify({
      threads: 2,
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    });
    // The last unit may be under way already: then there is nothing left to interrupt.
    await verifying.then(
      (report) => expect(report.documents).toBe(40),
      (error) => expect(error).toBe(reason),
    );
    stop.abort(reason);
    await expect(store.verify({ threads: 2, signal: stop.signal })).rejects.toBe(reason);
    await store.close();
  });
});

describe('units of verifying', () => {
  /** Spans of ingests that have their rows from `first` to `last`, in the order given. */
  const spans = (places: readonly (readonly [first: number, last: number, count: number])[]): RowSpans => ({
    first: Float64Array.from(places, ([first]) => first),
    last: Float64Array.from(places, ([, last]) => last),
    count: Float64Array.from(places, ([, , count]) => count),
    rows: 0,
    order: [...places.keys()]
      .filter((number) => (places[number]?.[0] ?? -1) !== -1)
      .sort((left, right) => (places[left]?.[0] ?? 0) - (places[right]?.[0] ?? 0)),
  });
  const ingests = (length: number) => ({
    length,
    numberOf: () => undefined,
    claimed: { steps: 0, calls: 0 },
    at: (number: number) => ({ key: `k${number}`, ingestId: `${number}`, rowId: 0n, steps: 0, calls: 0 }),
  });
  const all = (rows: number, steps: RowSpans, calls: RowSpans) => {
    const plan = planUnits(ingests(steps.first.length), steps, calls);
    const units: Unit[] = [];
    for (let unit = plan.next(rows); unit !== undefined; unit = plan.next(rows)) units.push(unit);
    return {
      units: units.map((unit) => ({
        ingests: unit.ingests.map((ingest) => ingest.ingestId).join(),
        steps: [unit.steps.start, unit.steps.end],
        calls: [unit.calls.start, unit.calls.end],
      })),
      scattered: plan.scattered.map((ingest) => ingest.ingestId),
    };
  };
  const NONE = [-1, -1, 0] as const;

  test('are as large as asked for, in the order of the steps, and hold every ingest once', () => {
    const steps = spans([[0, 9, 10], [20, 29, 10], [10, 19, 10], NONE]);
    const calls = spans([[0, 4, 5], [10, 14, 5], [5, 9, 5], NONE]);
    expect(all(25, steps, calls)).toEqual({
      units: [
        { ingests: '0,2', steps: [0, 20], calls: [0, 10] },
        { ingests: '1,3', steps: [20, 30], calls: [10, 15] },
      ],
      scattered: [],
    });
  });

  test('leave out what lies too far apart, in either table, and end before what would stretch them', () => {
    const steps = spans([
      [0, 5000, 2],
      [1, 1, 1],
      [2, 2, 1],
      [4000, 4000, 1],
    ]);
    const calls = spans([NONE, [0, 9000, 2], [3, 3, 1], [8000, 8000, 1]]);
    expect(all(100, steps, calls)).toEqual({
      units: [
        { ingests: '2', steps: [2, 3], calls: [3, 4] },
        { ingests: '3', steps: [4000, 4001], calls: [8000, 8001] },
      ],
      scattered: ['0', '1'],
    });
  });
});
