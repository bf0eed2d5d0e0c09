import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ordinalOf, sourceDocumentOf } from '../src/identity.ts';
import { documentKeyOf, openStore, shareOf, sourceIdOf } from '../src/index.ts';
import { collect, contents, events, freshStore, put, story, temporaryFolder } from './helpers.ts';

const ids = async (store: Awaited<ReturnType<typeof openStore>>) =>
  (await collect(store.list())).map((run) => run.documentId);

describe('identity of documents (store.md, Identity)', () => {
  test('same key, same content: nothing to do', async () => {
    const { store } = await freshStore();
    const documents = [{ storylines: [story('a'), story('b')] }, { storylines: [story('c')] }];
    expect((await put(store, documents)).documents).toMatchObject({ new: 3, unchanged: 0 });
    const before = await store.info();
    const again = await put(store, documents);
    expect(again.documents).toMatchObject({ new: 0, replaced: 0, unchanged: 3, tombstoned: 0, copies: 0 });
    expect(again.rows).toEqual({ runs: 0, steps: 0, tool_calls: 0 });
    expect((await store.info()).tables).toEqual(before.tables);
    await store.close();
  });

  test('same key, other content: replaced, and back again (A → B → A counts once)', async () => {
    const { store } = await freshStore();
    const versions = [story('a', 4, {}, 'first'), story('a', 6, {}, 'second'), story('a', 4, {}, 'first')];
    for (const [index, storyline] of versions.entries()) {
      const { documents } = await put(store, [{ storylines: [storyline] }]);
      expect(documents).toMatchObject(index === 0 ? { new: 1 } : { replaced: 1, new: 0 });
      expect(await contents(store)).toEqual([storyline]);
    }
    expect(await store.info()).toMatchObject({
      documents: 1,
      steps: 4,
      superseded: { runs: 2, steps: 10 },
      orphans: { steps: 0 },
    });
    expect((await collect(store.list()))[0]?.revision).toBe(3);
    await store.close();
  });

  test('content that differs only in the names of the source file is the same', async () => {
    const { store } = await freshStore();
    const named = (name: string) =>
      story('a', 2, {
        origin: { format: 'test', document_id: name },
        unknown_fields: { sources: { test: { source_document_id: name, fields: { '/x': 1 } } } },
        unknown_key_counts: { test: { '/x': 1 } },
      });
    await put(store, [{ storylines: [named('one.json')] }]);
    expect((await put(store, [{ storylines: [named('two.json')] }])).documents).toMatchObject({
      unchanged: 1,
    });
    await store.close();
  });

  test('several sources in one import: each has its own ids, ordinals and tombstones', async () => {
    const { store } = await freshStore();
    const put2 = async (one: readonly string[], two: readonly string[]) => {
      async function* both() {
        yield* events([{ storylines: one.map((id) => story(id, 2, {}, 'one')), key: 'task' }], 'one.json');
        yield* events([{ storylines: two.map((id) => story(id, 2, {}, 'two')), key: 'task' }], 'two.json');
      }
      const sourceId = (document: { at: { source?: string } }) => document.at.source ?? '';
      return (await store.ingest(both(), { sourceId })).documents;
    };
    expect(await put2(['a', 'b'], ['a', 'c'])).toMatchObject({ new: 4, copies: 0 });
    const found = await collect(store.list());
    expect(found.map((run) => [run.documentId, run.source, run.sourceId])).toEqual([
      ['a', 'one.json', 'one.json'],
      ['b', 'one.json', 'one.json'],
      ['a', 'two.json', 'two.json'],
      ['c', 'two.json', 'two.json'],
    ]);
    expect(found.map((run) => run.documentKey)).toEqual([
      documentKeyOf('one.json', 'a'),
      documentKeyOf('one.json', 'b'),
      documentKeyOf('two.json', 'a'),
      documentKeyOf('two.json', 'c'),
    ]);
    expect(await put2(['a', 'b'], ['a'])).toMatchObject({ new: 0, unchanged: 3, tombstoned: 1 });
    expect((await collect(store.list())).map((run) => run.documentKey)).toEqual([
      documentKeyOf('one.json', 'a'),
      documentKeyOf('one.json', 'b'),
      documentKeyOf('two.json', 'a'),
    ]);
    await store.close();
  });

  test('other source, same document_id: both kept, equal content is reported as a copy', async () => {
    const { store } = await freshStore();
    await put(store, [{ storylines: [story('a')] }], { sourceId: 'one' });
    const other = await put(store, [{ storylines: [story('a', 4, {}, 'other')] }], { sourceId: 'two' });
    expect(other.documents).toMatchObject({ new: 1, copies: 0 });
    const copy = await put(store, [{ storylines: [story('a')] }], { sourceId: 'three' });
    expect(copy.documents).toMatchObject({ new: 1, copies: 1 });
    expect(copy.issues.map((issue) => issue.code)).toEqual(['store/copy']);
    expect(await ids(store)).toEqual(['a', 'a', 'a']);
    expect(await store.resolve('a')).toHaveLength(3);
    await store.close();
  });

  test('--skip-copies leaves a copy out, and only a copy', async () => {
    const { store } = await freshStore();
    await put(store, [{ storylines: [story('a'), story('b')] }], { sourceId: 'one' });
    const copies = await put(store, [{ storylines: [story('a'), story('b', 2)] }], {
      sourceId: 'two',
      skipCopies: true,
    });
    expect(copies.documents).toMatchObject({ new: 1, copies: 1 });
    expect(copies.issues.map((issue) => issue.code)).toEqual(['store/skipped-copy']);
    expect(await ids(store)).toEqual(['a', 'b', 'b']);
    await store.close();
  });

  test('the same document_id several times in one source: all kept, with ordinals and a warning; stable on re-import', async () => {
    const { store } = await freshStore();
    const documents = [1, 2, 3].map((index) => ({ storylines: [story('same', 2, {}, String(index))] }));
    const first = await put(store, documents);
    expect(first.documents).toMatchObject({ new: 3, replaced: 0, tombstoned: 0 });
    expect(first.issues.map((issue) => [issue.code, issue.severity])).toEqual([
      ['store/repeated-id', 'warning'],
      ['store/repeated-id', 'warning'],
    ]);
    const runs = await collect(store.list());
    expect(runs.map((run) => run.documentKey)).toEqual(
      [1, 2, 3].map((ordinal) => documentKeyOf('source-a', 'same', ordinal)),
    );
    expect((await put(store, documents)).documents).toMatchObject({ unchanged: 3, tombstoned: 0 });
    expect(await contents(store)).toEqual(documents.flatMap((document) => document.storylines));
    await store.close();
  });

  test('a rejected document does not use up an ordinal', async () => {
    const { store } = await freshStore();
    await put(store, [
      { storylines: [story('same', 2, {}, 'bad')], accepted: false },
      { storylines: [story('same', 2, {}, 'good')] },
    ]);
    expect((await collect(store.list())).map((run) => run.documentKey)).toEqual([
      documentKeyOf('source-a', 'same'),
    ]);
    await store.close();
  });

  test('ids that hold U+001F: ordinals are taken back, and no id looks like another one with an ordinal', async () => {
    const { store } = await freshStore();
    const odd = 'a\u001fb';
    await put(store, [
      { storylines: [story(odd, 2, {}, 'bad')], accepted: false },
      { storylines: [story(odd, 2, {}, 'good')] },
    ]);
    // The first of its id that was accepted: as if the rejected one had never been.
    expect((await store.collection()).sourceOf(0)).toBe('source-a#1');
    expect(sourceDocumentOf(odd, 1)).toBe('a\u001f\u001fb');
    expect((await put(store, [{ storylines: [story(odd, 2, {}, 'good')] }])).documents.unchanged).toBe(1);
    for (const id of ['a', odd, 'a\u001f', 'a\u001f2', '\u001f', 'a\u001f\u001f3', '\u001f\u001f'])
      for (const ordinal of [1, 2, 13]) expect(ordinalOf(sourceDocumentOf(id, ordinal)), id).toBe(ordinal);
    expect(sourceDocumentOf('a', 2)).not.toBe(sourceDocumentOf('a\u001f2', 1));
    // The second document "a" and the document "a␟2" are different ones: neither makes the other vanish.
    const both = [
      { storylines: [story('a', 2, {}, '1')] },
      { storylines: [story('a', 2, {}, '2')] },
      { storylines: [story('a\u001f2', 2, {}, '3')] },
    ];
    await put(store, both, { sourceId: 'b' });
    const again = await put(store, both, { sourceId: 'b', batch: { documents: 1 } });
    expect(again.documents).toMatchObject({ unchanged: 3, new: 0, tombstoned: 0 });
    await store.close();
  });

  test('a source document that no longer gives a Storyline: the old key gets a tombstone in the same commit', async () => {
    const { store } = await freshStore();
    const attempt = (id: string, number: string) => story(id, 2, { run: 'T', attempt_id: number });
    await put(store, [{ storylines: [attempt('T', '1')] }, { storylines: [story('other')] }]);
    const versions = (await store.info()).tables.runs.version;
    const renamed = await put(store, [
      { storylines: [attempt('T#attempt-1', '1'), attempt('T#attempt-2', '2')] },
      { storylines: [story('other')] },
    ]);
    expect(renamed.documents).toMatchObject({ new: 2, tombstoned: 1, unchanged: 1 });
    expect(renamed.issues.map((issue) => issue.code)).toEqual(['store/vanished']);
    expect((await store.info()).tables.runs.version).toBe(versions + 1);
    expect(await ids(store)).toEqual(['T#attempt-1', 'T#attempt-2', 'other']);
    const gone = await put(store, [{ storylines: [attempt('T#attempt-2', '2')] }]);
    expect(gone.documents).toMatchObject({ tombstoned: 1, unchanged: 1 });
    expect(await ids(store)).toEqual(['T#attempt-2', 'other']);
    // And back: a tombstone is no obstacle.
    const back = await put(store, [{ storylines: [attempt('T', '1')] }]);
    expect(back.documents).toMatchObject({ new: 1, tombstoned: 1 });
    expect(await ids(store)).toEqual(['T', 'other']);
    expect((await store.verify()).faults).toEqual([]);
    await store.close();
  });

  test('only complete documents tombstone: salvaged and rejected ones do not', async () => {
    const { store } = await freshStore();
    const attempts = ['1', '2', '3'].map((number) =>
      story(`T#${number}`, 2, { run: 'T', attempt_id: number }),
    );
    await put(store, [{ storylines: attempts }]);
    const salvaged = await put(store, [{ storylines: attempts.slice(1), salvaged: true }]);
    expect(salvaged.documents).toMatchObject({ unchanged: 2, tombstoned: 0 });
    await put(store, [{ storylines: attempts.slice(2), accepted: false }]);
    expect(await ids(store)).toEqual(['T#1', 'T#2', 'T#3']);
    await store.close();
  });

  test('two source documents of one id in a source do not remove each other', async () => {
    const { store } = await freshStore();
    const documents = ['x', 'y'].map((model) => ({
      storylines: ['1', '2'].map((number) =>
        story(`T#${number}`, 2, { run: 'T', attempt_id: number }, model),
      ),
    }));
    await put(store, documents);
    expect(await ids(store)).toHaveLength(4);
    const again = await put(store, documents);
    expect(again.documents).toMatchObject({ unchanged: 4, tombstoned: 0 });
    // Both lose their second attempt.
    const fewer = await put(
      store,
      documents.map((document) => ({ storylines: document.storylines.slice(0, 1) })),
    );
    expect(fewer.documents).toMatchObject({ unchanged: 2, tombstoned: 2 });
    expect(await contents(store)).toEqual(documents.map((document) => document.storylines[0]));
    await store.close();
  });

  test('a dry run says what would happen and writes nothing', async () => {
    const { store } = await freshStore();
    await put(store, [{ storylines: [story('a'), story('b')] }]);
    const before = (await store.info()).tables;
    const dry = await put(
      store,
      [{ storylines: [story('a'), story('b', 6)] }, { storylines: [story('c')] }],
      { dryRun: true },
    );
    expect(dry.documents).toMatchObject({ new: 1, replaced: 1, unchanged: 1 });
    expect(dry.rows).toEqual({ runs: 0, steps: 0, tool_calls: 0 });
    expect((await store.info()).tables).toEqual(before);
    await store.close();
  });

  test('shares split by source document, never by Storyline, and together give the whole source', async () => {
    const { store } = await freshStore();
    const documents = Array.from({ length: 30 }, (_, index) => ({
      storylines: ['1', '2'].map((number) =>
        story(`T${index % 25}#${number}`, 2, { run: `T${index % 25}`, attempt_id: number }, String(index)),
      ),
    }));
    let elsewhere = 0;
    for (const index of [1, 2, 3]) {
      const summary = await put(store, documents, { share: { index, count: 3 } });
      expect(summary.documents.new).toBeGreaterThan(0);
      expect(summary.documents.new % 2).toBe(0);
      elsewhere += summary.documents.elsewhere;
    }
    expect(elsewhere).toBe(120);
    expect(await contents(store)).toEqual(documents.flatMap((document) => document.storylines));
    expect((await put(store, documents)).documents).toMatchObject({ unchanged: 60, new: 0 });
    expect(new Set(Array.from({ length: 100 }, (_, index) => shareOf('s', `T${index}`, 4)))).toEqual(
      new Set([1, 2, 3, 4]),
    );
    await store.close();
  });

  test('a source id depends neither on the working directory nor on links', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.json'), '{}');
    symlinkSync(join(folder, 'a.json'), join(folder, 'link.json'));
    expect(sourceIdOf(join(folder, 'a.json'))).toBe(sourceIdOf(join(folder, 'link.json')));
    expect(sourceIdOf(join(folder, 'a.json'))).not.toBe(sourceIdOf(join(folder, 'b.json')));
    expect(sourceIdOf(join(folder, 'a.json'))).toMatch(/^[0-9a-z]{20}$/);
  });

  test('ids that are hostile to SQL, to UTF-8 and to concatenation stay apart and are found', async () => {
    const { store } = await freshStore();
    const hostile = [
      "a' OR '1'='1",
      'a"; DROP',
      'a\\',
      'a\u0000b',
      '\ud800',
      '\ud801',
      '%',
      '中文',
      '`x`',
      ''.padEnd(3000, 'k'),
      '__proto__',
      "''",
    ];
    await put(
      store,
      hostile.map((id) => ({ storylines: [story(id, 2)] })),
    );
    expect((await contents(store)).map((item) => item.session).sort()).toEqual([...hostile].sort());
    for (const id of hostile) {
      const found = await store.resolve(id);
      // A filter cannot tell one lone surrogate from another: both are candidates.
      expect(found, JSON.stringify(id)).toHaveLength(/^[\ud800-\udfff]$/.test(id) ? 2 : 1);
    }
    expect(new Set(hostile.map((id) => documentKeyOf('s', id))).size).toBe(hostile.length);
    expect(documentKeyOf('ab', 'c')).not.toBe(documentKeyOf('a', 'bc'));
    expect(
      (
        await put(
          store,
          hostile.map((id) => ({ storylines: [story(id, 2)] })),
        )
      ).documents,
    ).toMatchObject({ unchanged: hostile.length });
    await store.close();
  });

  test('an import that outgrows the loaded rows of the store looks them up instead', async () => {
    const { store, uri } = await freshStore();
    const other = await openStore(uri);
    const documents = Array.from({ length: 12 }, (_, index) => ({
      storylines: [story(`d${index}`, 2, { run: 'R', attempt_id: String(index) })],
      key: `k${index % 4}-${index}`,
    }));
    await put(store, documents);
    // Another process commits between this import's batches: what was loaded at its start is no longer all there is.
    let commits = 0;
    const slow = async function* () {
      for (const event of events(documents)) {
        yield event;
        if (event.type === 'end' && commits < 3) {
          commits += 1;
          await put(
            other,
            [{ storylines: [story(`d${event.document.ordinal + 6}`, 2, {}, `other ${commits}`)] }],
            { sourceId: 'source-b' },
          );
        }
      }
    };
    const summary = await store.ingest(slow(), { sourceId: 'source-a', batch: { documents: 1 } });
    expect(summary.documents).toMatchObject({ unchanged: 12, new: 0, tombstoned: 0 });
    await other.close();
    await store.close();
  });
});
