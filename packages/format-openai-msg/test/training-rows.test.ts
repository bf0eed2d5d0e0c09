import { type Json, type JsonObject, type Storyline, stringify, type Turn } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importOpenaiMessages } from '../src/index.ts';
import { write } from './support/rows.ts';

type Message = {
  readonly role: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
};

/** Where the results of a turn's calls stand in a Storyline of another format. */
const place = fc.constantFrom('own', 'next', 'held', 'turn', 'none');

const step = fc.record({
  asks: fc.boolean(),
  says: fc.constantFrom<Json>('a', '', null, [{ type: 'text', text: 'p' }]),
  calls: fc.array(place, { maxLength: 3 }),
  system: fc.boolean(),
});

/** A Storyline of agent turns that call functions, each call with one id and at most one result. */
const story = fc.array(step, { minLength: 1, maxLength: 5 }).map((steps): Storyline => {
  const turns: Turn[] = [];
  let later: Json[] = [];
  let id = 0;
  const add = (turn: Omit<Turn, 'id'>): void => {
    id += 1;
    turns.push({ id, ...turn } as Turn);
  };
  steps.forEach(({ asks, says, calls, system }, index) => {
    if (asks || index === 0) add({ src: 'user', msg: `q${index}` });
    if (system) add({ src: 'system', msg: `s${index}` });
    const made = calls.map((where, position) => ({ where, tcid: `c${index}-${position}` }));
    const result = ({ tcid }: { readonly tcid: string }): Json => ({ source_call_id: tcid, content: tcid });
    const at = (wanted: string): Json[] => made.filter(({ where }) => where === wanted).map(result);
    const results = [...later, ...at('own')];
    later = at('next');
    add({
      src: 'agent',
      // A turn that says nothing and calls nothing makes no row.
      msg: calls.length > 0 ? says : 'a',
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: made.map(({ where, tcid }) => ({
              tcid,
              fn: 'f',
              args: {},
              ...(where === 'held' ? { result: tcid } : {}),
            })),
          }),
      ...(results.length === 0 ? {} : { observation: { results } }),
    });
    for (const one of at('turn')) add({ src: 'tool', msg: null, observation: { results: [one] } });
  });
  return { schema_version: 'storyline/v1', session: 's', agent: { id: 'ag' }, turns };
});

const idsOf = ({ tool_calls: calls = [] }: Message): readonly string[] => calls.map(({ id }) => id);

describe('rows of a Storyline of another format can be trained on', () => {
  test('O1, O10: each row goes on where the one before it ended, and each result stands behind its call, before the next answer', () => {
    let results = 0;
    fc.assert(
      fc.property(story, (given) => {
        const { rows, issues } = write([given]);
        expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
        let before: readonly string[] = [];
        for (const { messages, response } of rows) {
          const list = messages as unknown as readonly Message[];
          const texts = list.map((message) => stringify(message as unknown as Json));
          // Nothing of the history changes, moves or is left out.
          expect(texts.slice(0, before.length)).toEqual(before);
          before = [...texts, stringify(response ?? null)];
          const open = new Set<string>();
          for (const message of list) {
            if (message.role === 'tool') {
              expect(open.delete(message.tool_call_id ?? '')).toBe(true);
              results += 1;
            } else {
              // Behind an answer without calls, or a request, nothing waits for a result any more but what has none.
              for (const one of open) expect(hasResult(given, one)).toBe(false);
              open.clear();
              for (const one of idsOf(message)) open.add(one);
            }
          }
        }
        // What is written is read without a fault.
        const again = importOpenaiMessages({ session_steps: rows } as unknown as JsonObject);
        expect(again.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(again.storylines).toHaveLength(1);
      }),
    );
    expect(results).toBeGreaterThan(100);
  });
});

/** Whether a call of a Storyline has a result that can be written. */
function hasResult({ turns }: Storyline, id: string): boolean {
  return turns.some(
    ({ observation, tool_calls: calls = [] }) =>
      calls.some(({ tcid, result }) => tcid === id && result !== undefined) ||
      stringify((observation ?? null) as Json).includes(`"source_call_id":"${id}"`),
  );
}
