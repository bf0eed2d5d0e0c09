import {
  bytesSource,
  canonicalJson,
  collectIssues,
  encodeText,
  exportValue,
  getOwn,
  importStorylines,
  isJsonArray,
  type Json,
  type JsonObject,
  modelVisible,
  modelVisibleChatml,
  parseJson,
  readHead,
  type Storyline,
  stringify,
  type ToolCall,
  toChatml,
} from '@pchronicle/storyline-core';
import { afterAll, describe, expect, test } from 'vitest';
import {
  ankole,
  exportAnkole,
  importAnkole,
  isCanonicalMessage,
  normaliseAnkole,
  projectItem,
  toAnkoleChatml,
} from '../src/index.ts';
import { codesOf, issueOf, storylineOf, storylinesOf, writtenBack } from './support/round-trip.ts';
import { vectorCases, withParsedTexts } from './support/vectors.ts';

const conversation = vectorCases('21')[0]?.input as JsonObject;
const rows = conversation.messages as JsonObject[];
const jobPages = getOwn(vectorCases('24')[0]?.input as JsonObject, 'pages') as JsonObject[];
const items = ['08', '09', '10', '11', '13']
  .flatMap((number) => vectorCases(number))
  .map(({ input }) => input);
const itemRows = items.map(
  (item, position): JsonObject => ({
    turn_id: 'turn-1',
    position,
    revision: 1,
    item_key: `key-${position}`,
    item,
    inserted_at: '2026-08-20T09:00:00.000000Z',
  }),
);

async function readLines(text: string): Promise<readonly Storyline[]> {
  const found: Storyline[] = [];
  for await (const event of importStorylines(bytesSource('dump.jsonl', text), ankole))
    if (event.type === 'storyline') found.push(event.storyline);
  return found;
}
const linesOf = (values: readonly Json[]) => values.map((value) => `${stringify(value)}\n`).join('');

test('vector 24: two pages of a job are joined by turn id, the older in front (1 case)', () => {
  const [one, ...others] = vectorCases('24');
  expect(others).toEqual([]);
  const wanted = getOwn(one?.expected as JsonObject, 'turns') as JsonObject[];
  for (const pages of [jobPages, [...jobPages].reverse()]) {
    const story = storylineOf(pages);
    const ids = [...new Set(story.turns.map((turn) => turn.env?.request_id))];
    const found = ids.map((id) => {
      const turns = story.turns.filter((turn) => turn.env?.request_id === id);
      const row = getOwn((turns[0]?.extra ?? {}) as JsonObject, 'row') as JsonObject;
      return {
        runtime_turn_id: row.runtime_turn_id,
        status: getOwn(turns[0]?.env?.state ?? {}, 'status'),
        messages: turns.flatMap(({ msg }) => (msg === null ? [] : [msg])),
      };
    });
    expect(found).toEqual(wanted);
    expect(writtenBack(pages)).toEqual(pages);
  }
  expect(codesOf(jobPages)).toEqual(['ankole/turn-without-messages']);
  console.log('vector 24: 1 of 1 cases pass');
});

