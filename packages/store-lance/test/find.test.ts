import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Issue, Storyline } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { snippetOf, wordsOf } from '../src/find/snippet.ts';
import { openStore } from '../src/index.ts';
import { storeInternals } from '../src/store-internals.ts';
import { canBeForbidden, freshStore, put, story, temporaryFolder } from './helpers.ts';

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

  test('parts of words of scripts without spaces between them are found, behind whole words, in order', async () => {
    const { store } = await freshStore();
    await put(store, [
      { storylines: [said('bridge', '南京市长江大桥')] },
      { storylines: [said('student', '大学生活动中心在哪里')] },
      { storylines: [said('origin', '研究生命起源的科学家')] },
      { storylines: [said('thai', 'ประเทศไทยสวยงาม')] },
      { storylines: [said('korean', '데이터베이스를 조회한다')] },
      { storylines: [said('kana', 'プログラミング言語')] },
      { storylines: [said('whole', '我们 研究 一下 bash')] },
      { storylines: [said('call', null, { tool_calls: [{ tcid: 'c', fn: 'f', args: '研究生命' }] })] },
    ]);
    const found = async (query: string, options = {}) => await store.find(query, options);
    const ids = async (query: string, options = {}) =>
      (await found(query, options)).map((hit) => hit.documentId);
    for (const word of ['南京', '市长', '长江', '大桥']) expect(await ids(word), word).toEqual(['bridge']);
    for (const word of ['大学', '学生', '生活', '活动中心'])
      expect(await ids(word), word).toEqual(['student']);
    for (const word of ['ประเทศ', 'ไทย', 'สวย']) expect(await ids(word), word).toEqual(['thai']);
    for (const word of ['데이터베이스', '조회', '데이터베이스'.normalize('NFD')])
      expect(await ids(word), word).toEqual(['korean']);
    expect(await ids('グラミ')).toEqual(['kana']);
    // Whole words first, then parts, always in the same order, and each once.
    const all = await found('研究');
    expect(all.map((hit) => hit.documentId).sort()).toEqual(['call', 'origin', 'whole']);
    expect(all[0]).toMatchObject({ documentId: 'whole', score: expect.any(Number) });
    expect(all.map((hit) => hit.score > 0)).toEqual([true, false, false]);
    const keys = all.slice(1).map((hit) => hit.documentKey);
    expect(keys).toEqual([...keys].sort());
    for (const limit of [1, 2, 3])
      expect(await ids('研究', { limit })).toEqual(all.slice(0, limit).map((hit) => hit.documentId));
    // Marked where they stand.
    for (const [word, hits] of [
      ['生命', await found('生命')],
      ['ไทย', await found('ไทย')],
      ['조회', await found('조회')],
    ] as const) {
      for (const { snippet } of hits)
        expect(snippet.matches.map(([begin, end]) => snippet.text.slice(begin, end))).toEqual([word]);
    }
    // With other words, any of several, and filters.
    expect(await ids('研究 bash')).toEqual(['whole']);
    expect(await ids('生命 起源')).toEqual(['origin']);
    expect(await ids('生命 zebra')).toEqual([]);
    expect((await ids('市长 조회 bash', { words: 'any' })).sort()).toEqual(['bridge', 'korean', 'whole']);
    expect(await ids('生命', { tool: 'f' })).toEqual(['call']);
    expect(await ids('生命', { source: 'agent' })).toEqual(['origin']);
    expect(await ids('生命', { filter: { documents: ['bridge'] } })).toEqual([]);
    // Parts of words of scripts with spaces are no words.
    expect(await ids('bas')).toEqual([]);
    // Only rows that count.
    await put(store, [{ storylines: [said('bridge', '没有')] }]);
    await store.delete({ documents: ['student'] });
    expect(await ids('市长')).toEqual([]);
    expect(await ids('学生')).toEqual([]);
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

  test('words that stand very often in the few rows outside the index are found all the same, last', async () => {
    const { store } = await freshStore();
    const turns = (count: number, text: string): Storyline => ({
      ...said('turns', ''),
      turns: Array.from({ length: count }, (_, index) => ({ id: index + 1, src: 'user', msg: text })),
    });
    await put(store, [{ storylines: [turns(100, 'common')] }, { storylines: [said('one', 'rare word')] }]);
    // Makes the index.
    expect(await store.find('common', { limit: 1_000 })).toHaveLength(100);
    // No more than a tenth of it.
    const often = 'needle '.repeat(200);
    await put(
      store,
      [{ storylines: [said('often', `${often} RÁRE wörd`)] }, { storylines: [said('also', often)] }],
      {
        sourceId: 'b',
      },
    );
    const found = async (query: string, options = {}) =>
      (await store.find(query, options)).map((hit) => hit.documentId).sort();
    expect(await found('needle')).toEqual(['also', 'often']);
    expect(await found('NEEDLE', { limit: 1 })).toHaveLength(1);
    expect(await found('needle zebra')).toEqual([]);
    expect(await found('needle rare')).toEqual(['often']);
    expect(await found('needle rare', { words: 'any' })).toEqual(['also', 'often', 'one']);
    expect(await found('rare word')).toEqual(['often', 'one']);
    expect(await found('needle', { filter: { documents: ['also'] } })).toEqual(['also']);
    await store.close();
  });

  test('case, accents and other ways to write a letter do not matter', async () => {
    const { store } = await freshStore();
    const texts = {
      composed: 'Caf\u00e9 noir',
      decomposed: 'Cafe\u0301 au lait',
      greek: 'Ελληνικά στην ΟΔΟΣ',
      cyrillic: 'Ёлка и йод',
      german: 'Große Straße',
      turkish: 'İstanbul',
      ascii: 'Istanbul',
      vietnamese: 'VIE\u0302\u0323T NAM',
      others: 'Łódź, œuvre, smørrebrød, Þór, ılık, Ħal',
    };
    await put(
      store,
      Object.entries(texts).map(([id, text]) => ({ storylines: [said(id, text)] })),
    );
    const found = async (query: string, ...expected: readonly (readonly [id: string, shown: string])[]) => {
      const hits = (await store.find(query)).map(({ documentId, snippet }) => [
        documentId,
        ...snippet.matches.map(([begin, end]) => snippet.text.slice(begin, end)),
      ]);
      expect(hits.sort(), query).toEqual(expected);
    };
    const cafes = [
      ['composed', 'Caf\u00e9'],
      ['decomposed', 'Cafe\u0301'],
    ] as const;
    for (const query of ['caf\u00e9', 'CAF\u00c9', 'cafe\u0301']) await found(query, ...cafes);
    for (const query of ['ελληνικά', 'ελληνικα', 'ΕΛΛΗΝΙΚΑ']) await found(query, ['greek', 'Ελληνικά']);
    await found('οδός', ['greek', 'ΟΔΟΣ']);
    for (const query of ['ёлка', 'елка', 'ЕЛКА']) await found(query, ['cyrillic', 'Ёлка']);
    for (const query of ['straße', 'strasse', 'STRASSE']) await found(query, ['german', 'Straße']);
    await found('İstanbul', ['ascii', 'Istanbul'], ['turkish', 'İstanbul']);
    await found('việt', ['vietnamese', 'VIE\u0302\u0323T']);
    for (const [query, shown] of [
      ['lodz', 'Łódź'],
      ['oeuvre', 'œuvre'],
      ['smorrebrod', 'smørrebrød'],
      ['thor', 'Þór'],
      ['ilik', 'ılık'],
      ['hal', 'Ħal'],
    ] as const)
      await found(query, ['others', shown]);
    // As docs/cli.md says: without an accent in the query the index alone is asked.
    await found('cafe', ['composed', 'Caf\u00e9']);
    await found('istanbul', ['ascii', 'Istanbul']);
    // Other letters are other words.
    await found('γλωσσα');
    await found('йод', ['cyrillic', 'йод']);
    await store.close();
  });

  test('words that are too long for the index are found', async () => {
    const { store } = await freshStore();
    const token = (length: number) => 'Ab0c'.repeat(Math.ceil(length / 4)).slice(0, length);
    const lengths = [127, 128, 129, 2_000];
    await put(
      store,
      lengths.map((length) => ({ storylines: [said(`d${length}`, `a key: ${token(length)}, and more`)] })),
    );
    const found = async (query: string, options = {}) =>
      (await store.find(query, options)).map((hit) => hit.documentId).sort();
    for (const length of lengths) {
      expect(await found(token(length)), `${length}`).toEqual([`d${length}`]);
      expect(await found(token(length).toLowerCase()), `${length}`).toEqual([`d${length}`]);
      expect(await found(`more ${token(length)}`), `${length}`).toEqual([`d${length}`]);
      expect(await found(`zebra ${token(length)}`), `${length}`).toEqual([]);
      expect(await found(`zebra ${token(length)}`, { words: 'any' }), `${length}`).toEqual([`d${length}`]);
    }
    expect(await found(token(130))).toEqual([]);
    await store.close();
  });

  test('what belongs to no turn is found, too: prompts, notes, answer, what was expected, error', async () => {
    const { store } = await freshStore();
    const result = {
      correct: false,
      status: 'failed',
      final_answer: 'axolotl',
      ground_truth: { is: 'quokka' },
      error: 'tapir',
    };
    const whole = said(
      'whole',
      'hello',
      { prompt: { user: 'turn prompt: ocelot' } },
      {
        run: 'R',
        prompt: { system: 'Be careful,\n"platypus"', user: '请汇总销售数据' },
        notes: 'a note of a wombat',
        task: { result },
      },
    );
    await put(store, [
      { storylines: [whole] },
      { storylines: [said('other', 'nothing of this', {}, { run: 'S' })] },
    ]);
    for (const word of ['platypus', '销售', 'wombat', 'axolotl', 'quokka', 'tapir', 'ocelot']) {
      const found = await store.find(word);
      expect(found, word).toEqual([
        {
          kind: 'story',
          documentKey: found[0]?.documentKey,
          documentId: 'whole',
          session: 'whole',
          run: 'R',
          score: expect.any(Number),
          snippet: expect.anything(),
        },
      ]);
      const { text, matches } = found[0]?.snippet ?? { text: '', matches: [] };
      expect(matches.map(([begin, end]) => text.slice(begin, end))).toEqual([word]);
    }
    // Words of prompt and message do not meet; status is for filters.
    expect(await store.find('hello platypus')).toEqual([]);
    expect(await store.find('failed')).toEqual([]);
    expect(await store.find('platypus', { tool: 'shell' })).toEqual([]);
    expect(await store.find('platypus', { source: 'agent' })).toEqual([]);
    expect(await store.find('platypus', { filter: { runs: ['S'] } })).toEqual([]);
    expect(await store.find('platypus', { filter: { runs: ['R'] } })).toHaveLength(1);
    await put(store, [{ storylines: [said('whole', 'hello', {}, { prompt: { system: 'emu' } })] }]);
    expect(await store.find('platypus')).toEqual([]);
    expect(await store.find('emu')).toHaveLength(1);
    await store.delete({ documents: ['whole'] });
    expect(await store.find('emu')).toEqual([]);
    await store.close();
  });

  test('equally good matches come by document, turn and call, whatever the limit and however they lie', async () => {
    const { store } = await freshStore();
    const same = (id: string): Storyline => ({
      ...said(id, 'needle'),
      turns: [0, 1, 2].map((turn) => ({
        id: turn + 1,
        src: 'agent',
        msg: 'needle',
        tool_calls: ['a', 'b'].map((call) => ({ tcid: `${turn}${call}`, fn: 'f', args: 'needle' })),
      })),
    });
    for (let index = 0; index < 24; index += 1)
      await put(store, [{ storylines: [same(`d${(index * 7) % 24}`)] }], { sourceId: `${index % 5}` });
    const places = (hits: Awaited<ReturnType<typeof store.find>>) =>
      hits.map(({ score, documentKey, turn, callId }) => ({
        score,
        place: [documentKey, turn, callId ?? ''].join(' '),
      }));
    const all = places(await store.find('needle', { limit: 1_000 }));
    expect(all).toHaveLength(24 * 9);
    const inOrder = [...all].sort(
      (left, right) => right.score - left.score || (left.place < right.place ? -1 : 1),
    );
    expect(all).toEqual(inOrder);
    for (const limit of [1, 5, 50]) {
      const some = places(await store.find('needle', { limit }));
      expect(some).toEqual(all.slice(0, limit));
    }
    await store.close();
  });

  test('the past is searched as it was', async () => {
    const { store } = await freshStore();
    await put(store, [
      { storylines: [said('a', 'needle', {}, { notes: 'okapi' })] },
      { storylines: [said('b', 'needle')] },
    ]);
    const { version } = (await store.versions()).at(-1) ?? { version: 0 };
    await store.tag('then');
    await put(store, [
      { storylines: [said('a', 'haystack')] },
      { storylines: [said('b', 'needle')] },
      { storylines: [said('c', 'needle')] },
    ]);
    await store.delete({ documents: ['b'] });
    const ids = async (reads: Pick<typeof store, 'find'>, word: string) =>
      (await reads.find(word)).map((hit) => hit.documentId).sort();
    expect(await ids(store, 'needle')).toEqual(['c']);
    for (const moment of [{ version }, { tag: 'then' }]) {
      const past = await store.at(moment);
      expect(await ids(past, 'needle')).toEqual(['a', 'b']);
      expect(await ids(past, 'okapi')).toEqual(['a']);
      expect(await ids(past, 'haystack')).toEqual([]);
    }
    await store.maintain({ safetyAge: 0 });
    expect(await ids(await store.at({ tag: 'then' }), 'needle')).toEqual(['a', 'b']);
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
    expect(snippetOf('先看看目录', ['看看', '看看目录', '录', '看']).matches).toEqual([[1, 5]]);
    expect(snippetOf('大区大区', ['大区', '区', '区大']).matches).toEqual([[0, 4]]);
    expect(snippetOf('大区 大区', ['大区', '区']).matches).toEqual([
      [0, 2],
      [3, 5],
    ]);
    expect(snippetOf('İİİ needle', ['needle'])).toEqual({ text: 'İİİ needle', matches: [[4, 10]] });
    // As many letters more as less.
    expect(snippetOf('cafe\u0301 ß needle', ['needle']).matches).toEqual([[8, 14]]);
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

describe('a store that cannot be written', () => {
  // Lance drops a row outside the index when its words are more often outside than the index holds rows.
  const common = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => from + index).map((number) => ({
      storylines: [
        said(`d${number}`, `${'alpha '.repeat(90)}${number % 2 === 0 ? 'beta' : 'gamma'} word${number}`),
      ],
    }));

  test.each([
    'Permission denied (os error 13)',
    'Read-only file system (os error 30)',
    'No space left on device (os error 28)',
    'a failure that nobody has seen yet',
  ])('finds everything without an index and with an old one, and says so: %s', async (message) => {
    const { store: writer, uri } = await freshStore();
    const search = async () => {
      const issues: Issue[] = [];
      const store = await openStore(uri, { onIssue: (issue) => issues.push(issue) });
      for (const table of Object.values(storeInternals(store).context.tables)) {
        const refuse = () => Promise.reject(new Error(message));
        Object.assign(table, { createIndex: refuse, optimize: refuse });
      }
      const count = async (query: string, options = {}) =>
        (await store.find(query, { limit: 1_000, ...options })).length;
      const found = [
        await count('alpha'),
        await count('alpha beta'),
        await count('alpha beta', { words: 'any' }),
        await count('word1'),
        await count('zebra'),
        (await store.find('gamma', { limit: 2 })).length,
      ];
      await store.close();
      return { found, issues: issues.map(({ code, severity }) => [severity, code]) };
    };
    const behind = [['warning', 'store/index-behind']];
    await put(writer, common(6));
    expect(await search()).toEqual({ found: [6, 3, 6, 1, 0, 2], issues: behind });
    // Makes the index.
    expect(await writer.find('alpha')).toHaveLength(6);
    expect(await search()).toEqual({ found: [6, 3, 6, 1, 0, 2], issues: [] });
    await put(writer, common(60, 6));
    expect(await search()).toEqual({ found: [66, 33, 66, 1, 0, 2], issues: behind });
    await writer.close();
  });

  test.skipIf(!canBeForbidden())('nobody may write there: the same', async () => {
    const { store, uri } = await freshStore();
    await put(store, common(6));
    await store.close();
    const script = `import { openStore } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
      const issues = [];
      const store = await openStore(process.env.STORE, { onIssue: ({ code }) => issues.push(code) });
      console.log((await store.find('alpha')).length, ...issues);`;
    const file = join(uri, '..', 'search.mjs');
    writeFileSync(file, script);
    chmodSync(join(uri, '..'), 0o755);
    const entries = readdirSync(uri, { recursive: true, withFileTypes: true });
    const folders = [uri];
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else chmodSync(path, 0o444);
    }
    for (const folder of folders) chmodSync(folder, 0o555);
    // Root may write anywhere: search as somebody else.
    const ended = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      env: { ...process.env, STORE: uri },
      ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
    });
    for (const folder of folders) chmodSync(folder, 0o755);
    expect(ended.stdout.trim(), ended.stderr).toBe('6 store/index-behind');
  });
});
