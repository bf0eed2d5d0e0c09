import { normaliseOpenaiMessages, openaiMessages } from '@pchronicle/format-openai-msg';
import { bytesSource, getOwn, type Json, type JsonObject, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryRows } from '../../../../packages/format-openai-msg/test/support/arbitrary-rows.ts';
import { readCases, textOf } from '../../../../packages/format-openai-msg/test/support/cases.ts';
import { rowsOfTrajectory } from '../../../../packages/format-openai-msg/test/support/trajectories.ts';
import { corpus, exact, expectEqual, generated, readCorpus } from './support/documents.ts';
import { type Filled, linesSource, sourceName, throughStore, writeAll } from './support/through-store.ts';

/** Imports documents in one import, each from a file of its own, and compares what comes back. */
async function expectFilesBack(
  documents: readonly Json[],
  look: (filled: Filled) => void = () => {},
): Promise<void> {
  const names = documents.map((_, index) => sourceName(index));
  const sources = documents.map((document, index) => bytesSource(names[index] ?? '', stringify(document)));
  await throughStore(openaiMessages, sources, async (filled) => {
    look(filled);
    const { store, rejected } = filled;
    expect([...rejected]).toEqual([]);
    const written = await writeAll(openaiMessages, await store.collection());
    const texts = new Map(written.map(({ source, text }) => [source, text]));
    expect(texts.size).toBe(written.length);
    expect(written).toHaveLength(documents.length);
    for (const [index, document] of documents.entries()) {
      const name = names[index] ?? '';
      expectEqual(exact(texts.get(name) ?? 'null'), normaliseOpenaiMessages(document), name);
    }
  });
}

describe('G1: OpenAI Messages → Storyline → Lance → Storyline → OpenAI Messages is the normal form', () => {
  test('of the conformance cases', async () => {
    const documents = readCases('conformance')
      .filter((one) => ['import', 'roundtrip'].includes(textOf(one, 'op')))
      .map((one) => getOwn(one, 'input') ?? null);
    expect(documents.length).toBeGreaterThan(35);
    await expectFilesBack(documents);
  });

  test('of 150 generated corpora: interleaved, unsorted, sliding windows, hostile keys', async () => {
    const documents = fc.sample(arbitraryRows('any'), generated(150));
    await expectFilesBack(documents);
  });

  test.skipIf(!corpus)('of the public rows: several sessions, out of order', async () => {
    const document = readCorpus('openai-messages/cybergym_0729001_trimmed.json');
    await expectFilesBack([document], ({ storylines }) => expect(storylines).toHaveLength(2));
  });

  test.skipIf(!corpus)(
    'of the tau-bench runs as rows: 155 sessions, 910 calls, 62 of them with a reused id',
    async () => {
      const runs = readCorpus('tau-bench/gpt-4o-airline_first-rows.json') as readonly JsonObject[];
      expect(runs).toHaveLength(155);
      const rows = runs.flatMap((run, index) =>
        rowsOfTrajectory(`run-${index}`, getOwn(run, 'traj') as readonly JsonObject[]),
      );
      await throughStore(openaiMessages, [linesSource('tau.jsonl', rows)], async (filled) => {
        expect(filled.storylines).toHaveLength(155);
        const reused = filled.issues.filter(({ code }) => code === 'openai-msg/reused-call-id');
        expect(reused).toHaveLength(62);
        const { documents, toolCalls } = await filled.store.info();
        expect({ documents, toolCalls }).toEqual({ documents: 155, toolCalls: 910 });
        const stories = await filled.store.collection();
        const written = await writeAll(openaiMessages, stories, { outer: 'lines' });
        expect(written).toHaveLength(1);
        const lines = (written[0]?.text ?? '')
          .trimEnd()
          .split('\n')
          .map((line) => exact(line));
        expectEqual({ session_steps: lines }, normaliseOpenaiMessages({ session_steps: rows }));
      });
    },
  );
});
