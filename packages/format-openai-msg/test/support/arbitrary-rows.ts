import { arbitraryJson, arbitraryKey } from '@pchronicle/conformance';
import {
  getOwn,
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';

type Maker = fc.Arbitrary<Json>;
type Rows = readonly JsonObject[];

const pick = (...values: readonly Json[]): Maker => fc.constantFrom(...values);

const PARTS = '[{"type":"text","text":"part"},{"type":"image_url","image_url":{"url":"u"}}]';
const text = pick(
  'a',
  'b',
  'go on',
  '再',
  '\ud800',
  '\u0000',
  '[1,2]',
  '[]',
  '{"type":"text","text":"x"}',
  PARTS,
);
const content: Maker = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 1,
    arbitrary: pick(
      null,
      '',
      0,
      false,
      { text: '' },
      { text: 'deep' },
      [],
      {},
      [{ type: 'text', text: 'p' }],
      ['s', null],
    ),
  },
  { weight: 1, arbitrary: arbitraryJson({ depth: 2 }) },
);
const markup = pick(
  '<function=f><parameter=x>1</parameter></function>',
  '<tool_call>\n<function=g>\n<parameter=k>\nv\n</parameter>\n</function>\n</tool_call>',
  '<tool_call>{"name":"h","arguments":{"n":9007199254740993}}</tool_call><tool_call>{"name":"h"}</tool_call>',
  '<tool_call>{"name":"f","arguments":{}}</tool_call>',
  '<tool_call>',
);
const args = pick(
  '{}',
  '{ "a" : 1.50 }',
  '3',
  '"3"',
  '"t"',
  't',
  '',
  '{"n":12345678901234567890,"__proto__":1}',
  null,
  { o: [1] },
  7,
  '[1e400]',
);
const callId = pick(
  'c1',
  'c2',
  'c3',
  'c1',
  'c2',
  'c3',
  'embedded-1-f',
  'embedded-3-f',
  'embedded-1-h',
  'c1@4',
);

const withSome = (base: Maker, extras: fc.Arbitrary<JsonObject>): Maker =>
  fc.tuple(base, extras).map(([one, more]) => merged(one as JsonObject, more));

function merged(one: JsonObject, more: JsonObject): JsonObject {
  const all: MutableJsonObject = {};
  for (const part of [more, one]) for (const key of Object.keys(part)) setOwn(all, key, part[key] as Json);
  return all;
}

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** An object of the keys that were generated, in any subset. */
function sometimes(model: { readonly [key: string]: Maker }): fc.Arbitrary<JsonObject> {
  return fc
    .record(Object.fromEntries(Object.entries(model).map(([key, value]) => [key, rarely(value)])))
    .map((made) => {
      const object: MutableJsonObject = {};
      for (const [key, value] of Object.entries(made)) if (value !== undefined) setOwn(object, key, value);
      return object;
    });
}

const strange = fc.oneof(
  { weight: 3, arbitrary: fc.constant<JsonObject>({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(arbitraryKey(), pick(1, null, 'x', { y: [] }))
      .map(([key, value]) => merged({ [`v${key}`]: 1 }, one(key, value))),
  },
);

function one(key: string, value: Json): JsonObject {
  const object: MutableJsonObject = {};
  // The known keys are made on purpose elsewhere.
  setOwn(object, /^[a-z_]*$/.test(key) && key !== '__proto__' ? `x-${key}` : key, value);
  return object;
}

const messageRest = sometimes({
  name: pick('bob', null, '', []),
  refusal: pick(null, 'no', '', [], 'never'),
  reasoning_content: pick('think', 'think more', null, '', 7),
  tool_call_id: pick(null, {}, 'stray'),
});

const call: Maker = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(callId, pick('f', 'g'), args, pick('function', 'function', null, 'custom'), strange, strange)
      .map(([id, name, given, type, outer, inner]) =>
        merged({ id, type, function: merged({ name, arguments: given }, inner) }, outer),
      ),
  },
  {
    weight: 1,
    arbitrary: pick(
      {},
      null,
      5,
      { id: 'c1' },
      { id: '', function: { name: 'f' } },
      { id: 'c9', type: 'function', function: {} },
      { function: { name: 'f', arguments: '{}' } },
    ),
  },
);
const calls = fc.array(call, { minLength: 1, maxLength: 3 });

