import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importAnkole } from '@pchronicle/format-ankole';
import { canonicalJson, type Json, type JsonObject, project } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { root } from './support/documents.ts';

const vector = JSON.parse(
  readFileSync(join(root, 'packages/format-ankole/fixtures/vectors/19-gateway-provider-view.json'), 'utf8'),
) as { cases: { name: string; input: JsonObject[]; expected: { items: JsonObject[] } }[] };

const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : canonicalJson(value ?? null);

/** A list of parts stands in a message as its JSON. */
const parsed = (content: Json | undefined): Json | undefined =>
  typeof content === 'string' && content.startsWith('[') ? JSON.parse(content) : content;

/** What stands for an item in a transcript; none for reasoning without a summary. */
function wordsOfItem(item: JsonObject): readonly string[] {
  const type = text(item.type);
  if (type === 'reasoning') return [];
  if (type === 'message') return [text(item.role)];
  if (type.endsWith('_output')) return [`result ${text(item.output ?? item.result)}`];
  return [`call ${text(item.name ?? type.replace(/_call$/, ''))}`];
}

function wordsOfMessage({ role, content, tool_calls: calls }: JsonObject): readonly string[] {
  if (role === 'tool') return [`result ${text(parsed(content))}`];
  if (calls === undefined) return [text(role)];
  return (calls as { function: { name: string } }[]).map((call) => `call ${call.function.name}`);
}

describe('K1: vector 19 through the provider view', () => {
  test.each(vector.cases)('$name', ({ input, expected }) => {
    const row = {
      id: 'r1',
      conversation_id: 'c1',
      type: 'message',
      role: null,
      status: 'complete',
      previous_message_id: null,
      content: input,
      metadata: {},
      inserted_at: '2026-08-20T08:00:01.000000Z',
    };
    const [story] = importAnkole({ messages: [row], next_cursor: null }).storylines;
    if (story === undefined) throw new Error('no Storyline');
    const { messages } = project(story, { view: 'provider' }).document;
    expect(messages.flatMap(wordsOfMessage)).toEqual(expected.items.flatMap(wordsOfItem));
    // A result is named after the call that it answers.
    const names = new Map(
      messages.flatMap(({ tool_calls: calls }) =>
        ((calls ?? []) as { id: string; function: { name: string } }[]).map(
          (call) => [call.id, call.function.name] as const,
        ),
      ),
    );
    for (const { role, name, tool_call_id: id } of messages)
      if (role === 'tool') expect(name).toBe(names.get(String(id)));
  });

  test('it has 16 cases', () => expect(vector.cases).toHaveLength(16));
});
