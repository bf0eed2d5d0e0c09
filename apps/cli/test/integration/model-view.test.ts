import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importActf } from '@pchronicle/format-actf';
import { importAnkole } from '@pchronicle/format-ankole';
import { importForkline } from '@pchronicle/format-forkline';
import { importOpenaiMessages } from '@pchronicle/format-openai-msg';
import {
  collectIssues,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  modelVisible,
  modelVisibleChatml,
  type Storyline,
  stringify,
  toChatml,
  viewTurns,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../../../packages/conformance/src/freeze.ts';
import { arbitraryActf } from '../../../../packages/format-actf/test/generate-actf.ts';
import { artifactText } from '../../../../packages/format-forkline/test/support/artifact-text.ts';
import { arbitraryRows } from '../../../../packages/format-openai-msg/test/support/arbitrary-rows.ts';
import { readCases } from '../../../../packages/format-openai-msg/test/support/cases.ts';
import { generated, readJson, root } from './support/documents.ts';

const objects = (value: Json | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

/** What a slot of a call or a result holds in the model view. */
const ALIAS = /^call_[1-9]\d*$/;

/** Messages without what the model view changes: ids of messages and of calls. */
function withoutIds(messages: readonly JsonObject[]): readonly Json[] {
  return messages.map(({ id: _, tool_call_id: __, tool_calls: calls, ...rest }) => ({
    ...rest,
    ...(calls === undefined ? {} : { tool_calls: objects(calls).map(({ id: ___, ...call }) => call) }),
  }));
}

/** Counts the slots of calls and results that were looked at. */
function expectHidden(story: Storyline): number {
  deepFreeze(story);
  const { report } = collectIssues();
  const shown = toChatml(story, report, viewTurns(story, 'context', report)).document;
  const hidden = modelVisible(story);
  const messages = objects(hidden.messages);
  // Content, roles and order stay.
  expect(withoutIds(messages)).toEqual(withoutIds(shown.messages));
  let slots = 0;
  const aliases = new Map<Json, Json>();
  messages.forEach((message, at) => {
    const source = shown.messages[at] as JsonObject;
    expect(Object.hasOwn(message, 'id')).toBe(false);
    const pairs = objects(message.tool_calls).map((call, index) => [
      call.id,
      objects(source.tool_calls)[index]?.id,
    ]);
    if (message.role === 'tool') pairs.push([message.tool_call_id, source.tool_call_id]);
    for (const [alias = null, id = null] of pairs) {
      expect(alias).toMatch(ALIAS);
      // One id, one alias, by first appearance.
      if (!aliases.has(id)) aliases.set(id, `call_${aliases.size + 1}`);
      expect(alias).toBe(aliases.get(id));
      slots += 1;
    }
  });
  expect(stringify(modelVisibleChatml(hidden))).toBe(stringify(hidden));
  return slots;
}

const moreThan = (least: number) => expect.toSatisfy((count: number) => count > least, `more than ${least}`);

describe('K7: the model view of any format has no id of a message or call left in its slot, and nothing else changed', () => {
  test('ACTF: the bundled example', () => {
    const { storylines } = importActf(readJson(join(root, 'examples/actf/make-report.actf.json')));
    expect(storylines.map(expectHidden).every((slots) => slots > 0)).toBe(true);
    const visible = stringify(storylines.map((story) => modelVisible(story)) as unknown as Json);
    // An id that looks like an alias may be one; `toolu_01` and its like may not.
    const ids = storylines
      .flatMap(({ turns }) => turns.flatMap((turn) => turn.tool_calls ?? []))
      .map(({ tcid }) => tcid)
      .filter((id) => !ALIAS.test(id));
    expect(ids.length).toBeGreaterThan(3);
    for (const id of ids) expect(visible).not.toContain(`"id":${JSON.stringify(id)}`);
  });

  test('OpenAI Messages: the conformance cases', () => {
    const documents = readCases('conformance')
      .filter((one) => ['import', 'roundtrip'].includes(String(getOwn(one, 'op'))))
      .map((one) => getOwn(one, 'input') ?? null);
    const slots = documents
      .flatMap((document) => importOpenaiMessages(document).storylines)
      .map(expectHidden);
    expect(slots.filter((count) => count > 0).length).toBeGreaterThan(5);
  });

  test('Forkline: every artifact of the fixtures', () => {
    const fixtures = join(root, 'packages/format-forkline/fixtures');
    const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    const slots = files
      .flatMap((name) => importForkline(readFileSync(join(fixtures, name))).storylines)
      .map(expectHidden);
    expect(slots.length).toBeGreaterThan(10);
    expect(slots.filter((count) => count > 0).length).toBeGreaterThan(0);
  });

  test('generated trajectories of the three', () => {
    const slots = { actf: 0, openai: 0, forkline: 0 };
    fc.assert(
      fc.property(arbitraryActf(), arbitraryRows('plain'), artifactText, (task, rows, artifact) => {
        for (const story of importActf(task).storylines) slots.actf += expectHidden(story);
        for (const story of importOpenaiMessages(rows).storylines) slots.openai += expectHidden(story);
        for (const story of importForkline(artifact).storylines) slots.forkline += expectHidden(story);
      }),
      generated(60),
    );
    expect(slots).toMatchObject({ actf: moreThan(5), openai: moreThan(5) });
  });
});

describe("K7: the model view of an Ankole document is Ankole's own of it", () => {
  const document = (...messages: Json[]): JsonObject => ({ format: 'ankole_chatml', version: 1, messages });
  const viewed = (given: JsonObject): JsonObject => {
    const [story] = importAnkole(given).storylines;
    if (story === undefined) throw new Error('no Storyline');
    return modelVisible(story);
  };
  const call = (id: string, more: JsonObject = {}, inside: JsonObject = {}) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: '{"a":1}', ...inside },
    ...more,
  });
  const result = (id: string, more: JsonObject = {}) => ({
    role: 'tool',
    tool_call_id: id,
    name: 'f',
    content: 'r',
    ...more,
  });
  const asks = (calls: Json[], more: JsonObject = {}) => ({
    id: 'm',
    role: 'assistant',
    content: '',
    tool_calls: calls,
    ...more,
  });

  test.each([
    ['more members of a result', document(asks([call('a')]), result('a', { foo: 1, id: 'r', status: 'ok' }))],
    ['more members of calls', document(asks([call('a', { index: 0, id2: 'x' }, { strict: true })]))],
    ['a list of no calls', document(asks([], { content: 'text' }))],
    ['a namespace of the call alone', document(asks([call('a', {}, { namespace: 'n' })]), result('a'))],
    [
      'a status of the call alone',
      document(asks([call('a')], { metadata: { status: 'pending_user_input' } }), result('a')),
    ],
    [
      'a status of the result alone',
      document(asks([call('a')]), result('a', { metadata: { status: 'pending_user_input', exit_code: 0 } })),
    ],
    ['no ids at all', document({ role: 'user', content: 'q' }, { role: 'assistant', content: 'a' })],
    [
      'a request said again',
      document(
        { role: 'user', content: 'q' },
        asks([call('a')]),
        { role: 'user', content: 'q' },
        result('a'),
      ),
    ],
    [
      'a role of another kind',
      document({ role: 'x', content: 'call_1' }, { role: 'developer', content: null }),
    ],
    [
      'content of other kinds',
      document(
        { role: 'user', content: 5 },
        { role: 'developer', content: {} },
        asks([call('a')], { content: [{ type: 'text', text: 'x' }] }),
        result('a', { content: [] }),
        { role: 'assistant', content: [] },
        result('b', { content: { n: 1 } }),
      ),
    ],
    ['a result that names no call', document({ role: 'tool', name: 'f', content: 'r' })],
    [
      'an orphan ahead of its call',
      document(result('a'), asks([call('a')]), result('a', { content: 'again' })),
    ],
  ])('%s', (_, given) => {
    expect(viewed(given)).toEqual(modelVisibleChatml(given));
  });

  /** Arguments are compared as the JSON that they hold. */
  const parsedArguments = (given: JsonObject): Json =>
    JSON.parse(stringify(given), (key, value) => (key === 'arguments' ? JSON.parse(value) : value));

  test('generated canonical documents', () => {
    const more = fc.dictionary(fc.constantFrom('index', 'x', 'strict'), fc.integer(), { maxKeys: 2 });
    const name = fc.constantFrom('f', 'g');
    const id = fc.constantFrom('a', 'b', 'c', 'call_2');
    const metadata = fc.record(
      { status: fc.constantFrom('completed', 'pending_user_input'), exit_code: fc.integer(), phase: name },
      { requiredKeys: [] },
    );
    const optional = { id: fc.uuid(), metadata };
    const toolCall = fc
      .tuple(id, name, fc.json({ maxDepth: 1 }), more, fc.option(name, { nil: undefined }))
      .map(([callId, fn, args, rest, namespace]) => ({
        ...rest,
        id: callId,
        type: 'function',
        function: { name: fn, arguments: args, ...(namespace === undefined ? {} : { namespace }) },
      }));
    const message = fc.oneof(
      fc.record(
        { role: fc.constantFrom('user', 'developer'), content: fc.string(), ...optional },
        { requiredKeys: ['role', 'content'] },
      ),
      fc.record(
        {
          role: fc.constant('assistant'),
          content: fc.string(),
          tool_calls: fc.array(toolCall, { maxLength: 2 }),
          reasoning_content: fc.string(),
          ...optional,
        },
        { requiredKeys: ['role', 'content'] },
      ),
      fc
        .tuple(
          fc.record(
            {
              role: fc.constant('tool'),
              tool_call_id: id,
              name,
              content: fc.string(),
              namespace: name,
              ...optional,
            },
            { requiredKeys: ['role', 'tool_call_id', 'name', 'content'] },
          ),
          more,
        )
        .map(([tool, rest]) => ({ ...rest, ...tool })),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const given = JSON.parse(JSON.stringify(document(...(messages as Json[])))) as JsonObject;
        expect(parsedArguments(viewed(given))).toEqual(parsedArguments(modelVisibleChatml(given)));
      }),
      generated(150),
    );
  });
});
