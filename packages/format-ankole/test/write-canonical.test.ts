import {
  collectIssues,
  type Json,
  type JsonObject,
  STORYLINE_VERSION,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';
import { exportAnkole, isCanonicalMessage, toAnkoleChatml } from '../src/index.ts';
import { storylineOf } from './support/round-trip.ts';

const storyOf = (...turns: readonly Omit<Turn, 'id'>[]): Storyline => ({
  schema_version: STORYLINE_VERSION,
  session: 's',
  agent: { id: 'a' },
  turns: turns.map((turn, at) => ({ id: at + 1, ...turn })),
});
const call = { id: 'z', type: 'function', function: { name: 'look', arguments: '{}' } };
const saying = (src: string, chatml: JsonObject): Omit<Turn, 'id'> => ({
  src,
  msg: 'text',
  extra: { chatml },
});

/** A turn, and what its message is to be. */
const cases: { readonly [name: string]: readonly [Omit<Turn, 'id'>, JsonObject] } = {
  'a call without a function': [
    saying('agent', { tool_calls: [{ id: 'z' }] }),
    { role: 'assistant', content: 'text' },
  ],
  'a good call beside a bad one': [
    saying('agent', { tool_calls: [null, call] }),
    { role: 'assistant', content: 'text', tool_calls: [call] },
  ],
  'calls that are no list': [saying('agent', { tool_calls: 7 }), { role: 'assistant', content: 'text' }],
  'a tool message without a name': [
    saying('tool', { tool_call_id: 't' }),
    { role: 'tool', content: 'text', tool_call_id: 't', name: 'unknown' },
  ],
  'a tool message whose call id is no text': [
    saying('tool', { tool_call_id: 5, name: 'n' }),
    { role: 'user', content: 'text', tool_call_id: 5, name: 'n' },
  ],
  'a namespace that is no text': [
    saying('tool', { tool_call_id: 't', name: 'n', namespace: null }),
    { role: 'tool', content: 'text', tool_call_id: 't', name: 'n' },
  ],
  'metadata that is no object': [saying('user', { metadata: null }), { role: 'user', content: 'text' }],
};

test.each(Object.keys(cases))('every written message is canonical: %s', (name) => {
  const [turn, expected] = cases[name] as readonly [Omit<Turn, 'id'>, JsonObject];
  const { report, issues } = collectIssues();
  const { messages } = toAnkoleChatml(storyOf(turn), report);
  expect(messages).toEqual([expected]);
  expect(messages.every(isCanonicalMessage)).toBe(true);
  expect(issues.filter(({ severity }) => severity === 'loss').map(({ code }) => code)).toEqual(
    /without a name|call id is no text/.test(name) ? [] : ['ankole/not-canonical-member'],
  );
});

test('the export says it too', () => {
  const { text, issues } = exportAnkole([storyOf(saying('agent', { tool_calls: [{ id: 'z' }] }))]);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(JSON.parse(text).messages).toEqual([{ role: 'assistant', content: 'text' }]);
  expect(issues.map(({ code }) => code)).toContain('ankole/not-canonical-member');
});

test.each([[[null]], [7]])('a document whose tool_calls are %j is canonical as a view of it', (calls) => {
  const story = storylineOf({
    format: 'ankole_chatml',
    version: 1,
    messages: [{ role: 'assistant', content: 'text', tool_calls: calls as Json }],
  });
  const { report } = collectIssues();
  expect(toAnkoleChatml(story, report).messages).toEqual([{ role: 'assistant', content: 'text' }]);
});