/** Structured calls that the text spells too, under ids like those that are made up for such calls (decision O4). */
const calledTwice: Maker = fc
  .tuple(pick(1, 3, 5), pick('f', 'g'), pick('', '', '@2', 'x'), strange, fc.nat({ max: 2 }))
  .map(([step, name, end, more, others]) => {
    const own = { id: `embedded-${step}-${name}${end}`, function: { name, arguments: '{}' } };
    const list = [merged(own, more), ...(others === 2 ? [own] : [])];
    return {
      role: 'assistant',
      content: `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`,
      tool_calls: others === 1 ? [...list, {}] : list,
    };
  });

const assistantOf: Maker = fc
  .tuple(fc.oneof(content, markup), rarely(calls), messageRest, strange, fc.boolean())
  .map(([said, made, rest, more, bare]) => {
    const message: MutableJsonObject = { role: 'assistant' };
    if (!bare || made === undefined) message.content = said;
    if (made !== undefined) message.tool_calls = made;
    return merged(merged(message, rest), more);
  });
const assistant: Maker = fc.oneof(
  { weight: 12, arbitrary: assistantOf },
  { weight: 1, arbitrary: calledTwice },
);
const spoken: Maker = fc.oneof(
  {
    weight: 4,
    arbitrary: withSome(
      content.map((said) => ({ role: 'user', content: said })),
      strange,
    ),
  },
  {
    weight: 1,
    arbitrary: withSome(
      content.map((said) => ({ role: 'system', content: said })),
      messageRest,
    ),
  },
  {
    weight: 1,
    arbitrary: withSome(
      pick(
        { role: 'user' },
        { role: 'user', content: 'q', tool_calls: [] },
        { role: 'system', content: 's', tool_calls: 'x' },
      ),
      strange,
    ),
  },
  {
    weight: 1,
    arbitrary: pick(
      { role: 'developer', content: 'd', name: null },
      { role: 'function', name: 'f', content: 'r' },
      { content: 'no role' },
      { role: null },
      {},
      null,
      'text',
      4,
      [1],
    ),
  },
);
const result: Maker = withSome(
  fc.tuple(callId, content).map(([id, said]) => ({ role: 'tool', tool_call_id: id, content: said })),
  sometimes({ name: pick('f'), vendor: pick(1), content: pick(null) }),
);
const toolWithoutId = pick({ role: 'tool', content: 'r' }, { role: 'tool', tool_call_id: '', content: 'r' });

const message: Maker = fc.oneof(
  { weight: 4, arbitrary: spoken },
  { weight: 4, arbitrary: assistant },
  { weight: 3, arbitrary: result },
  { weight: 1, arbitrary: toolWithoutId },
);

const runKeys: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({}),
  fc.constant({ job_id: 'R' }),
  fc
    .tuple(pick('R', null), pick('B', 'R', 5, null, ''), pick('J', '', null, 5))
    .map(([id, bucket, job]) =>
      id === null
        ? { run_bucket: 'R', job_id: job, run_id: null }
        : { run_id: id, run_bucket: bucket, job_id: job },
    ),
  fc.constant({ run_id: 5, job_id: 'R' }),
  fc.constant({ run_id: '', run_bucket: 'R' }),
);

const stateKeys = sometimes({
  session_id: pick('s0', 'zz', null),
  requested_model: pick('m', 'zz', null),
  llm_step_index: pick(1, 2, '1', null),
  endpoint: pick('/v1', '/v2', '', 5, null),
  event_type: pick('e', '', null, 1),
  request_id: pick('rq', null, {}),
  redaction_policy: pick('p', { a: 1 }, '', null),
  upstream_base_url: pick('u', 'u2'),
  weight_version: pick(3, 3.5, [], 'w'),
  prompt_tokens: pick(3, null, new JsonNumber('12345678901234567890')),
  total_latency_ms: pick(7, 7.9, 'slow', new JsonNumber('1e400')),
  ttft_ms: pick(1, -1.5),
  is_truncated: pick(true, null),
  is_session_completed: pick(false),
  created_at: pick('2026-01-01T00:00:00Z', 5),
  finish_reason: pick('stop', null),
  vendor_state: pick(null, 1),
});
const asText = (value: JsonObject, wanted: boolean): Json => (wanted ? JSON.stringify(value) : value);
const metaJson: Maker = fc.oneof(
  pick(null, {}, [], '{broken', '[1]', '', 5, '{}'),
  fc
    .tuple(
      sometimes({
        source: pick('src', 'ag', '', null, 5),
        group_id: pick('g', 'h', null, '', 4),
        vendor_meta: pick(null, 'v'),
      }),
      rarely(
        fc.oneof(
          stateKeys.map((state) => [state, false] as const),
          stateKeys.map((state) => [state, true] as const),
        ),
      ),
      rarely(pick('nope', [], 5, {}, null)),
      fc.boolean(),
    )
    .map(([meta, state, odd, encoded]) => {
      const object: MutableJsonObject = { ...meta };
      if (state !== undefined) object.env_state = hasExact(state[0]) ? state[0] : asText(state[0], state[1]);
      else if (odd !== undefined) object.env_state = odd;
      return hasExact(object) ? object : asText(object, encoded);
    }),
);