describe('every shape comes back exactly (G1)', () => {
  const response = {
    id: 'resp_019f2222-0000-7000-8000-000000000009',
    object: 'response',
    created_at: 1787312800,
    status: 'incomplete',
    model: 'm-1',
    previous_response_id: 'resp_019f2222-0000-7000-8000-000000000007',
    conversation: { id: 'conv_019f2222-0000-7000-8000-000000000900' },
    input: [{ role: 'user', content: 'And?' }],
    output: [
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'No.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 1 },
    metadata: {},
  };
  const shapes: { readonly [name: string]: Json } = {
    'a page': conversation,
    'two pages of one conversation': [
      { messages: rows.slice(0, 3), next_cursor: 'abc' },
      { messages: rows.slice(3), next_cursor: null },
    ],
    'pages in the wrong order, with a row on both': [
      { messages: rows.slice(2), next_cursor: null },
      { messages: rows.slice(0, 3), next_cursor: 'abc' },
    ],
    'a row': rows[0] ?? null,
    'an array of rows': rows,
    'a conversation object': { conversation: { id: '019f2222-0000-7000-8000-000000000900', kind: 'cron' } },
    'a conversation object with its page': [
      { conversation: { id: '019f2222-0000-7000-8000-000000000900' } },
      conversation,
    ],
    'an empty page': { messages: [], next_cursor: null },
    'a Response': response,
    'a Response beside the page of its conversation': [conversation, response],
    'a page of a job': jobPages[0] ?? null,
    'rows of a turn': itemRows,
    'rows out of order': [...itemRows].reverse(),
    'one row of a turn': itemRows[0] ?? null,
  };
  test.each(Object.entries(shapes))('%s', (_, document) => {
    expect(writtenBack(document)).toEqual(document);
    expect(normaliseAnkole(document)).toEqual(document);
  });

  const documents = ['01', '02', '04', '06']
    .flatMap((number) => vectorCases(number))
    .map(({ name, input }) => [name, input] as const)
    .filter(([, input]) => codesOf(input).every((code) => code !== 'ankole/envelope'));
  test.each(documents)('K7: %s comes back, and its model view is that of the document', (_, document) => {
    expect(writtenBack(document)).toEqual(document);
    const visible = modelVisible(storylineOf(document));
    expect(withParsedTexts(visible)).toEqual(withParsedTexts(modelVisibleChatml(document as JsonObject)));
  });
  test('all 13 documents of the model vectors are imported', () => expect(documents).toHaveLength(13));

  test('a Response continues the conversation of its page', () => {
    const story = storylineOf([conversation, response]);
    expect(story.turns.at(-1)?.env?.state).toMatchObject({
      previous: '019f2222-0000-7000-8000-000000000007',
      status: 'complete',
      side: 'output',
    });
  });
});

describe('rows of JSON Lines', () => {
  test('are gathered by conversation and by turn, and written as lines again', async () => {
    const other = rows.map((row) => ({ ...row, conversation_id: 'other' }));
    const mixed = [...rows, ...other, ...itemRows].sort((a, b) => stringify(a).length - stringify(b).length);
    const stories = await readLines(linesOf(mixed));
    expect(stories.map(({ session }) => session).sort()).toEqual(
      [rows[0]?.conversation_id, 'other', 'turn-1'].map(String).sort(),
    );
    const { value } = exportValue(ankole, stories, { outer: 'lines' });
    expect(inOrder(value as Json[])).toEqual(inOrder(mixed));
  });

  test('documents a line are documents of their own', async () => {
    const bare = vectorCases('01').map(({ input }) => input);
    const stories = await readLines(linesOf(bare));
    expect(stories).toHaveLength(3);
    expect(exportValue(ankole, stories, { outer: 'lines' }).value).toEqual(bare);
  });
});

/** Values in the order of their canonical text. */
function inOrder(values: readonly Json[]): readonly string[] {
  return values.map(canonicalJson).sort();
}

describe('residual and layout bytes', () => {
  const documents: readonly (readonly [string, Json])[] = [
    ['21', conversation],
    ['24', jobPages],
    ['items', itemRows],
    ...['01', '02', '04', '06'].flatMap((number) =>
      vectorCases(number).map(({ name, input }) => [name, input] as const),
    ),
  ];
  const shares: string[] = [];
  test.each(documents)('%s: under a tenth of the source', (name, document) => {
    let kept = 0;
    for (const { unknown_fields: residual } of storylinesOf(document))
      if (residual !== undefined) kept += encodeText(stringify(residual.sources as unknown as Json)).length;
    const size = encodeText(stringify(document)).length;
    expect(kept).toBeLessThan(0.1 * size);
    shares.push(`${name}: ${kept} of ${size} bytes, ${((100 * kept) / size).toFixed(1)} %`);
  });
  afterAll(() => console.log(`residual and layout bytes\n${shares.join('\n')}`));
});

describe('K3: what a call is', () => {
  test('namespace, execution_mechanism and caller are extras, the name is the leaf name, kind is never set', () => {
    const story = storylineOf(itemRows);
    const calls = story.turns.flatMap((turn) => turn.tool_calls ?? []);
    const of = (tcid: string) => calls.find((call) => call.tcid === tcid) as ToolCall;
    expect(of('ws-1')).toMatchObject({ fn: 'web_search', extra: { execution_mechanism: 'provider_hosted' } });
    expect(of('dt-1')).toMatchObject({ fn: 'web_search', extra: { execution_mechanism: 'local_dynamic' } });
    expect(of('mcp-1')).toMatchObject({ fn: 'get_price', extra: { namespace: 'mcp__stock_desk' } });
    expect(calls.every((call) => call.kind === undefined)).toBe(true);
    const program = vectorCases('19').find(({ name }) => name.startsWith('scope'))?.input as Json[];
    const scoped = storylineOf({ ...(rows[0] as JsonObject), content: program });
    const [direct, nested] = scoped.turns
      .filter((turn) => turn.observation !== undefined)
      .map((turn) => ((turn.observation as JsonObject).results as JsonObject[])[0]?.source_call_id);
    expect(scoped.turns.flatMap((turn) => turn.tool_calls ?? []).map(({ tcid }) => tcid)).toEqual([
      'p',
      'a',
      'a@3',
    ]);
    expect([direct, nested]).toEqual(['a@3', 'a']);
    expect(scoped.turns[1]?.tool_calls?.[0]?.extra).toMatchObject({
      caller: { type: 'program', caller_id: 'p' },
    });
  });
});

describe('K4: what has no answer or no message', () => {
  test('an open question is a status of its call, and shown', () => {
    const story = storylineOf(itemRows);
    const open = story.turns.find((turn) => turn.tool_calls?.[0]?.tcid === 'ask-1');
    expect(open?.tool_calls?.[0]?.response).toEqual({ status: 'pending_user_input' });
    expect(open?.observation).toBeUndefined();
    const { document } = toChatml(story, collectIssues().report);
    const shown = document.messages.find((message) => message.id === 'ask-1:call');
    expect(shown?.metadata).toEqual({ status: 'pending_user_input' });
  });

  test('items that project to nothing are internal turns that hold them, and counted', () => {
    const nothing = ['subAgentActivity', 'somethingNew', 'reasoning'].map((type, position) => ({
      turn_id: 't',
      position,
      item: { type, id: `i${position}`, summary: [] },
    }));
    const story = storylineOf(nothing);
    expect(story.turns.map((turn) => turn.kind)).toEqual(['internal', 'internal', 'internal']);
    expect(issueOf(nothing, 'ankole/item-without-message')?.message).toContain('3 times');
    expect(writtenBack(nothing)).toEqual(nothing);
  });

  test('the messages of stored items are those that Ankole makes of them', () => {
    const story = storylineOf(itemRows);
    const { document } = toChatml(story, collectIssues().report);
    const wanted = items.flatMap((item) => {
      const { messages } = projectItem(item);
      return messages.every(isCanonicalMessage) ? messages.map((message) => ({ id: null, ...message })) : [];
    });
    const found = document.messages.map((message, index) =>
      wanted[index]?.id === null ? { ...message, id: null } : message,
    );
    expect(withParsedTexts(found)).toEqual(withParsedTexts(wanted));
  });
});

describe('ankole_chatml from any Storyline', () => {
  const story: Storyline = {
    schema_version: 'storyline/v1',
    session: 's',
    agent: { id: 'a' },
    prompt: { system: 'Be brief.' },
    turns: [
      { id: 1, src: 'user', msg: [{ type: 'text', text: 'Look' }] },
      { id: 2, src: 'wizard', msg: { odd: true } },
      {
        id: 3,
        src: 'agent',
        msg: null,
        reason: 'think',
        tool_calls: [{ tcid: 'c', fn: 'f', args: { a: 1 }, response: { status: 'ok', exit_code: 0 } }],
        observation: { results: [{ source_call_id: 'c', content: { deep: [1] } }, 'stray'] },
      },
    ],
  };

  test('is canonical, system messages are developer messages, and what is changed is told', () => {
    const { report, issues } = collectIssues();
    const { messages, ...header } = toAnkoleChatml(story, report);
    expect(header).toEqual({ format: 'ankole_chatml', version: 1 });
    expect(messages.map(isCanonicalMessage)).toEqual(messages.map(() => true));
    expect(messages.map(({ role }) => role)).toEqual([
      'developer',
      'user',
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect(issues.map(({ code }) => code)).toEqual(['ankole/system-as-developer', 'ankole/role-as-user']);
  });

  test('what is lost is named', () => {
    const { issues } = exportAnkole([story]);
    expect(issues.filter(({ severity }) => severity === 'loss').map(({ at }) => at.pointer)).toEqual(
      expect.arrayContaining(['/turns', '/prompt', '/session']),
    );
  });
});

test('detection knows every shape, and leaves others alone', async () => {
  const confidence = async (value: Json, text = stringify(value)) =>
    ankole.detect(await readHead(bytesSource('x.json', text))).confidence;
  for (const value of [conversation, rows, jobPages, itemRows, vectorCases('01')[0]?.input ?? null])
    expect(await confidence(value)).toBe('yes');
  expect(await confidence(null, linesOf(rows))).toBe('yes');
  expect(await confidence({ conversation: { id: 'c' } })).toBe('maybe');
  for (const value of [
    { messages: [{ role: 'user', content: 'x' }] },
    [{ messages: [] }],
    { job: 1 },
    'text',
  ])
    expect(await confidence(value)).toBe('no');
});

test('exact numbers and hostile keys survive', () => {
  const text =
    '{"format":"ankole_chatml","version":1,"messages":[{"role":"user","content":"x","__proto__":{"a":1e400},"n":9007199254740993}]}';
  const document = parseJson(text).value ?? null;
  expect(stringify(writtenBack(document) ?? null)).toContain('"n":9007199254740993');
  expect(stringify(writtenBack(document) ?? null)).toContain('"__proto__":{"a":1e400}');
  expect(isJsonArray(importAnkole(text).storylines as unknown as Json)).toBe(true);
});
