import {
  collectIssues,
  exportValue,
  getOwn,
  type Json,
  type JsonObject,
  modelVisible,
  stringify,
  toChatml,
  viewTurns,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ankole, revealOpaque } from '../src/index.ts';
import { codesOf, issueOf, storylineOf, writtenBack } from './support/round-trip.ts';

const row = (id: string, content: readonly Json[], over: JsonObject = {}): JsonObject => ({
  id,
  subject_uid: 'agent-1',
  conversation_id: 'c',
  type: 'message',
  role: null,
  status: 'complete',
  previous_message_id: null,
  content,
  metadata: {},
  inserted_at: `2026-07-20T08:00:0${id.at(-1)}.000000Z`,
  updated_at: `2026-07-20T08:00:0${id.at(-1)}.000000Z`,
  ...over,
});
const encode = (text: string, prefix = 'ankole-aigateway-opaque-v1:') =>
  `${prefix}${Buffer.from(text).toString('base64url')}`;
const call = (args: string, over: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  call_id: 'c1',
  name: 'send',
  arguments: args,
  ...over,
});
const callOf = (document: Json) => storylineOf(document).turns.flatMap((turn) => turn.tool_calls ?? [])[0];

describe('encoded parameters (notes §1.3)', () => {
  test('a direct text member and a whole text are opened, told, and come back as they were', () => {
    const args = stringify({
      to: 'bay 4',
      token: encode('schön ✓'),
      old: encode('x', 'ankole-chat-encoded-v1:'),
    });
    const document = row('r1', [call(args)]);
    expect(callOf(document)?.args).toEqual({ to: 'bay 4', token: 'schön ✓', old: 'x' });
    expect(issueOf(document, 'ankole/opened-value')).toMatchObject({
      severity: 'info',
      at: { pointer: '/content/0/arguments' },
    });
    expect(writtenBack(document)).toEqual(document);
    const whole = row('r1', [call(encode('all of it'))]);
    expect(callOf(whole)?.args).toBe('all of it');
    expect(writtenBack(whole)).toEqual(whole);
    const input = row('r1', [{ type: 'custom_tool_call', call_id: 'c', name: 'n', input: encode('sql') }]);
    expect(callOf(input)?.args).toBe('sql');
    expect(writtenBack(input)).toEqual(input);
    // Opened and encoded again by the writer: nothing of it is kept a second time.
    expect(stringify(storylineOf(document) as unknown as Json)).not.toContain(encode('schön ✓'));
  });

  test('nothing deeper, nothing quoted in prose, nothing in messages and outputs', () => {
    const content = [
      call(stringify({ deep: { token: encode('x') }, prose: `see ${encode('x')}`, list: [encode('x')] })),
      { type: 'function_call_output', call_id: 'c1', output: encode('x') },
      { role: 'user', content: encode('x') },
    ];
    const document = row('r1', content);
    expect(codesOf(document)).toEqual([]);
    expect(stringify(storylineOf(document) as unknown as Json)).not.toContain('"x"');
    expect(writtenBack(document)).toEqual(document);
  });

  test.each([
    ['padding', `${encode('a')}==`],
    ['base64 letters', `ankole-aigateway-opaque-v1:${Buffer.from([251, 255]).toString('base64')}`],
    ['a broken letter', `${encode('abc')}!`],
    [
      'bytes that are no UTF-8',
      `ankole-aigateway-opaque-v1:${Buffer.from([255, 254]).toString('base64url')}`,
    ],
    ['nothing behind the prefix', 'ankole-aigateway-opaque-v1:'],
  ])('%s comes back exactly', (name, token) => {
    const document = row('r1', [call(stringify({ token }))]);
    expect(writtenBack(document)).toEqual(document);
    const unreadable = ['base64 letters', 'a broken letter', 'bytes that are no UTF-8'].includes(name);
    expect(codesOf(document)).toEqual([unreadable ? 'ankole/unreadable-value' : 'ankole/opened-value']);
  });

  test('of stored items, too', () => {
    const item = {
      type: 'dynamicToolCall',
      id: 'd',
      tool: 't',
      arguments: { token: encode('open'), n: 1 },
      status: 'completed',
      contentItems: [],
    };
    const document = { turn_id: 't', position: 0, item };
    expect(callOf(document)?.args).toEqual({ token: 'open', n: 1 });
    expect(writtenBack(document)).toEqual(document);
  });

  test('revealOpaque opens a text as a whole, or the direct members of the JSON that it spells', () => {
    expect(revealOpaque(encode('secret'))).toBe('secret');
    expect(revealOpaque(`{"a":"${encode('b')}","c":1}`)).toBe('{"a":"b","c":1}');
    for (const text of [`{"a":{"b":"${encode('c')}"}}`, `see ${encode('x')}`, 'plain', '{"a":1}'])
      expect(revealOpaque(text)).toBe(text);
  });

  test('any text, encoded, comes back and is read as it was', () => {
    const plain = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(plain, fc.dictionary(fc.string({ maxLength: 6 }), plain), (text, others) => {
        const args = Object.assign(Object.create(null), others, { token: encode(text) });
        const document = row('r1', [call(JSON.stringify(args))]);
        expect(getOwn(callOf(document)?.args as JsonObject, 'token')).toBe(text);
        expect(writtenBack(document)).toEqual(document);
      }),
      { numRuns: 100 },
    );
  });
});

