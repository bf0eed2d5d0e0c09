import {
  bytesSource,
  encodeText,
  type Json,
  type JsonObject,
  modelVisible,
  readHead,
  stringify,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { ankole, importAnkole } from '../src/index.ts';
import { codesOf, issueOf, storylineOf, writtenBack } from './support/round-trip.ts';

const row = (position: number, messages: readonly Json[], over: JsonObject = {}): JsonObject => ({
  turn_id: 'turn-1',
  position,
  revision: 2,
  item_key: `key-${position}`,
  content: { messages },
  inserted_at: '2026-07-20T08:00:02.000000Z',
  ...over,
});
const call = {
  id: 'a:call',
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'shell', arguments: '{"command":"ls"}' } }],
};
const result = { id: 'a:result', role: 'tool', tool_call_id: 'a', name: 'shell', content: 'notes.txt' };
const rows = [
  row(0, [{ id: 'u', role: 'user', content: 'List the files' }]),
  row(1, [call, result]),
  row(2, [
    { id: 'x', role: 'assistant', content: 'One file.' },
    { id: 'y', role: 'assistant', content: 'Anything else?' },
  ]),
];

describe('groups of messages, as job turns had them in July 2026', () => {
  test('are turns as on a page of the job: a result with its call, each other message by itself', () => {
    const story = storylineOf(rows);
    expect(story.session).toBe('turn-1');
    expect(story.turns.map(({ src, msg, env, ts }) => [src, msg, env?.state, ts])).toEqual([
      ['user', 'List the files', { item: 0 }, '2026-07-20T08:00:02.000000Z'],
      ['agent', '', { item: 1 }, '2026-07-20T08:00:02.000000Z'],
      ['agent', 'One file.', { item: 2 }, '2026-07-20T08:00:02.000000Z'],
      ['agent', 'Anything else?', { item: 2, message: 1 }, '2026-07-20T08:00:02.000000Z'],
    ]);
    expect(story.turns[1]?.tool_calls).toMatchObject([{ tcid: 'a', fn: 'shell', args: { command: 'ls' } }]);
    expect(codesOf(rows)).toEqual([]);
    expect(modelVisible(story).messages).toEqual([
      { role: 'user', content: 'List the files' },
      { ...without(call), tool_calls: [{ ...call.tool_calls[0], id: 'call_1' }] },
      { ...without(result), tool_call_id: 'call_1' },
      { role: 'assistant', content: 'One file.' },
      { role: 'assistant', content: 'Anything else?' },
    ]);
  });

  test('come back, in whatever order, beside items, with members that nobody knows, or with no message', () => {
    const item = {
      turn_id: 'turn-1',
      position: 3,
      revision: 2,
      item_key: 'k',
      item: { type: 'plan', id: 'p', text: 'Plan' },
    };
    const odd = row(4, [], { vendor: 1, content: { messages: [], note: 'n' } });
    for (const document of [rows, [...rows].reverse(), [...rows, item, odd], [odd], [row(0, ['text'])]]) {
      expect(writtenBack(document)).toEqual(document);
      const lines = document.map((value) => stringify(value)).join('\n');
      expect(importAnkole(lines).storylines.map(({ turns }) => turns)).toEqual([storylineOf(document).turns]);
    }
    const layout = encodeText(stringify(storylineOf(rows).unknown_fields as unknown as Json)).length;
    expect(layout).toBeLessThan(0.1 * encodeText(stringify(rows)).length + 100);
  });

  test('whose content is a text of jsonb are read, and are recognised', async () => {
    const dump = rows.map((value) => ({ ...value, content: stringify(value.content as Json) }));
    expect(storylineOf(dump).turns).toEqual(storylineOf(rows).turns);
    expect(writtenBack(dump)).toEqual(dump);
    for (const document of [rows, dump]) {
      const head = await readHead(
        bytesSource('groups.jsonl', document.map((value) => stringify(value)).join('\n')),
      );
      expect(ankole.detect(head).confidence).toBe('yes');
    }
  });

  test('that say nothing or something else are told', () => {
    expect(issueOf([row(0, [{ role: 'user' }])], 'ankole/not-canonical')?.at.pointer).toBe(
      '/rows/0/content/messages/0/content',
    );
    expect(codesOf([row(0, []), row(0, [call])])).toEqual([
      'ankole/conflicting-items',
      'ankole/item-without-message',
    ]);
    for (const content of [5, {}, { messages: 'x' }, '[1]'])
      expect(issueOf([row(0, [], { content })], 'ankole/row-shape')).toMatchObject({
        severity: 'error',
        at: { pointer: '/rows/0/content' },
      });
  });
});

function without({ id: _, ...rest }: JsonObject): JsonObject {
  return rest;
}
