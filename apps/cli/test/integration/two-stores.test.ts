import { join } from 'node:path';
import { actf } from '@pchronicle/format-actf';
import { openaiMessages } from '@pchronicle/format-openai-msg';
import type { Store } from '@pchronicle/store-lance';
import {
  type AnyFormat,
  bytesSource,
  contentHash,
  type Json,
  type Source,
  storylineFormat,
  storylineToJson,
  stringify,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryStoryline } from '../../../../packages/conformance/src/index.ts';
import { arbitraryActf } from '../../../../packages/format-actf/test/generate-actf.ts';
import { arbitraryRows } from '../../../../packages/format-openai-msg/test/support/arbitrary-rows.ts';
import { generated, readJson, root } from './support/documents.ts';
import {
  documentSource,
  fill,
  linesSource,
  throughStore,
  withStore,
  writeLines,
} from './support/through-store.ts';

/** Content hashes of a store, in the order of its listing, with the ids they belong to. */
async function hashesOf(store: Store): Promise<readonly (readonly [string, string])[]> {
  const hashes: (readonly [string, string])[] = [];
  for await (const run of store.list()) hashes.push([run.documentId, run.contentHash]);
  return hashes;
}

/** Fills a store, moves everything into another one as Storylines one a line, and compares the two. */
async function expectMoved(format: AnyFormat, sources: readonly Source[]): Promise<void> {
  await throughStore(format, sources, async ({ store, storylines }) => {
    const hashes = await hashesOf(store);
    expect(hashes.map(([, hash]) => hash)).toEqual(storylines.map(contentHash));
    expect(hashes.length).toBeGreaterThan(0);
    const lines = await writeLines(storylineFormat, await store.collection());
    await withStore(async (other) => {
      const moved = await fill(other, storylineFormat, [bytesSource('moved.jsonl', `${lines.join('\n')}\n`)]);
      expect([...moved.rejected]).toEqual([]);
      expect(await hashesOf(other)).toEqual(hashes);
      // And out of the second store come the very same lines.
      expect(await writeLines(storylineFormat, await other.collection())).toEqual(lines);
    });
  });
}

test('G20: two stores hold equal content: the bundled example, moved as Storylines', async () => {
  const document = readJson(join(root, 'examples/actf/make-report.actf.json'));
  await expectMoved(actf, [documentSource('make-report.actf.json', document)]);
});

test('G20: two stores hold equal content: generated ACTF documents', async () => {
  await expectMoved(actf, [linesSource('tasks.jsonl', fc.sample(arbitraryActf(), generated(40)))]);
});

test('G20: two stores hold equal content: generated rows', async () => {
  const documents = fc.sample(arbitraryRows('any'), generated(40));
  const sources = documents.map((document, index) =>
    bytesSource(`rows-${1000 + index}.json`, stringify(document)),
  );
  await expectMoved(openaiMessages, sources);
});

test('G20: two stores hold equal content: generated Storylines of no other format', async () => {
  const storylines: readonly Json[] = fc
    .sample(arbitraryStoryline(), generated(100))
    .map((storyline) => storylineToJson(storyline));
  await expectMoved(storylineFormat, [linesSource('storylines.jsonl', storylines)]);
});
