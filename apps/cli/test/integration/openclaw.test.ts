import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actf, normaliseActf } from '@pchronicle/format-actf';
import {
  appendPointer,
  fieldsOf,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Storyline,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { corpus, exact, expectEqual } from './support/documents.ts';
import { documentSource, throughStore, writeAll } from './support/through-store.ts';

const AT = '/attempts/1/trajectory';

/** What Storyline has a place for, key by key; everything else of an event has to be in the auxiliary source (decision A12). */
const PLACES = {
  session: ['id', 'cwd'],
  model_change: ['modelId'],
  said: ['type', 'timestamp', 'message'],
  result: ['type', 'message'],
  saidMessage: ['role', 'content', 'model', 'usage'],
  resultMessage: ['role', 'content', 'toolCallId', 'toolName', 'details'],
  part: ['type', 'text', 'thinking', 'id', 'name', 'arguments'],
};

function* others(object: JsonObject, places: readonly string[], at: string): Generator<[string, Json]> {
  for (const [key, value] of Object.entries(object))
    if (!places.includes(key)) yield [appendPointer(at, key), value];
}

/** The leftovers of one event of this session: pointer and value. */
function* leftovers(event: JsonObject, at: string): Generator<[string, Json]> {
  if (event.type === 'session' || event.type === 'model_change') {
    yield* others(event, PLACES[event.type], at);
    return;
  }
  const message = getOwn(event, 'message');
  if (event.type !== 'message' || !isJsonObject(message)) {
    yield [at, event];
    return;
  }
  const isResult = message.role === 'toolResult';
  yield* others(event, isResult ? PLACES.result : PLACES.said, at);
  yield* others(message, isResult ? PLACES.resultMessage : PLACES.saidMessage, `${at}/message`);
  if (isJsonObject(message.details)) yield* others(message.details, [], `${at}/message/details`);
  const parts = message.content as readonly JsonObject[];
  const firstText = parts.findIndex(({ type }) => type === 'text');
  for (const [position, part] of parts.entries()) {
    const place = `${at}/message/content/${position}`;
    if (part.type === 'text' && position > firstText) yield [place, part];
    else yield* others(part, PLACES.part, place);
  }
}

describe.skipIf(!corpus)('A12: a real OpenClaw session as a failed attempt, through the store', () => {
  const session = corpus
    ? readFileSync(join(corpus, 'openclaw-pi/large-session.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => parseJson(line).value as JsonObject)
    : [];
  const attempt = { correct: false, status: 'failed', error: 'gave up', trajectory: session };
  const document: JsonObject = {
    task_id: 'large-session',
    category: 'session',
    k: 1,
    correct: false,
    attempts_tried: 1,
    attempts: { '1': attempt },
  };
  const through = async <Result>(
    use: (story: Storyline, text: string, filled: readonly string[]) => Result,
  ): Promise<Result> =>
    await throughStore(actf, [documentSource('failed.actf.json', document)], async ({ store, issues }) => {
      const stories: Storyline[] = [];
      for await (const { storyline } of store.storylines()) stories.push(storyline);
      const [written] = await writeAll(actf, await store.collection());
      expect(stories).toHaveLength(1);
      const told = issues.filter(({ code }) => code === 'actf/openclaw-events').map(({ message }) => message);
      return use(stories[0] as Storyline, written?.text ?? '', told);
    });

  test('accounts for its 1,019 events, keeps every leftover key, and comes back as its normal form', async () => {
    await through((story, text, told) => {
      expect(session).toHaveLength(1_019);
      const results = story.turns.flatMap(({ observation }) =>
        isJsonObject(observation) ? (getOwn(observation, 'results') as readonly Json[]) : [],
      );
      const other = session.filter(({ type }) => type !== 'message');
      expect([story.turns.length, results.length, other.length]).toEqual([541, 373, 105]);
      expect(told).toHaveLength(1);
      expect(told[0]).toContain('1019 OpenClaw events: 541 turns, 373 tool results');
      const calls = story.turns.flatMap((turn) => turn.tool_calls ?? []);
      expect([calls.length, calls.filter(({ result }) => result === undefined).length]).toEqual([391, 18]);

      const wanted = session.flatMap((event, index) => [...leftovers(event, `${AT}/${index}`)]);
      const aside = fieldsOf(story, 'openclaw') ?? {};
      expect(wanted.length).toBeGreaterThan(3_000);
      expect(Object.keys(aside)).toHaveLength(wanted.length);
      expectEqual(aside, Object.fromEntries(wanted));

      expectEqual(exact(text), normaliseActf(document));
    });
  });
});
