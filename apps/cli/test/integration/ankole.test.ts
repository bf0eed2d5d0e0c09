import { ankole, importAnkole, normaliseAnkole } from '@pchronicle/format-ankole';
import { openaiMessages } from '@pchronicle/format-openai-msg';
import {
  bytesSource,
  canonicalJson,
  chainStateOf,
  collectIssues,
  compareText,
  equalJson,
  exportValue,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Storyline,
  storyCollection,
  stringify,
  type Turn,
  toChatml,
  viewTurns,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatml, itemRows, jobPage, page } from '../../../../packages/format-ankole/test/support/generate.ts';
import { vectorCases } from '../../../../packages/format-ankole/test/support/vectors.ts';
import { exact, expectEqual, generated } from './support/documents.ts';
import { documentSource, sourceName, throughStore, writeAll, writeLines } from './support/through-store.ts';

/** What was said, called and answered, in order: the texts, the calls, the results. */
interface Talk {
  readonly texts: readonly (readonly [role: string, text: string])[];
  readonly calls: readonly (readonly [name: string, args: Json])[];
  readonly results: readonly Json[];
}

const objects = (value: Json | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];
const read = (text: Json | undefined): Json =>
  typeof text === 'string' ? (parseJson(text).value ?? text) : (text ?? null);

/** The calls of a message; where a tool has no name, they are none, but a member of the message that is kept. */
function callsOf({ tool_calls: given }: JsonObject): readonly JsonObject[] {
  const calls = objects(given);
  return calls.some((call) => (getOwn(call, 'function') as JsonObject).name === '') ? [] : calls;
}

/** The talk of ChatML messages, which rows of OpenAI Messages hold too. */
function talkOf(messages: readonly JsonObject[]): Talk {
  const texts: (readonly [string, string])[] = [];
  const calls: (readonly [string, Json])[] = [];
  const results: Json[] = [];
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'tool') {
      results.push(read(content));
      continue;
    }
    // What an assistant says in parts that are no text, views show as the JSON of the parts.
    const spelled = typeof content === 'string' && content.startsWith('[{"type":') ? read(content) : content;
    const parts = typeof spelled === 'string' ? [spelled] : objects(spelled).map(({ text }) => text);
    // The parts of a message are one text of it, as views show them.
    const text = parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
    if (text !== '') texts.push([String(role), text]);
    for (const call of callsOf(message)) {
      const called = getOwn(call, 'function') as JsonObject;
      calls.push([String(called.name), read(called.arguments)]);
    }
  }
  // A result stands behind its call, wherever it came: of several, the order is no part of what was answered.
  return { texts, calls, results: results.sort((a, b) => compareText(canonicalJson(a), canonicalJson(b))) };
}

/** The talk that OpenAI Messages hold for Storylines: the last row of a session has all of it. */
function exported(stories: readonly Storyline[]): readonly Talk[] {
  return stories.map((story) => {
    const { value, issues } = exportValue(openaiMessages, [story]);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const last = objects(getOwn((value ?? {}) as JsonObject, 'session_steps')).at(-1);
    return talkOf([...objects(last?.messages), ...objects([last?.response ?? null])]);
  });
}

/**
 * The talk of the leaf view, which linear formats are given (decision K5). Rows hold a request and a response each, and what a model puts out in
 * one round is one response: what stands behind the last one, results of its calls among it, is a session's unfinished end and has no row (told
 * as losses); developer messages are system messages there. A request that is said again in an agent loop is the one before it (decision O11).
 */
