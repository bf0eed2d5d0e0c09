import { join } from 'node:path';
import { actf, normaliseActf } from '@pchronicle/format-actf';
import { normaliseOpenaiMessages, openaiMessages } from '@pchronicle/format-openai-msg';
import {
  type AnyFormat,
  bytesSource,
  documentIdOf,
  exportDocument,
  getOwn,
  importDocument,
  importStorylines,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Storyline,
  storyCollection,
  storylineFormat,
  storylineToJson,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryActf } from '../../../../packages/format-actf/test/generate-actf.ts';
import { arbitraryRows } from '../../../../packages/format-openai-msg/test/support/arbitrary-rows.ts';
import { rowsOfTrajectory } from '../../../../packages/format-openai-msg/test/support/trajectories.ts';
import { sourceDocuments } from '../../src/read/source-documents.ts';
import { corpus, exact, expectEqual, generated, readCorpus, readJson, root } from './support/documents.ts';
import {
  documentSource,
  fill,
  sourceName,
  throughStore,
  type Written,
  withStore,
  writeAll,
} from './support/through-store.ts';

const CARRY = { carry: true };

const example = readJson(join(root, 'examples/actf/make-report.actf.json'));

/** Two sessions of a calculator agent: a call and its result, reused ids, a refusal, keys of a vendor. */
const corpusOfRows: Json = {
  session_steps: ['s1', 's2'].flatMap((session) =>
    rowsOfTrajectory(session, [
      { role: 'system', content: 'Calculate.' },
      { role: 'user', content: `17 × 23 for ${session}?` },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'Ask the calculator.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'calc', arguments: '{"e": "17*23"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '391' },
      { role: 'assistant', content: '391 📐', vendor: { seed: '九' } },
      { role: 'user', content: 'and 17 × 24?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'calc', arguments: '{"e": "17*24"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '408' },
      { role: 'assistant', content: '408' },
    ]).map((row) => ({ ...(row as JsonObject), agent_id: 'calculator', dt: '20260801' })),
  ),
};

interface Side {
  readonly format: AnyFormat;
  readonly document: Json;
  readonly normalise: (document: Json) => Json;
}

const fromActf: Side = { format: actf, document: example, normalise: normaliseActf };
const fromRows: Side = { format: openaiMessages, document: corpusOfRows, normalise: normaliseOpenaiMessages };

/** Imports a document, and writes all of its Storylines in another format. */
async function cross<Result>(
  { format, document }: Side,
  target: AnyFormat,
  options: { readonly carry?: boolean },
  use: (documents: readonly Written[], storylines: readonly Storyline[]) => Result | Promise<Result>,
): Promise<Result> {
  return await throughStore(format, [documentSource('source', document)], async ({ store, storylines }) => {
    expect(storylines.length).toBeGreaterThan(0);
    return await use(await writeAll(target, await store.collection(), options), storylines);
  });
}

/** There and back, through a store on each side. */
async function expectCarriedBack(side: Side, target: AnyFormat): Promise<void> {
  await cross(side, target, CARRY, async (documents, storylines) => {
    await withStore(async (store) => {
      // Several documents travel in one file, one a line.
      const text = documents.map((document) => `${document.text}\n`).join('');
      const { rejected } = await fill(store, target, [bytesSource('carried', text)]);
      expect([...rejected]).toEqual([]);
      const wanted = new Map(storylines.map((story) => [documentIdOf(story), storylineToJson(story)]));
      let found = 0;
      for await (const { storyline } of store.storylines()) {
        found += 1;
        expectEqual(storylineToJson(storyline), wanted.get(documentIdOf(storyline)) ?? null);
      }
      expect(found).toBe(storylines.length);
      const back = await writeAll(side.format, await store.collection());
      expect(back).toHaveLength(1);
      expectEqual(exact(back[0]?.text ?? ''), side.normalise(side.document));
    });
  });
}

describe('ACTF → OpenAI Messages', () => {
  /** Rows that a trainer can use: a session, a step, the history up to it, and the answer. */
  async function expectUsable(side: Side): Promise<void> {
    await cross(side, openaiMessages, {}, ([written], storylines) => {
      const rows = getOwn(exact(written?.text ?? '') as JsonObject, 'session_steps');
      if (!isJsonArray(rows)) throw new Error('there are no rows');
      const sessions = new Map<Json, number>();
      for (const row of rows) {
        if (!isJsonObject(row)) throw new Error('a row is no object');
        const { session_id: session, step_id: step, messages, response } = row;
        expect(typeof session).toBe('string');
        expect(Number.isSafeInteger(step)).toBe(true);
        if (!isJsonArray(messages) || !isJsonObject(response))
          throw new Error('a row has no messages or response');
        expect(response.role).toBe('assistant');
        expect(Boolean(response.content) || isJsonArray(response.tool_calls)).toBe(true);
        for (const message of messages) {
          const role = isJsonObject(message) ? message.role : undefined;
          expect(['system', 'user', 'assistant', 'tool']).toContain(role);
        }
        sessions.set(session ?? null, (sessions.get(session ?? null) ?? 0) + 1);
      }
      // One row for each answer of the agent; a turn without one is told.
      for (const [index, story] of storylines.entries()) {
        const agent = story.turns.flatMap((turn, position) =>
          turn.src === 'agent' ? [{ turn, position }] : [],
        );
        const silent = agent.filter(({ turn }) => !turn.msg && (turn.tool_calls ?? []).length === 0);
        expect(sessions.get(story.session)).toBe(agent.length - silent.length);
        const told = (written?.issues ?? []).filter(({ at }) => at.record === index + 1);
        for (const { position } of silent)
          expect(told.some(({ at }) => at.pointer.startsWith(`/turns/${position}`))).toBe(true);
      }
      expect(sessions.size).toBe(storylines.length);
    });
  }

  test('gives usable rows of the example', async () => await expectUsable(fromActf));

  test.skipIf(!corpus)('gives usable rows of the public file', async () => {
    await expectUsable({ ...fromActf, document: readCorpus('actf/make-doom-for-mips_trimmed.actf.json') });
  });
});

describe('G14: from one format to another and back', () => {
  const ways: readonly (readonly [string, Side, AnyFormat])[] = [
    ['actf → openai-msg → actf', fromActf, openaiMessages],
    ['actf → storyline → actf', fromActf, storylineFormat],
    ['openai-msg → actf → openai-msg', fromRows, actf],
    ['openai-msg → storyline → openai-msg', fromRows, storylineFormat],
  ];

  test.each(ways)('%s is exact with carry', async (_, side, target) => await expectCarriedBack(side, target));

  test('A10: attempts of one task that passed through rows or Storylines are one document again, without a store too', async () => {
    for (const target of [openaiMessages, storylineFormat]) {
      await cross(fromActf, target, CARRY, async (documents) => {
        const sourceOf = sourceDocuments('input');
        const stories: Storyline[] = [];
        const sources: string[] = [];
        for (const { text } of [...documents, ...documents]) {
          for await (const event of importStorylines(bytesSource('input', text), target)) {
            if (event.type !== 'storyline') continue;
            stories.push(event.storyline);
            sources.push(sourceOf(event.document, event.storyline));
          }
        }
        const back = await writeAll(actf, {
          ...storyCollection(stories),
          sourceOf: (index) => sources[index],
        });
        // The same task a second time is a second document.
        expect(back).toHaveLength(2);
        for (const { text } of back) expectEqual(exact(text), normaliseActf(example));
      });
    }
  });

  test.each([
    ['ACTF documents through rows', actf, openaiMessages, normaliseActf, arbitraryActf()],
    ['rows through ACTF documents', openaiMessages, actf, normaliseOpenaiMessages, arbitraryRows('any')],
  ])(
    'with carry, generated %s come back exactly, through the store',
    async (_, format, target, normalise, any) => {
      const carried = new Map<string, { readonly text: string; readonly document: Json }>();
      for (const [index, document] of fc.sample(any, generated(80)).entries()) {
        const { storylines, issues: faults } = importDocument(format, document, {
          source: sourceName(index),
        });
        const { text, issues } = exportDocument(target, storylines, { carry: true, outer: 'document' });
        // What the target refuses (an attempt in which the agent says nothing gives no row) it names.
        const refused = [...faults, ...issues].some(
          ({ severity, code }) => severity === 'error' || code === 'core/nothing-written',
        );
        if (!refused) carried.set(sourceName(index), { text, document });
      }
      expect(carried.size).toBeGreaterThan(15);
      const sources = [...carried].map(([name, { text }]) => bytesSource(name, text));
      await throughStore(target, sources, async ({ store, rejected }) => {
        expect([...rejected]).toEqual([]);
        const back = await writeAll(format, await store.collection());
        expect(back.map(({ source }) => source)).toEqual([...carried.keys()]);
        for (const { source, text } of back)
          expectEqual(exact(text), normalise(carried.get(source)?.document ?? null), source);
      });
    },
  );

  test.skipIf(!corpus)('the public files come back exactly with carry', async () => {
    const task = readCorpus('actf/make-doom-for-mips_trimmed.actf.json');
    await expectCarriedBack({ ...fromActf, document: task }, openaiMessages);
    const rows = readCorpus('openai-messages/cybergym_0729001_trimmed.json');
    await expectCarriedBack({ ...fromRows, document: rows }, actf);
  });

  test.each(ways)('%s lists its losses without carry, and none to Storyline', async (_, side, target) => {
    await cross(side, target, {}, (documents) => {
      const losses = documents.flatMap(({ issues }) => issues.filter(({ severity }) => severity === 'loss'));
      if (target === storylineFormat) expect(losses).toEqual([]);
      else expect(losses.length).toBeGreaterThan(0);
    });
  });
});