function hasExact(value: Json): boolean {
  return JSON.stringify(value).includes('"raw"');
}

const rowKeys = fc
  .tuple(
    runKeys,
    sometimes({
      agent_id: pick('ag', 'ag2', '', null, 5),
      agent_model: pick('m', 'm2', '', null, 5),
      llm_model: pick('m', 'm3', '', null, false),
      env_name: pick('A', 'B', '', null, 5, {}),
      env_id: pick('s0', 's1', 'zz', null),
      dataset_type: pick('T', 'U', '', null, 5),
      dt: pick('1', '2', [], null),
      id: pick('row', '', null, 5),
      created_at: pick('2026-08-01T00:00:00Z', 1785329601.25, null),
      reward: pick(1, 0, null, 0.5),
      is_truncated: pick(true, null),
      is_terminal: pick(false),
      blob_manifest: pick([], {}, null, [{ name: 'x' }], ''),
      chosen_response: pick(null, 'c'),
    }),
    rarely(metaJson),
    strange,
  )
  .map(([run, keys, meta, more]) =>
    merged(merged(merged(keys, run), meta === undefined ? {} : { meta_json: meta }), more),
  );

/** How a row cuts its messages out of the session's script. */
interface Cut {
  readonly end: number;
  readonly window: number;
  readonly keys: JsonObject;
  readonly response: Json | undefined;
  readonly inside: boolean;
  readonly edit: 'none' | 'bare' | 'reason' | 'content' | 'extra' | 'note' | 'drop' | 'twice' | 'swap';
  readonly at: number;
  /** Whether later rows repeat the history as it was edited here (observations that are left out, a context that is compacted). */
  readonly stays: boolean;
}

const edits = [
  'none',
  'none',
  'none',
  'none',
  'bare',
  'reason',
  'content',
  'extra',
  'note',
  'drop',
  'twice',
  'swap',
] as const;
const cut: fc.Arbitrary<Cut> = fc.record({
  end: fc.nat({ max: 12 }),
  window: fc.oneof({ weight: 3, arbitrary: fc.constant(99) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) }),
  keys: rowKeys,
  response: fc.oneof(
    { weight: 5, arbitrary: assistant as fc.Arbitrary<Json | undefined> },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        null,
        {},
        [],
        'x',
        { role: 'assistant', content: '' },
        { content: 'no role' },
        { role: 'bot', content: 'b' },
      ),
    },
  ),
  inside: fc.boolean(),
  edit: fc.constantFrom(...edits),
  at: fc.nat(),
  stays: fc.boolean(),
});