function leafTalk(story: Storyline): Talk {
  const { report } = collectIssues();
  const shown = viewTurns(story, 'leaf', report);
  const { messages } = toChatml(story, report, shown).document;
  const last = messages.findLastIndex(
    ({ role, content, tool_calls: calls }) =>
      role === 'assistant' && (content !== '' || callsOf({ tool_calls: calls ?? null }).length > 0),
  );
  const response = Math.min(last, startOfLastRound(story, shown));
  /** By call id, where it was called last. */
  const called = new Map<Json, number>();
  let asked: Json | undefined;
  const held = messages.filter((message, at) => {
    const { role, content = null } = message;
    const before = messages[at - 1];
    const inLoop = before?.role === 'tool' || callsOf({ tool_calls: before?.tool_calls ?? null }).length > 0;
    if (role === 'user' && inLoop && asked !== undefined && equalJson(asked, content)) return false;
    if (role === 'user') asked = content;
    for (const { id = null } of callsOf(message)) called.set(id, at);
    if (message.role !== 'tool') return at <= last;
    const id = message.tool_call_id ?? '';
    // A tool message of rows names its call.
    if (id === '') return false;
    // One that comes before its call stands behind it, too.
    const call = called.get(id) ?? messages.findIndex((one) => callsOf(one).some((own) => own.id === id));
    return call === -1 ? at < last : call < response;
  });
  return talkOf(
    held.map((message) => (message.role === 'developer' ? { ...message, role: 'system' } : message)),
  );
}

/** The message with which the last round that says something begins; a round ends where results stand. */
function startOfLastRound(story: Storyline, shown: readonly Turn[]): number {
  const speaks = ({ src, msg, tool_calls: calls }: Turn) =>
    src === 'agent' && ((msg !== null && msg !== '') || (calls ?? []).length > 0);
  let start = shown.findLastIndex(speaks);
  const row = start < 0 ? undefined : roundOf(shown[start] as Turn);
  for (let at = start - 1; row !== undefined && at >= 0; at -= 1) {
    const turn = shown[at] as Turn;
    if (roundOf(turn) !== row || (turn.kind !== 'internal' && turn.src !== 'agent') || turn.observation)
      break;
    if (turn.kind !== 'internal') start = at;
  }
  const { report } = collectIssues();
  return toChatml(story, report, shown.slice(0, Math.max(0, start))).document.messages.length;
}

function roundOf(turn: Turn): string | undefined {
  const state = chainStateOf(turn);
  return state?.side === 'output' ? state.row : undefined;
}

/** Whether there is something to write a row for. */
const hasResponse = (story: Storyline): boolean => {
  const { texts, calls } = leafTalk(story);
  return texts.length + calls.length > 0;
};

const vector = (number: string): Json => vectorCases(number)[0]?.input ?? null;
const jobPages = getOwn(vector('24') as JsonObject, 'pages') ?? null;
const itemRowsOf = (items: readonly Json[]): Json =>
  items.map((item, position) => ({
    turn_id: 'turn-1',
    position,
    revision: 1,
    item_key: `k${position}`,
    item,
  }));

