import { expect, test } from 'vitest';
import { collect, freshStore, put, story } from './helpers.ts';

test('resolve finds a Storyline by document, session, run, key, tool call and attempt', async () => {
  const { store } = await freshStore();
  const one = story('one', 4, { trajectory: 't1', run: 'r1', attempt_id: 'third' });
  const two = story('two', 2, { trajectory: 't2', run: 'r2', attempt_id: 'fourth' });
  await put(store, [{ storylines: [one] }, { storylines: [two] }]);
  const documents = async (id: string) => (await store.resolve(id)).map((run) => run.documentId).sort();
  for (const id of ['t1', 'one', 'r1', 'third', 'call-3']) expect(await documents(id), id).toEqual(['t1']);
  // Both have a call of this id.
  expect(await documents('call-1')).toEqual(['t1', 't2']);
  const [found] = await store.resolve('t2');
  expect(await documents(found?.documentKey ?? '')).toEqual(['t2']);
  expect(await documents('call-9')).toEqual([]);

  // The newest version of a Storyline is asked, not one that it replaced.
  await put(store, [{ storylines: [story('one', 2, { trajectory: 't1', run: 'r1' })] }]);
  expect(await documents('call-3')).toEqual([]);
  expect(await documents('call-1')).toEqual(['t1', 't2']);
  await store.close();
});

test('a filter of more keys than fit a condition selects the same, beside other conditions too', async () => {
  const { store } = await freshStore();
  const stories = Array.from({ length: 1_100 }, (_, index) =>
    story(`d${index}`, 1, { run: `r${index % 2}` }),
  );
  await put(
    store,
    stories.map((storyline) => ({ storylines: [storyline] })),
  );
  const keys: string[] = [];
  for await (const run of store.list()) keys.push(run.documentKey);
  expect(keys).toHaveLength(1_100);
  const listed = async (filter: Parameters<typeof store.list>[0]) => {
    const found: string[] = [];
    for await (const run of store.list(filter)) found.push(run.documentKey);
    return found;
  };
  const wanted = keys.slice(0, 1_050);
  expect(await listed({ documentKeys: wanted })).toEqual(wanted);
  const even = await listed({ runs: ['r0'] });
  expect(even).toHaveLength(550);
  expect(await listed({ documentKeys: wanted, runs: ['r0'] })).toEqual(
    even.filter((key) => wanted.includes(key)),
  );
  expect(await store.delete({ documentKeys: wanted })).toBe(1_050);
  expect(await listed({})).toEqual(keys.slice(1_050));
  await store.close();
});

test('heads with the same prompt and tools share them, and no others', async () => {
  const { store } = await freshStore();
  const prompt = (text: string) => ({ system: text.repeat(50) });
  const tools = (name: string) => [{ name, description: 'd'.repeat(100) }];
  const agent = (name: string) => ({ id: 'agent', tools: tools(name) });
  const stories = [
    story('a', 1, { prompt: prompt('same'), agent: agent('shell') }),
    story('b', 1, { prompt: prompt('same'), agent: agent('shell') }),
    story('c', 1, { prompt: prompt('other'), agent: agent('read') }),
    // A row that has a cell which is not exact shares nothing: its text need not be all of a value.
    story('d', 1, { prompt: prompt('same'), agent: { ...agent('shell'), name: 'x\ud800' } }),
  ];
  await put(store, [{ storylines: stories }]);
  const heads = (await collect(store.heads())).map(({ head }) => head);
  expect(heads).toEqual(stories.map(({ turns: _, ...head }) => head));
  expect(heads[1]?.prompt).toBe(heads[0]?.prompt);
  expect(heads[1]?.agent.tools).toBe(heads[0]?.agent.tools);
  await store.close();
});
