import {
  exportValue,
  type Json,
  type JsonObject,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importOpenaiMessages, openaiMessages } from '../src/index.ts';
import { calling, comesBack, message, read, result, row, write } from './support/rows.ts';

const spelled = '<function=f><parameter=a>1</parameter></function>';

/** Texts, some of which spell calls: plain, quoted, or told of. */
const text = fc
  .array(
    fc.constantFrom(
      'see ',
      spelled,
      '<tool_call>{"name":"g","arguments":{"n":1}}</tool_call>',
      '<tool_call>',
      '</tool_call>',
      '<function=',
      '```\n',
      'ls',
      '>',
      '{"name":"h"}',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pieces) => pieces.join(''));

/** What an agent says: a text, parts, or an object with a text. */
const said: fc.Arbitrary<Json> = fc.oneof(
  text,
  text.map((one) => [{ type: 'text', text: one }]),
  fc.tuple(text, text).map(([one, other]) => [one, { type: 'text', text: other }]),
  text.map((one) => ({ type: 'text', text: one })),
  text.map((one) => JSON.stringify([{ type: 'text', text: one }])),
);

/** The calls that a turn makes besides. Those of the second kind are what some texts spell. */
const calls = fc.constantFrom<(step: number) => Partial<Turn>>(
  () => ({}),
  () => ({}),
  (step) => ({ tool_calls: [{ tcid: `c${step}`, fn: 'f', args: {} }] }),
  (step) => ({ tool_calls: [{ tcid: `embedded-${step}-f`, fn: 'f', args: { a: '1' } }] }),
);

const story: fc.Arbitrary<Storyline> = fc
  .array(fc.tuple(text, said, calls), { minLength: 1, maxLength: 3 })
  .map((pairs) => ({
    schema_version: 'storyline/v1',
    session: 's',
    agent: { id: 'ag' },
    turns: pairs.flatMap(([asked, msg, more], index): Turn[] => [
      { id: 2 * index + 1, src: 'user', msg: asked },
      { id: 2 * index + 2, src: 'agent', msg, ...more(index + 1) },
    ]),
  }));

describe('texts that spell calls which nobody made', () => {
  test('G14: of another format, each is told with its turn, and no other', () => {
    let invented = 0;
    fc.assert(
      fc.property(story, (given) => {
        const { value, issues } = write([given]);
        const again = importOpenaiMessages(value).storylines[0] as Storyline;
        const told = issues.filter(({ code }) => code === 'openai-msg/text-spells-call');
        const places = given.turns.flatMap(({ tool_calls }, index) =>
          tool_calls === undefined && again.turns[index]?.tool_calls !== undefined ? [`/turns/${index}`] : [],
        );
        invented += places.length;
        expect(again.turns).toHaveLength(given.turns.length);
        expect(told.map(({ severity, at }) => [severity, at.pointer])).toEqual(
          places.length === 0 ? [] : [['loss', places.length === 1 ? places[0] : '/turns/*']],
        );
        if (places.length > 1) expect(told[0]?.message).toContain(`(${places.length} times)`);
        const carried = exportValue(openaiMessages, [given], { carry: true });
        expect(importOpenaiMessages(carried.value ?? null).storylines).toEqual([given]);
      }),
    );
    expect(invented).toBeGreaterThan(10);
  });

  test('G14: so is that of a refusal, which comes back as content; with --carry it comes back as it was', () => {
    const given = [
      row(1, [message('user', 'q')], { role: 'assistant', content: null, refusal: spelled }),
      row(2, [message('user', 'q'), message('assistant', 'n')], message('assistant', 'ok')),
    ];
    const { stories } = read(given);
    const { issues } = write(stories);
    expect(issues.map(({ code, at }) => [code, at.pointer])).toEqual([
      ['core/not-expressible', '/turns/1/kind'],
      ['openai-msg/text-spells-call', '/turns/1'],
    ]);
    const { value } = exportValue(openaiMessages, stories, { carry: true });
    expect(importOpenaiMessages(value ?? null, { source: 'rows.json' }).storylines).toEqual(stories);
  });

  test('O4: rows whose texts spell the calls of their turns lose nothing', () => {
    const { stories } = read([row(1, [message('user', 'q')], message('assistant', spelled))]);
    expect(stories[0]?.turns[1]?.tool_calls).toHaveLength(1);
    expect(write(stories).issues).toEqual([]);
  });

  test('O4: structured calls that the text spells too stay structured, also where their ids are like those that are made up', () => {
    const said = '<tool_call>{"name":"f","arguments":{}}</tool_call>';
    const strange = { ...calling(said, ['embedded-1-f', 'f', '{}']) } as {
      tool_calls: readonly JsonObject[];
    };
    for (const response of [
      calling(said, ['embedded-1-f', 'f', '{}']),
      calling(said, ['embedded-1-f-of-mine', 'f', '{}']),
      { ...strange, tool_calls: [{ ...strange.tool_calls[0], vendor: 1 }] },
      { ...strange, tool_calls: [{ vendor: 1 }, ...strange.tool_calls] },
    ]) {
      const rows = [
        row(1, [message('user', 'q')], response),
        row(2, [message('user', 'q'), response, result('embedded-1-f', 'r')], message('assistant', 'ok')),
      ];
      comesBack(rows);
      expect(read(rows).at('/turns/1/tool_calls/0/kind')).toBe('function');
    }
    // Calls that are spelled, or that have other ids, have no kind.
    for (const response of [message('assistant', said), calling(said, ['c1', 'f', '{}'])])
      expect(
        read([row(1, [message('user', 'q')], response)]).at('/turns/1/tool_calls/0/kind'),
      ).toBeUndefined();
  });

  test('O1: a result behind a call in a text stands there again, also where an earlier result has taken the id', () => {
    const said = message('assistant', '<tool_call>{"name":"h","arguments":{}}</tool_call>');
    const taken = result('embedded-1-h', 'a');
    comesBack([
      row(1, [taken, message('user', 'q')], said),
      row(3, [taken, message('user', 'q'), said, taken], message('assistant', 'ok')),
    ]);
  });
});
