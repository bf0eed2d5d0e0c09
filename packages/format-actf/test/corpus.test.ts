import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from '@pchronicle/conformance';
import {
  equalJson,
  fieldsOf,
  getOwn,
  getPointer,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Storyline,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { normaliseActf } from '../src/index.ts';
import { readJson } from './support/cases.ts';
import { accepted, back, task, told, written } from './support/documents.ts';

const corpus = process.env.PCHRONICLE_CORPUS;
const at = '/attempts/1/trajectory';

test.skipIf(!corpus)('the public ACTF file comes back as its normal form, twice', () => {
  const document = readJson(join(corpus ?? '', 'actf/make-doom-for-mips_trimmed.actf.json'));
  const { storylines, issues } = accepted(document);
  expect(storylines[0]?.turns.length).toBe(2);
  expect(storylines[0]?.turns[1]?.latency_ms).toBe(12);
  expect(told(issues)).toEqual([
    'warning core/unknown-key /attempts/*/trajectory/steps/*/fixture_extension'.replace(
      'attempts/*',
      'attempts/1',
    ),
  ]);
  const { document: first, issues: losses } = written(storylines);
  expect(losses).toEqual([]);
  expect(differences(first, normaliseActf(document))).toEqual([]);
  expect(differences(back(first).document, first)).toEqual([]);
});

describe.skipIf(!corpus)('a real OpenClaw session as a failed attempt', () => {
  const lines = corpus
    ? readFileSync(join(corpus, 'openclaw-pi/large-session.jsonl'), 'utf8').split('\n').filter(Boolean)
    : [];
  const session = lines.map((line) => parseJson(line).value as JsonObject);
  const document = task({ '1': { correct: false, status: 'failed', error: 'gave up', trajectory: session } });
  const story = corpus ? (accepted(document).storylines[0] as Storyline) : undefined;
  const turns = story?.turns ?? [];
  const aside = (story && fieldsOf(story, 'openclaw')) ?? {};
  const calls = turns.flatMap((turn) => turn.tool_calls ?? []);
  const results = turns.flatMap(
    (turn) => (getPointer(turn.observation ?? null, '/results') ?? []) as readonly JsonObject[],
  );

  test('A12: its 1,019 events are all accounted for: 541 turns, 373 results, 105 others', () => {
    expect(session).toHaveLength(1019);
    expect(turns).toHaveLength(541);
    expect(results).toHaveLength(373);
    const others = session.filter((event) => event.type !== 'message');
    expect(others).toHaveLength(105);
    expect(turns.length + results.length + others.length).toBe(session.length);
    expect(accepted(document).issues.find(({ code }) => code === 'actf/openclaw-events')?.message).toContain(
      '1019 OpenClaw events: 541 turns, 373 tool results folded into their calls, 105 others',
    );
  });

  test('A12: 18 of its 391 calls have no result', () => {
    expect(calls).toHaveLength(391);
    expect(calls.filter((call) => call.result === undefined)).toHaveLength(18);
  });

  test('A12: every leftover key of every event is found in the auxiliary source, and no other', () => {
    const wanted: { [pointer: string]: Json } = {};
    const keep = (object: JsonObject, used: readonly string[], pointer: string): void => {
      for (const [key, value] of Object.entries(object))
        if (!used.includes(key)) wanted[`${pointer}/${key}`] = value;
    };
    for (const [index, event] of session.entries()) {
      const place = `${at}/${index}`;
      if (event.type === 'session') keep(event, ['id', 'cwd'], place);
      else if (event.type === 'model_change') keep(event, ['modelId'], place);
      else if (event.type !== 'message') wanted[place] = event;
      if (event.type !== 'message') continue;
      const message = event.message as JsonObject;
      const answer = message.role === 'toolResult';
      keep(event, answer ? ['type', 'message'] : ['type', 'message', 'timestamp'], place);
      keep(
        message,
        answer
          ? ['role', 'content', 'toolCallId', 'toolName', 'details']
          : ['role', 'content', 'model', 'usage'],
        `${place}/message`,
      );
      if (isJsonObject(message.details)) keep(message.details, [], `${place}/message/details`);
      const texts = new Set<Json>();
      (message.content as readonly JsonObject[]).forEach((part, position) => {
        const where = `${place}/message/content/${position}`;
        if (part.type === 'text' && texts.size > 0) wanted[where] = part;
        else keep(part, ['type', 'text', 'thinking', 'id', 'name', 'arguments'], where);
        if (part.type === 'text') texts.add(part);
      });
    }
    expect(Object.keys(aside)).toHaveLength(Object.keys(wanted).length);
    expect(differences(wanted, aside)).toEqual([]);
    const counts: { [pattern: string]: number } = {};
    for (const pointer of Object.keys(aside)) {
      const pattern = pointer.slice(at.length).replaceAll(/\/\d+/g, '/*');
      counts[pattern] = (counts[pattern] ?? 0) + 1;
    }
    expect(counts).toEqual({
      '/*': 103,
      '/*/type': 2,
      '/*/timestamp': 2 + 373,
      '/*/provider': 2,
      '/*/modelId': 1,
      '/*/thinkingLevel': 1,
      '/*/message/timestamp': 88 + 453 + 373,
      '/*/message/api': 453,
      '/*/message/provider': 453,
      '/*/message/stopReason': 453,
      '/*/message/errorMessage': 22,
      '/*/message/isError': 373,
      '/*/message/details/diff': 128,
      '/*/message/content/*/partialJson': 3,
      '/*/message/content/*/thinkingSignature': 1,
    });
  });

  test('A12: every scalar of every event is in its slot or in the auxiliary source', () => {
    const byCall = new Map(calls.map((call) => [call.tcid, call]));
    let message = 0;
    let slots = 0;
    let kept = 0;
    const byId = new Map(turns.map((turn) => [turn.id, turn]));
    session.forEach((event, index) => {
      if (event.type === 'message') message += 1;
      const turn = byId.get(message);
      for (const [pointer, value] of leavesOf(event)) {
        if (isKept(aside, `${at}/${index}`, pointer, value)) kept += 1;
        else if (isInSlot(event, turn, byCall, story as Storyline, pointer, value)) slots += 1;
        else throw new Error(`event ${index}: ${pointer} is nowhere`);
      }
    });
    expect({ slots, kept }).toEqual({ slots: 11_068, kept: 3490 });
  });

  test('A12: it comes back as its normal form, and so does that', () => {
    const { document: first, issues } = written([story as Storyline]);
    expect(differences(first, normaliseActf(document))).toEqual([]);
    expect(differences(back(first).document, first)).toEqual([]);
    // What a step cannot say: who spoke, and with which model; 20 of each are listed, and then how many there are.
    const losses = issues.filter(({ severity }) => severity === 'loss');
    expect(
      [...new Set(losses.map(({ at: place }) => place.pointer.replaceAll(/\/\d+/g, '/*')))].sort(),
    ).toEqual(['/agent/model', '/task/env', '/turns/*/model', '/turns/*/src']);
  });
});

function leavesOf(root: Json): readonly (readonly [string, Json])[] {
  const leaves: (readonly [string, Json])[] = [];
  const pending: (readonly [string, Json])[] = [['', root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, value] = next;
    const members = isJsonArray(value) || isJsonObject(value) ? Object.entries(value) : [];
    if (members.length === 0) leaves.push(next);
    for (const [key, member] of members)
      pending.push([`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, member]);
  }
  return leaves;
}

function isKept(aside: JsonObject, place: string, pointer: string, value: Json): boolean {
  for (let end = pointer.length; end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    const held = getOwn(aside, place + pointer.slice(0, end));
    if (held !== undefined) return equalJson(getPointer(held, pointer.slice(end)) ?? null, value);
    if (end === 0) return false;
  }
  return false;
}

/** Whether the Storyline has a scalar of an event where the mapping puts it. */
function isInSlot(
  event: JsonObject,
  turn: Turn | undefined,
  calls: ReadonlyMap<string, ToolCall>,
  story: Storyline,
  pointer: string,
  value: Json,
): boolean {
  const same = (found: Json | undefined): boolean => found !== undefined && equalJson(found, value);
  if (event.type === 'session')
    return same(pointer === '/id' ? story.task?.env?.id : story.task?.env?.state?.cwd);
  if (event.type === 'model_change') return pointer === '/modelId' && same(story.agent.model);
  const message = event.message as JsonObject;
  if (pointer === '/type' || pointer === '/message/role') return true;
  if (message.role === 'toolResult') {
    const call = calls.get(String(message.toolCallId));
    if (pointer === '/message/toolCallId') return call !== undefined;
    if (pointer === '/message/toolName') return same(call?.fn);
    if (pointer === '/message/details') return equalJson(value, {});
    return (
      /^\/message\/content\/\d+\/(type|text)$/.test(pointer) &&
      (pointer.endsWith('type') ? value === 'text' : same(call?.result))
    );
  }
  if (turn === undefined) return false;
  if (pointer === '/timestamp') return same(turn.ts);
  if (pointer === '/message/model') return same(turn.model);
  if (pointer === '/message/content') return equalJson(value, []);
  const usage = /^\/message\/usage(\/.*)$/.exec(pointer)?.[1];
  if (usage !== undefined) return same(getPointer(turn.metrics ?? null, usage));
  const [, position, key = '', rest = ''] = /^\/message\/content\/(\d+)\/([^/]+)(.*)$/.exec(pointer) ?? [];
  const part = (message.content as readonly JsonObject[])[Number(position)];
  if (key === 'type') return part !== undefined;
  if (key === 'text') return String(turn.msg).includes(String(value));
  if (key === 'thinking') return same(turn.reason);
  const call = calls.get(String(part?.id));
  if (key === 'id') return call !== undefined && (turn.tool_calls ?? []).includes(call);
  return key === 'name' ? same(call?.fn) : key === 'arguments' && same(getPointer(call?.args ?? null, rest));
}
