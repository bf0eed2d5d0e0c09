import {
  canonicalJson,
  collectIssues,
  parseJson,
  readStoryline,
  type Storyline,
  storylineToJson,
  stringify,
} from '@pchronicle/storyline-core';
import { describe, expect, test, vi } from 'vitest';
import { openStore } from '../src/index.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { collect, contents, freshStore, put, story } from './helpers.ts';

function parsed(text: string): Storyline {
  const { report, issues } = collectIssues();
  const value = parseJson(text, { keepFloats: true }).value;
  const storyline = value === undefined ? undefined : readStoryline(value, report);
  if (storyline === undefined) throw new Error(`no Storyline: ${JSON.stringify(issues)}`);
  return storyline;
}

describe('round trip', () => {
  test('G2 G3 G4: numbers, strings and keys come back exactly, trap 9 (lone surrogates) included', async () => {
    const text = `{"schema_version":"storyline/v1","session":"s\\ud800","agent":{"id":"\\udc00a","extra":{"__proto__":{"x":9007199254740993},"constructor":-0,"":1.0,"a/b~c":1e400}},
      "run":"run\\ud83d","trajectory":"tr'aj\\u0000ectory","notes":"\\u0000","meta":[],
      "turns":[{"id":9223372036854775808,"src":"\\ud800","msg":{"\\ud800":"\\udfff\\ud83d\\ude00 \\u4e2d\\u6587"},"reason":"\\udead","ts":1786000000.123456789,"nllm":-9223372036854775809,
        "tool_calls":[{"tcid":"c'1","fn":"f\\ud800","args":null,"duration_ms":123456789012345678901234567890},{"tcid":"c2","fn":"g","args":[1.0,1e2,-0.0]}],
        "observation":{"results":[]}},
        {"id":-1,"src":"x","msg":null,"tool_calls":[]}]}`;
    const { store } = await freshStore();
    const storyline = parsed(text);
    await put(store, [{ storylines: [storyline] }]);
    const [back] = await contents(store);
    // The order of keys of the hub's own objects is outside every promise; all else is exact.
    expect(back).toEqual(storyline);
    expect(canonicalJson(storylineToJson(back as Storyline))).toBe(canonicalJson(storylineToJson(storyline)));
    expect(stringify(back?.agent.extra ?? null)).toBe(stringify(storyline.agent.extra ?? null));
    const report = await store.verify();
    expect(report.faults).toEqual([]);
    expect(report.documents).toBe(1);
    await store.close();
  });

  test('order of reading is source, record, position; every read agrees with every other', async () => {
    const { store, uri } = await freshStore();
    const make = (source: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        storylines: [
          story(`${source}-${(index * 7) % count}-a`),
          story(`${source}-${(index * 7) % count}-b`, 3),
        ],
      }));
    await put(store, make('z', 40), { sourceId: 'z', sourcePath: 'z.json', batch: { documents: 7 } });
    await put(store, make('b', 40), { sourceId: 'b', sourcePath: 'b.json', batch: { rows: 11 } });
    const order = [...make('b', 40), ...make('z', 40)].flatMap((document) =>
      document.storylines.map((item) => item.session),
    );
    expect((await collect(store.list())).map((run) => run.documentId)).toEqual(order);
    expect((await collect(store.heads())).map(({ head }) => head.session)).toEqual(order);
    const read = await contents(store);
    expect(read.map((item) => item.session)).toEqual(order);
    const expected = new Map(
      [...make('b', 40), ...make('z', 40)].flatMap((document) =>
        document.storylines.map((item) => [item.session, item]),
      ),
    );
    for (const item of read) expect(item).toEqual(expected.get(item.session));
    const collection = await store.collection();
    expect(collection.length).toBe(160);
    for (const index of [0, 1, 5, 100, 159, 3, 4])
      expect((await collection.read(index)).session).toBe(order[index]);
    // A few documents are found by key, many by place: both ways give the same.
    const some = await collect(store.storylines({ documents: order.slice(10, 20) }));
    expect(some.map(({ storyline }) => storyline)).toEqual(read.slice(10, 20));
    await store.close();
    const again = await openStore(uri);
    expect(await again.read(collection.documentKeys[17] ?? '')).toEqual(read[17]);
    expect(await again.resolve(order[17] ?? '')).toHaveLength(1);
    const report = await again.verify();
    expect(report).toMatchObject({ documents: 160, steps: 80 * 4 + 80 * 3, faults: [] });
    await again.close();
  });

  test('a Storyline without turns, and one with many', async () => {
    const { store } = await freshStore();
    const items = [story('empty', 0), story('long', 3000), story('empty-too', 0)];
    await put(store, [{ storylines: items }], { batch: { rows: 500 } });
    expect(await contents(store)).toEqual(items);
    expect((await store.verify()).faults).toEqual([]);
    await store.close();
  });
});

test('values of 60 MB come back, and scans that do not name them do not read them', async () => {
  const { store } = await freshStore();
  const large = 'x0y1z2 "\n'.repeat(6_700_000);
  const chinese = '中文\ud800'.repeat(1_000_000);
  const big: Storyline = {
    ...story('big', 2),
    turns: [
      {
        id: 1,
        src: 'agent',
        msg: large,
        tool_calls: [{ tcid: 'c', fn: 'f', args: {}, result: { log: chinese } }],
      },
    ],
  };
  await put(store, [
    { storylines: [story('before')] },
    { storylines: [big] },
    { storylines: [story('after')] },
  ]);
  const [found] = await store.resolve('big');
  const read = await store.read(found?.documentKey ?? '');
  // Compared piece by piece: a failing toEqual would print 60 MB.
  expect(read.turns[0]?.msg === large).toBe(true);
  expect(JSON.stringify(read.turns[0]?.tool_calls) === JSON.stringify(big.turns[0]?.tool_calls)).toBe(true);
  // What does not ask for values of any size does not read them (bench/store-values.mjs has what that saves).
  const select = vi.spyOn(loadLance().lancedb.QueryBase.prototype, 'select');
  expect(await collect(store.list())).toHaveLength(3);
  expect((await store.resolve('after'))[0]?.documentId).toBe('after');
  const columns = select.mock.calls.flat(2);
  select.mockRestore();
  expect(columns).toContain('document_id');
  expect(
    columns.filter((name) => /_json$|^notes$|^search_text$|^reasoning_content$/.test(String(name))),
  ).toEqual([]);
  await store.close();
});
