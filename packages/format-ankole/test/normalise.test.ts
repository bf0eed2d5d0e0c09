import type { Json, JsonObject } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportAnkole, importAnkole, normaliseAnkole } from '../src/index.ts';

const row = (id: string, conversation: string): JsonObject => ({
  id,
  subject_uid: 'agent-1',
  conversation_id: conversation,
  type: 'message',
  role: null,
  status: 'complete',
  previous_message_id: null,
  content: [{ role: 'user', content: id }],
  metadata: {},
  inserted_at: '2026-08-20T08:00:00Z',
  updated_at: '2026-08-20T08:00:00Z',
});
const response = (id: string, previous: string | null): JsonObject => ({
  id: `resp_${id}`,
  object: 'response',
  previous_response_id: previous,
  input: [],
  output: [{ type: 'message', role: 'assistant', content: id }],
});
const item = (turn: string): JsonObject => ({
  turn_id: turn,
  position: 0,
  item: { type: 'agentMessage', id: 'm', text: turn },
});
const chatml: JsonObject = {
  format: 'ankole_chatml',
  version: 1,
  messages: [{ role: 'user', content: 'x' }],
};
const job: JsonObject = { job: { id: 1, turns: [], turns_next_cursor: null } };
const empty: JsonObject = { messages: [], next_cursor: null };

/** The documents that are written for the trajectories of one. */
function documentsOf(document: readonly Json[]): readonly Json[] {
  const { storylines, issues } = importAnkole(document);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { text } = exportAnkole(storylines, { outer: 'lines' });
  const told = issues.map(({ code }) => code).includes('ankole/several-trajectories');
  expect(told).toBe(storylines.length > 1);
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Json);
}

describe('a page without rows', () => {
  test.each([
    [[row('A', 'c1'), row('B', 'c1'), empty, row('Z', 'c2')]],
    [[item('t'), empty, chatml]],
    [[item('t'), chatml, empty]],
    [[empty, chatml, item('t'), empty]],
    [[job, empty, empty]],
    [[empty, chatml]],
  ])('of nobody comes back where it is read: %#', (document) => {
    const normal = normaliseAnkole(document);
    expect(normaliseAnkole(normal)).toEqual(normal);
    expect(documentsOf(document).flat()).toEqual((normal as readonly Json[]).flat());
  });
});

test('the normal form of any mixture is that of its normal form, and what comes back', () => {
  const value = fc.constantFrom<Json>(
    row('A', 'c1'),
    row('B', 'c1'),
    row('Z', 'c2'),
    item('t'),
    item('u'),
    job,
    chatml,
    empty,
    response('a', null),
    response('b', 'resp_a'),
    response('z', null),
  );
  fc.assert(
    fc.property(fc.uniqueArray(value, { minLength: 1, maxLength: 6 }), (document) => {
      const normal = normaliseAnkole(document) as readonly Json[];
      expect(normaliseAnkole(normal)).toEqual(normal);
      expect(documentsOf(document).flat()).toEqual(normal.flat());
    }),
    { numRuns: 300 },
  );
});

test('trajectories that name nothing are told as several too', () => {
  for (const document of [
    [response('a', null), response('z', null)],
    [row('A', 'c1'), response('z', null)],
    [chatml, chatml],
  ])
    expect(documentsOf(document)).toHaveLength(2);
});
