import type { Json, JsonObject, Storyline, Turn } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { exportAnkole, importAnkole } from '../src/index.ts';
import { messageRow } from './support/message-row.ts';
import { storylineOf } from './support/round-trip.ts';

const said = (role: string, text: string): JsonObject => ({
  type: 'message',
  role,
  content: [
    role === 'assistant' ? { type: 'output_text', text, annotations: [] } : { type: 'input_text', text },
  ],
});
const call = { type: 'function_call', call_id: 'x', name: 'count', arguments: '{"bay":1}' };
const output = { type: 'function_call_output', call_id: 'x', output: '17' };
const row = (id: string, previous: string | null, content: readonly Json[]): JsonObject => {
  const time = `2026-09-01T10:00:0${id.at(-1)}Z`;
  const metadata = { request_item_count: 1 };
  return messageRow(id, previous, content, { metadata, inserted_at: time, updated_at: time });
};
const r1 = row('r1', null, [said('user', 'Count'), said('assistant', 'Let me look.'), call]);
const r2 = row('r2', 'r1', [output, said('assistant', '17.')]);
const response = (id: string, previous: string | null, input: readonly Json[], out: readonly Json[]) => ({
  id: `resp_${id}`,
  object: 'response',
  previous_response_id: previous,
  conversation: { id: 'conv_c1' },
  input,
  output: out,
});
const item = (position: number, text: string): JsonObject => ({
  turn_id: 't1',
  position,
  item: { type: 'agentMessage', id: `m${position}`, text },
});
const group = (position: number, ...texts: readonly string[]): JsonObject => ({
  turn_id: 't1',
  position,
  content: { messages: texts.map((content) => ({ role: 'assistant', content })) },
});
const jobTurn = (id: string, ...texts: readonly string[]): JsonObject => ({
  id,
  status: 'completed',
  trajectory: {
    format: 'ankole_chatml',
    version: 1,
    messages: texts.map((content) => ({ role: 'assistant', content })),
  },
});

const shapes: { readonly [name: string]: Json } = {
  'a page': { messages: [r1, r2], next_cursor: null },
  'two pages': [
    { messages: [r2], next_cursor: 'c' },
    { messages: [r1], next_cursor: null },
  ],
  rows: [r1, r2],
  Responses: [
    response('r1', null, [said('user', 'Count')], [said('assistant', 'Let me look.'), call]),
    response('r2', 'resp_r1', [output], [said('assistant', '17.')]),
  ],
  'a job': { job: { id: 1, turns: [jobTurn('t1', 'a', 'b'), jobTurn('t2', 'c')], turns_next_cursor: null } },
  'rows of items': [item(0, 'a'), item(1, 'b'), item(2, 'c')],
  'rows of groups': [group(0, 'a', 'b'), group(1, 'c', 'd')],
};

const added: Turn = { id: 99, src: 'user', msg: 'a turn added by hand' };

/** The Storyline with another turn at a place, and with a turn there that was changed. */
const inserted = (story: Storyline, at: number, id = 99): Storyline => ({
  ...story,
  turns: [...story.turns.slice(0, at), { ...added, id }, ...story.turns.slice(at)],
});
const changed = (story: Storyline, at: number, change: (turn: Turn) => Turn): Storyline => ({
  ...story,
  turns: story.turns.map((turn, index) => (index === at ? change(turn) : turn)),
});
const withoutEnv = ({ env: _, ...turn }: Turn): Turn => turn;
const withoutState = (turn: Turn): Turn => ({ ...turn, env: { request_id: turn.env?.request_id ?? '' } });

/** The texts of what is written, in their order; it must be readable. */
function written(story: Storyline): { readonly texts: readonly Json[]; readonly losses: readonly string[] } {
  const { text, issues } = exportAnkole([story]);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const read = importAnkole(text);
  expect(read.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const losses = issues
    .filter(({ severity }) => severity === 'loss')
    .map(({ code, at }) => `${code} ${at.pointer}`);
  return { texts: read.storylines.flatMap(({ turns }) => turns.map(({ msg }) => msg)), losses };
}

describe.each(Object.keys(shapes))('%s of which the Storyline was edited is written readable', (name) => {
  const story = storylineOf(shapes[name] as Json);
  const texts = story.turns.map(({ msg }) => msg);
  const places = story.turns.map((_, at) => at);

  test.each([...places, texts.length])('with a turn added at %i, which is told', (at) => {
    const back = written(inserted(story, at));
    expect(back.texts).toEqual(texts);
    expect(back.losses).toContain(`ankole/turn-without-row /turns/${at}`);
  });

  test('with a turn added at the end, of which nothing else is told', () => {
    expect(written(inserted(story, texts.length)).losses).toEqual([
      `ankole/turn-without-row /turns/${texts.length}`,
    ]);
  });

  test.each(places)('with turn %i that names nothing any more, which is told', (at) => {
    const back = written(changed(story, at, withoutEnv));
    expect(back.texts).toEqual(texts.filter((_, index) => index !== at));
    expect(back.losses).toContain(`ankole/turn-without-row /turns/${at}`);
  });

  test.each(places)('with turn %i that has lost its state, which is told where it is needed', (at) => {
    const back = written(changed(story, at, withoutState));
    if (back.losses.length === 0) expect(back.texts).toEqual(texts);
    // A turn of a job needs none, but its status is gone.
    else expect(back.losses.join()).toMatch(name === 'a job' ? /status$/ : /turn-without-row/);
  });

  test('with several turns added, which are told together', () => {
    expect(written(inserted(inserted(story, 0), 0, 98)).losses).toContain('ankole/turn-without-row /turns/*');
  });
});

test('what could not be read again is not written', () => {
  const story = storylineOf(shapes['rows of items'] as Json);
  for (const turns of [
    story.turns.map(withoutEnv),
    story.turns.map((turn) => ({ ...turn, extra: { item: 7 } })),
  ]) {
    const { text, issues } = exportAnkole([{ ...story, turns }]);
    expect(text).toBe('');
    expect(issues.map(({ severity, code }) => `${severity} ${code}`)).toContain('error ankole/not-readable');
  }
});