describe('an Ankole conversation as OpenAI Messages carries the same texts, calls and results', () => {
  test('vector 21: the chain to the newest leaf', () => {
    expect(exported(importAnkole(vector('21')).storylines)).toEqual([
      {
        texts: [
          ['user', 'Count bay 4'],
          ['assistant', 'Seventeen.'],
          ['user', 'And bay 5?'],
          ['assistant', 'Nine.'],
        ],
        calls: [['count', { bay: 4 }]],
        results: [17],
      },
    ]);
  });

  test('vector 24: two pages of a job', () => {
    expect(exported(importAnkole(jobPages).storylines)).toEqual([
      {
        texts: ['m1', 'm2', 'm3', 'l1', 'l2', 'l3'].map((text) => ['assistant', text]),
        calls: [],
        results: [],
      },
    ]);
  });

  test('vectors 08-11: stored items', () => {
    const items = ['08', '09', '10', '11'].flatMap((number) => vectorCases(number).map(({ input }) => input));
    const { storylines } = importAnkole(itemRowsOf(items));
    const [talk] = exported(storylines);
    expectEqual(talk as unknown as Json, leafTalk(storylines[0] as Storyline) as unknown as Json);
    expect(talk?.calls).toContainEqual(['note', 'raw "text"']);
    expect(talk?.texts).toContainEqual(['system', '[{"hookRunId":"run-1","text":"be brief"}]']);
    const names = new Set(talk?.calls.map(([name]) => name));
    for (const name of [
      'shell',
      'apply_patch',
      'get_price',
      'web_search',
      'request_user_input',
      'spawn_agent',
    ])
      expect(names).toContain(name);
    expect(
      [talk?.texts.length, talk?.calls.length, talk?.results.length].every((count) => (count ?? 0) > 8),
    ).toBe(true);
  });

  /** Words of a conversation: what is asked, called, answered and said; after some steps a branch that was abandoned. */
  const steps = fc.array(
    fc.record({
      ask: fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => /\p{L}/u.test(text)),
      calls: fc.array(
        fc.record({
          name: fc.constantFrom('count', 'read_file'),
          args: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.integer(), fc.string())),
          output: fc.string({ unit: 'grapheme' }).map((text) => `got ${text}`),
        }),
        { maxLength: 3 },
      ),
      say: fc.string({ unit: 'grapheme' }).map((text) => `so ${text}`),
      isAbandoned: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );

  test('of 100 generated conversations with branches, a round a row', () => {
    fc.assert(
      fc.property(steps, (talk) => {
        const rows: JsonObject[] = [];
        let previous: string | null = null;
        const add = (content: readonly Json[], inputs: number, from: string | null): string => {
          const id = `r${String(rows.length).padStart(4, '0')}`;
          const time = `2026-08-20T08:00:00.${String(rows.length).padStart(6, '0')}Z`;
          rows.push({
            id,
            subject_uid: 'a',
            conversation_id: 'c',
            type: 'message',
            role: null,
            status: 'complete',
            previous_message_id: from,
            content,
            metadata: { request_item_count: inputs },
            inserted_at: time,
            updated_at: time,
          });
          return id;
        };
        const said = (role: string, text: string): Json => ({
          type: 'message',
          role,
          content: [
            role === 'user' ? { type: 'input_text', text } : { type: 'output_text', text, annotations: [] },
          ],
        });
        for (const [step, { ask, calls, say, isAbandoned }] of talk.entries()) {
          const asked = calls.map(({ name, args }, at) => ({
            type: 'function_call',
            call_id: `call_${step}_${at}`,
            name,
            arguments: JSON.stringify(args),
          }));
          const given = calls.map(({ output }, at) => ({
            type: 'function_call_output',
            call_id: `call_${step}_${at}`,
            output,
          }));
          const before: string | null = previous;
          if (calls.length > 0) previous = add([said('user', ask), ...asked], 1, previous);
          previous = add(
            [...(calls.length > 0 ? given : [said('user', ask)]), said('assistant', say)],
            given.length || 1,
            previous,
          );
          if (isAbandoned && step + 1 < talk.length) add([said('user', 'never mind')], 1, before);
        }
        const { storylines, issues } = importAnkole({ messages: rows, next_cursor: null });
        expect(issues).toEqual([]);
        const results = talk.flatMap(({ calls }) => calls.map(({ output }) => output));
        expectEqual(exported(storylines) as unknown as Json, [
          {
            texts: talk.flatMap(({ ask, say }) => [
              ['user', ask],
              ['assistant', say],
            ]),
            calls: talk.flatMap(({ calls }) => calls.map(({ name, args }) => [name, args])),
            results: results.sort((a, b) => compareText(canonicalJson(a), canonicalJson(b))),
          },
        ]);
      }),
      generated(100),
    );
  });

  const anything = fc.oneof(
    { weight: 3, arbitrary: page as fc.Arbitrary<Json> },
    jobPage as fc.Arbitrary<Json>,
    chatml as fc.Arbitrary<Json>,
    itemRows,
  );
  test('of 150 generated documents', () => {
    let calls = 0;
    fc.assert(
      fc.property(anything, (document) => {
        for (const story of importAnkole(document).storylines.filter(hasResponse)) {
          const [talk] = exported([story]);
          const wanted = leafTalk(story);
          expectEqual(talk as unknown as Json, wanted as unknown as Json);
          calls += wanted.calls.length;
        }
      }),
      generated(150),
    );
    // Results are in the conversations above; here few fit together.
    expect(calls).toBeGreaterThan(5);
  });
});

