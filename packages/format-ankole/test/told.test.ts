import { getOwn, type Json, type JsonObject, project } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { importAnkole } from '../src/index.ts';
import { messageRow } from './support/message-row.ts';
import { codesOf, storylineOf, writtenBack } from './support/round-trip.ts';

const row = (id: string, previous: string | null): JsonObject => {
  const time = `2026-08-20T08:00:0${id.at(-1)}.000000Z`;
  return messageRow(id, previous, [{ role: 'user', content: id }], { inserted_at: time, updated_at: time });
};
const page = (rows: readonly JsonObject[], next_cursor: string | null): JsonObject => ({
  messages: rows,
  next_cursor,
});
const jobOf = (trajectory: Json): JsonObject => ({
  job: { id: 1, turns: [{ id: 't1', status: 'completed', trajectory }], turns_next_cursor: null },
});
const issuesOf = (document: Json) =>
  importAnkole(document).issues.map(({ severity, code, at }) => [severity, code, at.pointer]);

test('a page that is given twice leads in no circle', () => {
  const first = page([row('r1', null)], 'c');
  expect(codesOf([first, page([row('r2', 'r1')], null), first])).toEqual(['ankole/repeated-row']);
  const other = page([row('r3', 'r2')], 'c');
  expect(codesOf([first, other, page([row('r4', 'r3')], null)])).toContain('ankole/repeated-cursor');
});

describe('a turn of a job that is not canonical is told', () => {
  const messages = [{ role: 'user', content: 'q' }];

  test('in its header', () => {
    const document = jobOf({ format: 'other', version: 2, metadata: { redacted: 'yes' }, messages });
    const at = '/job/turns/0/trajectory';
    expect(issuesOf(document)).toEqual([['warning', 'ankole/not-canonical', `${at}/format`]]);
    expect(importAnkole(document).issues[0]?.message).toContain('3 times');
    expect(issuesOf(jobOf({ metadata: { redacted: 'yes' }, messages }))).toEqual([
      ['warning', 'ankole/not-canonical', `${at}/metadata/redacted`],
    ]);
    expect(writtenBack(document)).toEqual(document);
  });

  test('in a message that is no object', () => {
    const document = jobOf({ format: 'ankole_chatml', version: 1, messages: [...messages, 1] });
    expect(issuesOf(document)).toEqual([
      ['warning', 'ankole/not-canonical', '/job/turns/0/trajectory/messages/1'],
    ]);
    expect(writtenBack(document)).toEqual(document);
  });
});

describe('messages that the header says are missing are told', () => {
  const messages = [{ role: 'user', content: 'q' }];
  const chatml = (metadata: JsonObject): JsonObject => ({
    format: 'ankole_chatml',
    version: 1,
    metadata,
    messages,
  });
  const group = (metadata: JsonObject): JsonObject => ({
    turn_id: 't',
    position: 0,
    content: { metadata, messages },
  });

  test.each([
    ['a job', (metadata: JsonObject) => jobOf(chatml(metadata)), '/job/turns/0/trajectory'],
    ['a document', chatml, ''],
    ['a group', group, '/content'],
  ] as const)('of %s', (_, make, at) => {
    const document = make({ max_bytes: 5, omitted_items: 1, omitted_messages: 2 });
    const told = importAnkole(document).issues.filter(({ code }) => code.startsWith('ankole/'));
    expect(told.map(({ code, at }) => [code, at.pointer])).toEqual([
      ['ankole/messages-omitted', `${at}/metadata/omitted_messages`],
    ]);
    expect(told[0]?.message).toContain('omitted_messages is 2, omitted_items is 1');
    expect(issuesOf(make({ omitted_items: 3 }))).toContainEqual([
      'warning',
      'ankole/messages-omitted',
      `${at}/metadata/omitted_items`,
    ]);
    expect(codesOf(make({ max_bytes: 5, omitted_items: 0, omitted_messages: null }))).not.toContain(
      'ankole/messages-omitted',
    );
    expect(writtenBack(document)).toEqual(document);
  });
});

describe('a Response object', () => {
  const response = (more: JsonObject): JsonObject => ({
    id: 'resp_b',
    object: 'response',
    status: 'completed',
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] },
    ],
    ...more,
  });

  test('whose input is a text has it as the message of the user', () => {
    const document = response({ input: 'the question' });
    const story = storylineOf(document);
    expect(story.turns.map(({ src, msg, env }) => [src, msg, getOwn(env?.state ?? {}, 'side')])).toEqual([
      ['user', 'the question', 'input'],
      ['agent', 'a', 'output'],
    ]);
    expect(JSON.stringify(story.unknown_fields)).not.toContain('the question');
    expect(writtenBack(document)).toEqual(document);
    expect(codesOf(document)).toEqual([]);
  });

  test.each([{ input: 7 }, { output: 'text' }])('with %j is refused', (wrong) => {
    const [key] = Object.keys(wrong);
    expect(issuesOf(response({ input: [], ...wrong }))).toEqual([['error', 'ankole/row-shape', `/${key}`]]);
  });

  test('that names no conversation and continues none that is here is told', () => {
    const issue = importAnkole(response({ input: [], previous_response_id: 'resp_a' })).issues[0];
    expect(issue?.code).toBe('ankole/missing-row');
    expect(issue?.message).toContain('names no conversation');
  });

  test('is a leaf by its public name too', () => {
    const story = storylineOf(page([row('r1', null), row('r2', 'r1')], null));
    expect(project(story, { view: 'leaf', leaf: 'resp_r1' }).document.messages).toMatchObject([
      { content: 'r1' },
    ]);
  });
});
