import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Storyline } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { snippetOf, wordsOf } from '../src/find/snippet.ts';
import { freshStore, put, story, temporaryFolder } from './helpers.ts';

function said(
  id: string,
  msg: Storyline['turns'][number]['msg'],
  extra: Partial<Storyline['turns'][number]> = {},
  head: Partial<Storyline> = {},
): Storyline {
  return {
    schema_version: 'storyline/v1',
    session: id,
    agent: { id: 'a' },
    turns: [{ id: 1, src: 'agent', msg, ...extra }],
    ...head,
  };
}

describe('find', () => {
  test('a word after a newline, a tab, a quote and a backslash is found; Chinese words too', async () => {
    const { store } = await freshStore();
    await put(store, [
      { storylines: [said('newline', 'first\nneedle')] },
      { storylines: [said('tab', { text: 'a\tneedle' })] },
      { storylines: [said('quote', ['say "needle"', 7])] },
      { storylines: [said('backslash', 'C:\\needle')] },
      { storylines: [said('reason', null, { reason: 'the Needle, they think' })] },
      { storylines: [said('other', 'haystack needles')] },
      { storylines: [said('中文', '我们在北京大学学习机器学习')] },
    ]);
    const ids = async (query: string) => (await store.find(query)).map((hit) => hit.documentId).sort();
    expect(await ids('needle')).toEqual(['backslash', 'newline', 'quote', 'reason', 'tab']);
    expect(await ids('北京')).toEqual(['中文']);
    expect(await ids('机器学习')).toEqual(['中文']);
    expect(await ids('nneedle')).toEqual([]);
    expect(await ids('first needle')).toEqual(['newline']);
    expect((await store.find('first needle', { words: 'any' })).length).toBe(5);
    for (const nothing of ['', '  ', '"', "'; DROP", '()*'])
      expect(await ids(nothing).then((found) => found.length)).toBe(0);
    // A word nobody has is not forgotten.
    expect(await ids('first zebra')).toEqual([]);
    await store.close();
  });

  test('arguments and results of calls, with tool, place and snippet', async () => {
    const { store } = await freshStore();
    const calls = [
      { tcid: 'c1', fn: 'shell', args: { command: 'grep -r walrus .' }, result: 'src/zoo.ts: walrus' },
      { tcid: 'c2', fn: 'read', args: { path: 'zoo.ts', line: 8080 } },
    ];
    await put(store, [
      {
        storylines: [
          said('a', null, {
            id: 9,
            tool_calls: calls,
            observation: {
              results: [
                { source_call_id: 'c2', content: 'the giraffe\nis tall' },
                { content: 'unlinked okapi' },
              ],
            },
          }),
        ],
      },
    ]);
    const [walrus, ...more] = await store.find('walrus');
    expect(more).toEqual([]);
    expect(walrus).toMatchObject({
      kind: 'call',
      documentId: 'a',
      turnId: 9n,
      turn: 0,
      tool: 'shell',
      callId: 'c1',
    });
    const shown = walrus?.snippet.matches.map(([begin, end]) => walrus.snippet.text.slice(begin, end));
    expect(shown).toEqual(['walrus', 'walrus']);
    expect(await store.find('giraffe')).toMatchObject([{ kind: 'call', tool: 'read', callId: 'c2' }]);
    expect(await store.find('8080')).toMatchObject([{ callId: 'c2' }]);
    expect(await store.find('okapi')).toMatchObject([{ kind: 'turn', source: 'agent' }]);
    expect(await store.find('zoo')).toHaveLength(2);
    expect(await store.find('zoo', { tool: 'read' })).toMatchObject([{ tool: 'read' }]);
    expect(await store.find('okapi', { source: 'user' })).toEqual([]);
    await store.close();
  });

  test('superseded, deleted and uncommitted rows are never found, also when they would fill the first places', async () => {
    const { store } = await freshStore();
    const many = (text: string) =>
      Array.from({ length: 60 }, (_, index) => ({ storylines: [said(`d${index}`, `${text} ${index}`)] }));
    await put(store, many('needle needle needle'));
    await put(store, many('nothing'));
    await put(store, [{ storylines: [said('rejected', 'needle')], accepted: false }], {
      batch: { characters: 1 },
    });
    await put(store, [
      { storylines: [said('deleted', 'needle')] },
      {
        storylines: [
          said('kept', 'a long text in which the needle is just one word among a good many others'),
        ],
      },
    ]);
    await store.delete({ documents: ['deleted'] });
    expect((await store.find('needle', { limit: 5 })).map((hit) => hit.documentId)).toEqual(['kept']);
    await store.maintain({ retention: 0, safetyAge: 0 });
    expect((await store.find('needle')).map((hit) => hit.documentId)).toEqual(['kept']);
    await store.close();
  });

  test('new rows are found before the index is refreshed, by filter and by rank', async () => {
    const { store } = await freshStore();
    await put(store, [
      {
        storylines: [said('old', 'needle among a lot of other words that make it weaker', {}, { run: 'R' })],
      },
    ]);
    expect(await store.find('needle')).toHaveLength(1);
    await put(store, [{ storylines: [said('new', 'needle needle', {}, { run: 'S' })] }], { sourceId: 'b' });
    const hits = await store.find('needle');
    expect(hits.map((hit) => hit.documentId)).toEqual(['new', 'old']);
    expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 0);
    expect((await store.find('needle', { filter: { runs: ['R'] } })).map((hit) => hit.documentId)).toEqual([
      'old',
    ]);
    expect(await store.find('needle', { filter: { runs: ['none'] } })).toEqual([]);
    expect(await store.find('needle', { limit: 1 })).toHaveLength(1);
    await store.close();
  });

  test('trap 3: the index build ends on few CPUs, and maintenance works with it', async () => {
    const script = `
      import { openStore } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
      const store = await openStore(process.env.STORE, { create: true });
      const word = (number) => (number * 2654435761 % 20011).toString(36);
      const words = (id) => Array.from({ length: 30 }, (_, index) => word(id * 31 + index)).join(' ');
      const turns = Array.from({ length: 30000 }, (_, id) => ({ id, src: 'user', msg: words(id) + ' zzzz' + id }));
      const at = { pointer: '' };
      const document = { ordinal: 0, format: 'test', at };
      const storyline = { schema_version: 'storyline/v1', session: 's', agent: { id: 'a' }, turns };
      await store.ingest([{ type: 'document', document }, { type: 'storyline', storyline, document, at }, { type: 'end', document, accepted: true, storylines: 1, ranges: [] }], { sourceId: 's' });
      const found = await store.find('zzzz29999');
      await store.maintain({ retention: 0, safetyAge: 0 });
      console.log(found.length, (await store.find('zzzz17')).length);`;
    const ended = spawnSync('taskset', ['-c', '0', process.execPath, '--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 55_000,
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, STORE: `${temporaryFolder()}/store` },
    });
    // With one thread (LANCE_CPU_THREADS=1) a table of this size never gets its index.
    expect(ended.stderr).toBe('');
    expect(ended.stdout.trim()).toBe('1 1');
  });

  test('snippets: around the first match, plain white space, matches as places', () => {
    const text = `${'x '.repeat(100)}before\n\tNeedle after ${'y '.repeat(200)}`;
    const { text: shown, matches } = snippetOf(text, wordsOf('needle'));
    expect(shown.startsWith('…')).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
    expect(shown).not.toMatch(/[\n\t]/);
    expect(matches.map(([begin, end]) => shown.slice(begin, end))).toEqual(['Needle']);
    expect(snippetOf('needles needle', ['needle']).matches).toEqual([[8, 14]]);
    expect(snippetOf('İİİ needle', ['needle']).text).toBe('İİİ needle');
    expect(snippetOf('nothing', ['needle'])).toEqual({ text: 'nothing', matches: [] });
    expect(wordsOf('机器学习 Café, foo-bar')).toEqual(expect.arrayContaining(['学习', 'cafe', 'foo', 'bar']));
  });
});

test('a store without text to search finds nothing', async () => {
  const { store } = await freshStore();
  expect(await store.find('anything')).toEqual([]);
  await put(store, [{ storylines: [story('empty', 0)] }]);
  expect(await store.find('anything')).toEqual([]);
  await store.close();
});