/** Rows of one session: windows of a growing script, edited here and there. */
function arbitrarySession(session: string): fc.Arbitrary<Rows> {
  return fc
    .tuple(
      fc.array(message, { minLength: 1, maxLength: 7 }),
      fc.array(cut, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
    )
    .map(([script, cuts, grows]) => {
      const spokenSoFar = [...script];
      return cuts.map((one, ordinal) => {
        const end = grows ? spokenSoFar.length : Math.min(one.end, spokenSoFar.length);
        const start = Math.max(0, end - one.window);
        const own = edited(spokenSoFar.slice(start, end), one);
        if (one.stays) spokenSoFar.splice(start, end - start, ...own);
        const row: MutableJsonObject = merged(
          { session_id: session, step_id: ordinal * 2 + 1, messages: own },
          one.keys,
        );
        const usable = isUsable(one.response) || own.some((given) => isAssistant(given) && isUsable(given));
        const response = usable ? one.response : { role: 'assistant', content: `a${ordinal}` };
        if (response !== undefined) row.response = response;
        if (grows && response !== undefined && response !== null) spokenSoFar.push(response);
        if (grows && script[ordinal] !== undefined && one.inside) spokenSoFar.push(script[ordinal] as Json);
        if (own.length === 0 && one.inside) delete row.messages;
        return row;
      });
    });
}

function edited(messages: readonly Json[], { edit, at }: Cut): Json[] {
  const list = [...messages];
  const index = list.length === 0 ? 0 : at % list.length;
  const target = list[index];
  if (target === undefined || edit === 'none') return list;
  if (edit === 'drop') list.splice(index, 1);
  if (edit === 'twice') list.splice(index, 0, target);
  if (edit === 'swap') list.reverse();
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return list;
  const {
    role,
    content: said,
    tool_calls: made,
    tool_call_id: id,
  } = target as { readonly [key: string]: Json };
  if (edit === 'bare') {
    const bare: MutableJsonObject = {};
    if (role !== undefined) bare.role = role;
    if (said !== undefined) bare.content = said;
    if (made !== undefined) bare.tool_calls = made;
    if (id !== undefined) bare.tool_call_id = id;
    list[index] = bare;
  }
  if (edit === 'reason') list[index] = { ...target, reasoning_content: at % 2 === 0 ? 'think' : 'other' };
  if (edit === 'content' && said === null) {
    const { content: _, ...rest } = target as { readonly [key: string]: Json };
    list[index] = rest;
  }
  if (edit === 'content' && said === undefined) list[index] = { ...target, content: null };
  if (edit === 'extra') list[index] = { ...target, extra_key: at };
  if (edit === 'note') list[index] = { ...target, content: `(${at % 9} lines omitted)` };
  return list;
}

function isAssistant(given: Json): boolean {
  return typeof given === 'object' && given !== null && (given as JsonObject).role === 'assistant';
}

/** Enough for a generator: the reader knows better. */
function isUsable(given: Json | undefined): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const { content: said, tool_calls: made } = given as { readonly [key: string]: Json };
  return (
    (typeof said === 'string' && said.length > 0 && !said.startsWith('{') && !said.startsWith('[')) ||
    (Array.isArray(made) && made.length > 0)
  );
}

/** What an envelope binds: a row, a source, a field, whose value is always the same. */
const bound = fc.tuple(
  fc.nat(),
  fc.constantFrom('actf', 'ext', '__proto__'),
  fc.option(fc.constantFrom('/a', '', '/__proto__')),
);

function envelopeOf(rows: number, bindings: readonly (readonly [number, string, string | null])[]): Json {
  const carriers: MutableJsonObject = {};
  for (const [row, source, field] of bindings) {
    const carrier = `/session_steps/${row % rows}`;
    const { sources } = (carriers[carrier] ?? { sources: {} }) as { readonly sources: MutableJsonObject };
    const { fields } = (getOwn(sources, source) ?? { fields: {} }) as { readonly fields: MutableJsonObject };
    if (field !== null) setOwn(fields, field, [field]);
    setOwn(sources, source, { source_document_id: `${source}.json`, fields });
    carriers[carrier] = { sources };
  }
  return { unknown_fields: { version: 1, by_trajectory: carriers } };
}

/** Documents of rows: several sessions, in order, shuffled or interleaved. */
export function arbitraryRows(order: 'plain' | 'any'): fc.Arbitrary<Json> {
  return fc
    .tuple(
      fc
        .array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 2 })
        .chain((made) => fc.tuple(...made.map((_, index) => arbitrarySession(`s${index}`)))),
      fc.nat({ max: 0x7fffffff }),
      strange,
      fc.boolean(),
      rarely(fc.array(bound, { maxLength: 6 })),
    )
    .map(([sessions, shuffle, root, mix, bindings]) => {
      const rows = sessions.flat();
      let state = shuffle;
      const next = (): number => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return state >>> 8;
      };
      if (order === 'any' && mix) {
        for (let index = rows.length - 1; index > 0; index -= 1) {
          const other = next() % (index + 1);
          [rows[index], rows[other]] = [rows[other] as JsonObject, rows[index] as JsonObject];
        }
      }
      if (bindings === undefined) return merged({ session_steps: rows }, root);
      return merged({ session_steps: rows, _storyline: envelopeOf(rows.length, bindings) }, root);
    });
}
