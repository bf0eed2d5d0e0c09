import type { Json, JsonObject, Storyline, Turn } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { exportAnkole, importAnkole, isCanonicalMessage } from '../src/index.ts';
import { storylineOf, writtenBack } from './support/round-trip.ts';

const asked = { role: 'user', content: 'x' };
const chatml = (...messages: readonly Json[]): JsonObject => ({
  format: 'ankole_chatml',
  version: 1,
  messages,
});
const job = (...messages: readonly Json[]): JsonObject => ({
  job: {
    id: 1,
    turns: [{ id: 't', status: 'completed', trajectory: chatml(...messages) }],
    turns_next_cursor: null,
  },
});
const group = (...messages: readonly Json[]): JsonObject => ({
  turn_id: 't',
  position: 0,
  content: { messages },
});

/** Where messages of ChatML stand, and where those of the only turn are. */
const shapes: readonly (readonly [
  name: string,
  make: (...messages: readonly Json[]) => JsonObject,
  messages: (written: Json) => Json,
])[] = [
  ['a document', chatml, (written) => (written as { messages: Json }).messages],
  [
    'a job',
    job,
    (written) =>
      (written as { job: { turns: { trajectory: { messages: Json } }[] } }).job.turns[0]?.trajectory
        .messages ?? null,
  ],
  ['a group', group, (written) => (written as { content: { messages: Json } }).content.messages],
];

/** The Storyline with more turns, which stand where its last one does. */
function extended(story: Storyline, ...more: readonly Omit<Turn, 'id'>[]): Storyline {
  const last = story.turns.at(-1) as Turn;
  const added = more.map((turn, at): Turn => {
    const state = { ...last.env?.state, message: at + 1 };
    return { id: 90 + at, ...turn, ...(last.env === undefined ? {} : { env: { ...last.env, state } }) };
  });
  return { ...story, turns: [...story.turns, ...added] };
}

describe.each(shapes)('%s of which the Storyline was edited', (_, make, messagesIn) => {
  const written = (story: Storyline) => {
    const { text, issues } = exportAnkole([story]);
    const messages = messagesIn(JSON.parse(text) as Json) as readonly Json[];
    expect(importAnkole(text).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    return { messages, told: issues.map(({ severity, code }) => `${severity} ${code}`) };
  };

  test('has a system message that was added as that of the developer', () => {
    const { messages, told } = written(extended(storylineOf(make(asked)), { src: 'system', msg: 'S' }));
    expect(messages).toEqual([asked, { role: 'developer', content: 'S' }]);
    expect(told).toContain('info ankole/system-as-developer');
  });

  test('has a result that was added as a text, and the tool of its call', () => {
    const { messages, told } = written(
      extended(
        storylineOf(make(asked)),
        {
          src: 'agent',
          msg: '',
          tool_calls: [{ tcid: 'c', fn: 'look', args: {} }],
          observation: { results: [{ source_call_id: 'c', content: { a: 1 } }] },
        },
        { src: 'tool', msg: null, observation: { results: [{ source_call_id: 'd', content: [1] }] } },
      ),
    );
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c', name: 'look', content: '{"a":1}' },
      { role: 'tool', tool_call_id: 'd', name: 'unknown', content: '[1]' },
    ]);
    expect(messages.every(isCanonicalMessage)).toBe(true);
    expect(told).toContain('loss ankole/not-expressible');
  });

  test('has no message that was added as something else', () => {
    const { messages } = written(
      extended(
        storylineOf(make(asked)),
        { src: 'narrator', msg: 'N' },
        { src: 'agent', msg: null },
        { src: 'user', msg: [1] },
        { src: 'system', msg: null, kind: 'internal', extra: { message: 7 } },
      ),
    );
    expect(messages).toHaveLength(5);
    expect(messages.every(isCanonicalMessage)).toBe(true);
  });

  test("keeps the source's own messages that are not canonical, wherever they stand then", () => {
    const own = [
      { role: 'system', content: 'first' },
      { role: 'tool', content: { a: 1 } },
      { role: 'strange' },
    ];
    expect(writtenBack(make(...own))).toEqual(make(...own));
    const story = extended(storylineOf(make(...own)), { src: 'system', msg: 'S' });
    expect(written(story).messages).toEqual([...own, { role: 'developer', content: 'S' }]);
    const [first, second, third, added] = story.turns as readonly [Turn, Turn, Turn, Turn];
    const moved = written({
      ...story,
      turns: [first, { ...added, env: second.env } as Turn, second, third].map((turn) => {
        const { env, ...rest } = turn;
        return env === undefined ? rest : turn;
      }),
    });
    expect(moved.messages).toEqual([own[0], { role: 'developer', content: 'S' }, own[1], own[2]]);
  });
});
