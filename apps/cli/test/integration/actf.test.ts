import { join } from 'node:path';
import { actf, normaliseActf } from '@pchronicle/format-actf';
import type { Json } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryActf } from '../../../../packages/format-actf/test/generate-actf.ts';
import { casesOf } from '../../../../packages/format-actf/test/support/cases.ts';
import { corpus, exact, expectEqual, generated, readCorpus, readJson, root } from './support/documents.ts';
import {
  documentSource,
  linesSource,
  sourceName,
  throughStore,
  writeAll,
  writeLines,
} from './support/through-store.ts';

/** Imports documents as one JSON Lines file, exports the store as lines, and compares them in order (decision G1). */
async function expectLinesBack(documents: readonly Json[]): Promise<readonly Json[]> {
  return await throughStore(actf, [linesSource('tasks.jsonl', documents)], async ({ store, rejected }) => {
    expect([...rejected]).toEqual([]);
    const lines = await writeLines(actf, await store.collection());
    expect(lines).toHaveLength(documents.length);
    const back = lines.map((line) => exact(line));
    for (const [index, document] of documents.entries())
      expectEqual(back[index], normaliseActf(document), `document ${index}`);
    return back;
  });
}

/** The same, each document alone in its own file. */
async function expectFilesBack(documents: readonly Json[]): Promise<readonly string[]> {
  const sources = documents.map((document, index) => documentSource(sourceName(index), document));
  return await throughStore(actf, sources, async ({ store, rejected }) => {
    expect([...rejected]).toEqual([]);
    const written = await writeAll(actf, await store.collection());
    expect(written.map(({ source }) => source)).toEqual(sources.map(({ name }) => name));
    for (const [index, document] of documents.entries())
      expectEqual(exact(written[index]?.text ?? ''), normaliseActf(document), sourceName(index));
    return written.map(({ text }) => text);
  });
}

describe('G1: ACTF → Storyline → Lance → Storyline → ACTF is the normal form', () => {
  const golden = casesOf('actf').filter(({ op }) => op === 'import' || op === 'roundtrip');

  test('of the golden documents, a file each and all in one file', async () => {
    expect(golden.length).toBeGreaterThan(40);
    const documents = golden.map(({ input }) => input);
    await expectFilesBack(documents);
    const first = await expectLinesBack(documents);
    // The normal form is a fixed point, through the store too.
    const second = await expectLinesBack(first);
    for (const [index, document] of first.entries()) expectEqual(second[index], document, sourceName(index));
  });

  test('of the bundled example, with every digit', async () => {
    const document = readJson(join(root, 'examples/actf/make-report.actf.json'));
    const [text = ''] = await expectFilesBack([document]);
    const long = ['18446744073709551615', '1786000000123456789', '9223372036854775807', '9007199254740993'];
    expect(long.filter((digits) => !text.includes(digits))).toEqual([]);
  });

  test('of generated documents: 150 in one file', async () => {
    const documents = fc.sample(arbitraryActf(), generated(150));
    await expectLinesBack(documents);
  });

  test.skipIf(!corpus)('of the public file', async () => {
    await expectFilesBack([readCorpus('actf/make-doom-for-mips_trimmed.actf.json')]);
  });
});