describe('G1: Ankole → Storyline → Lance → Storyline → Ankole is the normal form', () => {
  const documents: readonly Json[] = [
    vector('21'),
    jobPages,
    ...['01', '02', '04', '06'].flatMap((number) => vectorCases(number).map(({ input }) => input)),
    itemRowsOf(
      ['08', '09', '10', '11', '13'].flatMap((number) => vectorCases(number).map(({ input }) => input)),
    ),
  ];

  async function expectBack(all: readonly Json[]): Promise<void> {
    const sources = all.map((document, index) => documentSource(sourceName(index), document));
    await throughStore(ankole, sources, async ({ store, rejected }) => {
      expect([...rejected]).toEqual([]);
      const written = await writeAll(ankole, await store.collection());
      const texts = new Map(written.map(({ source, text }) => [source, text]));
      expect(texts.size).toBe(all.length);
      for (const [index, document] of all.entries())
        expectEqual(
          exact(texts.get(sourceName(index)) ?? 'null'),
          normaliseAnkole(document),
          sourceName(index),
        );
    });
  }

  test('of the vectors', () => expectBack(documents));

  test('of 100 generated pages, jobs, documents and rows', () =>
    expectBack(
      fc.sample(fc.oneof(page as fc.Arbitrary<Json>, jobPage, chatml, itemRows), generated(100)).filter(
        // An array without a row is refused.
        (document) => !isJsonArray(document) || document.length > 0,
      ),
    ));

  test('of a dump of rows: each comes back, and its OpenAI Messages are those of the store', async () => {
    const rows = objects(getOwn(vector('21') as JsonObject, 'messages'));
    const others = rows.map((row): JsonObject => ({ ...row, conversation_id: 'other' }));
    const dump = [...rows, ...others].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    const source = bytesSource('dump.jsonl', dump.map((row) => `${stringify(row)}\n`).join(''));
    await throughStore(ankole, [source], async ({ store, storylines }) => {
      const back = await writeLines(ankole, await store.collection());
      const sorted = (lines: readonly Json[]) => lines.map(canonicalJson).sort();
      expect(sorted(back.map(exact))).toEqual(sorted(dump));
      const stored: Storyline[] = [];
      for await (const { storyline } of store.storylines()) stored.push(storyline);
      expect(exported(stored)).toEqual(exported(storylines));
      expect(exported(stored)).toHaveLength(2);
      expect(await writeLines(openaiMessages, await store.collection())).toEqual(
        await writeLines(openaiMessages, storyCollection(storylines)),
      );
    });
  });
});

test('K5: the result of a call whose id a failed row uses too is written to OpenAI Messages', () => {
  const row = (
    id: string,
    previous: string | null,
    content: Json,
    status: string,
    second: number,
  ): JsonObject => ({
    id,
    subject_uid: 'agent-1',
    conversation_id: 'c1',
    type: 'message',
    role: null,
    status,
    previous_message_id: previous,
    content,
    metadata: { request_item_count: 1 },
    inserted_at: `2026-08-20T08:00:0${second}.000000Z`,
    updated_at: `2026-08-20T08:00:0${second}.000000Z`,
  });
  const call = (name: string): JsonObject => ({ type: 'function_call', call_id: 'x', name, arguments: '{}' });
  const { storylines } = importAnkole({
    messages: [
      row('r1', null, [{ role: 'user', content: 'q' }, call('weather')], 'complete', 1),
      row('r2', 'r1', [{ role: 'user', content: 'retry' }, call('failed_try')], 'error', 2),
      row(
        'r3',
        'r1',
        [
          { type: 'function_call_output', call_id: 'x', output: 'RES' },
          { role: 'assistant', content: 'done' },
        ],
        'complete',
        3,
      ),
    ],
    next_cursor: null,
  });
  const text = stringify(exportValue(openaiMessages, storylines).value ?? null);
  expect(text).toContain('"tool_call_id":"x"');
  expect(text).toContain('"RES"');
  expect(text).toContain('"weather"');
});