describe('outputs of before August 2026', () => {
  const output = (text: string) => ({ type: 'function_call_output', call_id: 'c1', output: text });
  const wrap = (text: string, close = ' nonce="n-1"') =>
    `<ankole_untrusted_tool_output nonce="n-1">\n${text}\n</ankole_untrusted_tool_output${close}>`;
  const outputOf = (document: Json) => {
    const turn = storylineOf(document).turns.find(({ observation }) => observation !== undefined);
    const results = getOwn((turn?.observation ?? {}) as JsonObject, 'results') as JsonObject[];
    return results[0]?.content;
  };

  test.each([
    ['with the nonce at both ends', wrap('17 crates\n')],
    ['without a nonce at the end', wrap('17 crates\n', '')],
    ['on one line', '<ankole_untrusted_tool_output nonce="n-1">17 crates\n\n</ankole_untrusted_tool_output>'],
  ])('lose their pseudo tag %s, which comes back', (_, text) => {
    const document = row('r1', [call('{}'), output(text)]);
    expect(outputOf(document)).toBe('17 crates\n');
    expect(codesOf(document)).toEqual(['ankole/unwrapped-output']);
    expect(writtenBack(document)).toEqual(document);
    const { messages } = modelVisible(storylineOf(document)) as unknown as { messages: JsonObject[] };
    expect(messages.at(-1)?.content).toBe('17 crates\n');
  });

  test.each([
    ['a tag of another nonce at the end', wrap('x', ' nonce="other"')],
    ['a tag that is not closed', '<ankole_untrusted_tool_output nonce="n-1">\nx'],
    ['a tag in prose', `I saw ${wrap('x')}`],
    ['text behind it', `${wrap('x')} and more`],
  ])('keep %s', (_, text) => {
    const document = row('r1', [call('{}'), output(text)]);
    expect(outputOf(document)).toBe(text);
    expect(codesOf(document)).toEqual([]);
    expect(writtenBack(document)).toEqual(document);
  });

  test('a quoted tag inside stays, and an item with a member of that name is left alone', () => {
    const inner = wrap('x');
    expect(outputOf(row('r1', [call('{}'), output(wrap(inner))]))).toBe(inner);
    const odd = row('r1', [call('{}'), { ...output(wrap('x')), envelope: { open: 'o', close: 'c' } }]);
    expect(outputOf(odd)).toBe(wrap('x'));
    expect(writtenBack(odd)).toEqual(odd);
  });
});

describe('artifacts of compactions, as a database dump has them', () => {
  const rows = [
    row('r1', [{ role: 'user', content: 'Count bay 4' }]),
    row('r2', [{ type: 'compaction_artifact', id: 'cmp_r2' }], {
      type: 'checkpoint',
      previous_message_id: 'r1',
      metadata: { covered_message_count: 1 },
    }),
    row('r3', [{ role: 'user', content: 'And bay 5?' }], { previous_message_id: 'r2' }),
  ];
  const artifact = (over: JsonObject = {}): JsonObject => ({
    id: 'r2',
    conversation_id: 'c',
    content: {
      version: 2,
      summary: { text: 'The user counts crates.' },
      output: [
        { role: 'user', content: 'Count bay 4' },
        { id: 'cmp_r2', type: 'compaction', encrypted_content: 'ankole:compact:v1:cmp_r2' },
      ],
      usage: { input_tokens: 5 },
    },
    inserted_at: '2026-07-20T08:00:02.000000Z',
    ...over,
  });

  test('K2: the summary is the message of its checkpoint, what it keeps is in the context only, and all comes back', () => {
    const document = [...rows, artifact()];
    const story = storylineOf(document);
    expect(story.turns.map(({ src, msg, kind }) => [src, msg, kind])).toEqual([
      ['user', 'Count bay 4', undefined],
      ['user', 'The user counts crates.', 'internal'],
      ['user', 'And bay 5?', undefined],
    ]);
    expect(codesOf(document)).toEqual([]);
    const { report } = collectIssues();
    const { document: context } = toChatml(story, report, viewTurns(story, 'context', report));
    expect(context.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Count bay 4'],
      ['user', 'The user counts crates.'],
      ['user', 'And bay 5?'],
    ]);
    const leaf = viewTurns(story, 'leaf', report);
    expect(leaf.map(({ msg }) => msg)).toEqual(['Count bay 4', 'The user counts crates.', 'And bay 5?']);
    expect(writtenBack(document)).toEqual(document);
    expect(writtenBack([artifact({ id: 'cmp_r2' }), ...rows])).toEqual([artifact({ id: 'cmp_r2' }), ...rows]);
  });

  test('of the provider itself they cannot be read', () => {
    const document = [...rows, artifact({ content: { version: 3, source: 'upstream', output: ['opaque'] } })];
    expect(codesOf(document)).toEqual(['ankole/checkpoint-without-summary']);
    expect(issueOf(document, 'ankole/checkpoint-without-summary')?.message).toContain(
      'the provider compacted itself',
    );
    expect(storylineOf(document).meta).toEqual({ artifacts: [document.at(-1)] });
    expect(writtenBack(document)).toEqual(document);
  });

  test('of a version that nobody knows yet are kept and told', () => {
    const document = [...rows, artifact({ content: { version: 9, blob: 'opaque' } })];
    expect(codesOf(document)).toEqual(['ankole/checkpoint-without-summary']);
    expect(storylineOf(document).meta).toEqual({ artifacts: [document.at(-1)] });
    expect(writtenBack(document)).toEqual(document);
  });

  test('without their checkpoint they are kept and told', () => {
    for (const alone of [artifact(), artifact({ conversation_id: null })]) {
      expect(codesOf(alone)).toEqual(['ankole/no-messages', 'ankole/lone-artifact']);
      expect(writtenBack(alone)).toEqual(alone);
    }
    expect(exportValue(ankole, [storylineOf([...rows, artifact({ id: 'other' })])]).value).toEqual([
      ...rows,
      artifact({ id: 'other' }),
    ]);
  });
});
