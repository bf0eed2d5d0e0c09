import {
  arbitraryJson,
  arbitraryNumber,
  arbitraryObjectOf,
  arbitraryText,
  arbitraryTime,
} from '@pchronicle/conformance';
import {
  appendPointer,
  getOwn,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { arbitraryEvents } from './generate-events.ts';

type Fields = { readonly [key: string]: fc.Arbitrary<Json | undefined> };

const json = arbitraryJson({ depth: 2 });
const text = arbitraryText();
const filled = text.filter((value) => value.trim() !== '');

/** A known key that may be there, null or missing. */
function loose(values: fc.Arbitrary<Json>): fc.Arbitrary<Json | undefined> {
  return fc.oneof(
    { weight: 4, arbitrary: values },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}

/** An object with these known keys and, now and then, vendor keys before or after them. */
export function openObject(fields: Fields, reserved: readonly string[] = []): fc.Arbitrary<JsonObject> {
  const vendor = fc.oneof(
    { weight: 3, arbitrary: fc.constant<JsonObject>({}) },
    { weight: 2, arbitrary: arbitraryObjectOf(json) },
  );
  return fc.tuple(fc.record(fields), vendor, fc.boolean()).map(([known, others, first]) => {
    const own = Object.entries(known as { readonly [key: string]: Json | undefined });
    const extra = Object.entries(others).filter(
      ([key]) => !Object.hasOwn(fields, key) && !reserved.includes(key),
    );
    const object: MutableJsonObject = {};
    for (const [key, value] of first ? [...extra, ...own] : [...own, ...extra]) {
      if (value !== undefined) setOwn(object, key, value);
    }
    return object;
  });
}

const time = fc.oneof(
  { weight: 6, arbitrary: arbitraryTime().filter((value): value is string => typeof value === 'string') },
  { weight: 1, arbitrary: fc.constant('1970-01-01 00:00:00+00:00') },
);

const toolKeys = [
  'type',
  'id',
  'name',
  'input',
  'arguments',
  'command',
  'function',
  'aggregated_output',
  'status',
  'exit_code',
];

const toolId = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Json | undefined>('c1', 'c2', 'c1@2', 'c1@2@2') },
  { weight: 2, arbitrary: fc.constantFrom<Json | undefined>(undefined, null, '', ' ') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'step-1-tool-0',
      'step-2-tool-0',
      'step-2-tool-0@2',
      'step-3-tool-1@3@3',
      'step-2-tool-1@22',
    ),
  },
  { weight: 1, arbitrary: text },
);
const type = fc.constantFrom<Json | undefined>(
  'tool_use',
  'command_execution',
  'function',
  'search',
  '',
  null,
  undefined,
);
const output = loose(fc.oneof(text, json));
const status = fc.oneof(loose(text), json);
const exitCode = fc.oneof(
  loose(fc.integer()),
  fc.constantFrom<Json>(new JsonNumber('9007199254740993'), 1.5, '0', true),
);
const name = fc.constantFrom<Json | undefined>(
  'search',
  'bash',
  'tool_use',
  'command_execution',
  '',
  null,
  undefined,
);
const commandArgs = fc.record({ command: fc.oneof(text, fc.constant(null), json) });
const args = fc.oneof(
  { weight: 3, arbitrary: json },
  { weight: 1, arbitrary: commandArgs as fc.Arbitrary<Json> },
);

const call = openObject({ name: loose(text), arguments: loose(args) });
const inShape = (fields: Fields): fc.Arbitrary<JsonObject> =>
  openObject({ type, id: toolId, name, ...fields }, toolKeys);

/** Calls in every shape, with and without a name, a type, an id and arguments. */
const tool: fc.Arbitrary<JsonObject> = fc
  .oneof(
    inShape({ input: loose(args) }),
    inShape({ arguments: loose(args) }),
    inShape({ function: loose(call) }),
    inShape({ command: loose(json), aggregated_output: output, status, exit_code: exitCode }),
    inShape({}),
    inShape({
      input: loose(args),
      arguments: loose(args),
      command: loose(json),
      function: loose(call),
      aggregated_output: output,
      status,
      exit_code: exitCode,
    }),
    // Input that repeats the vendor keys beside it looks like flat arguments.
    inShape({}).map((flat) => {
      const others = Object.entries(flat).filter(([key]) => !toolKeys.includes(key));
      return { ...flat, input: Object.fromEntries(others) as JsonObject };
    }),
  )
  .map((one) => {
    const called = getOwn(one, 'function');
    const named =
      getOwn(one, 'name') || (isJsonObject(called) && getOwn(called, 'name')) || getOwn(one, 'type');
    return named ? one : { ...one, name: 'unnamed' };
  });

interface Draft {
  readonly tools: readonly JsonObject[];
  readonly lists: 'both' | 'tools' | 'calls';
}

const observation = openObject({
  type: loose(fc.constantFrom('tool_result', 'command_execution', '')),
  content: loose(json),
  aggregated_output: loose(fc.oneof(text, json)),
  is_error: fc.constantFrom(undefined, false),
  source_call_id: fc.constantFrom<Json | undefined>(
    undefined,
    undefined,
    undefined,
    'own',
    'c1',
    'c1@2',
    'step-2-tool-0',
    5,
    null,
  ),
});

const step = fc.record({
  draft: fc.record<Draft>({
    tools: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(tool, { maxLength: 3 }) },
    ),
    lists: fc.constantFrom('both', 'tools', 'calls'),
  }),
  empty: fc.constantFrom<Json | undefined>([], null, undefined),
  observations: fc.array(
    fc.tuple(
      observation,
      fc.nat({ max: 3 }),
      fc.constantFrom('tool_use_id', 'id', 'both', 'none'),
      fc.boolean(),
    ),
    { maxLength: 3 },
  ),
  content: openObject({ content: loose(text), reasoning_content: loose(text) }, ['tool_calls']),
  rest: openObject(
    {
      metric: openObject({
        prompt_tokens_len: loose(arbitraryNumber()),
        completion_tokens_len: loose(arbitraryNumber()),
        llm_infer_ms: loose(
          fc.oneof(
            arbitraryNumber(),
            fc.constantFrom<Json>(3.9, -0.5, new JsonNumber('12345678901234567.5')),
          ),
        ),
        env_action_ms: loose(arbitraryNumber()),
        stop_reason: loose(json),
      }),
      system_prompt: fc.constantFrom<Json | undefined>('S', 'S2', '', null, undefined, ' '),
      user_content: fc.constantFrom<Json | undefined>('U', '你好', '', null, undefined),
      started_at: time,
      finished_at: time,
    },
    ['step_id', 'assistant_content', 'tools', 'observation'],
  ),
  gap: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 2 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
});

type StepDraft = typeof step extends fc.Arbitrary<infer T> ? T : never;

function isBlank(id: Json | undefined): boolean {
  return typeof id !== 'string' || id.trim() === '';
}

function buildStep(draft: StepDraft, id: Json): JsonObject {
  const ids: string[] = [];
  const tools = draft.draft.tools.map((one, index) => {
    const own = getOwn(one, 'id');
    let effective = isBlank(own) ? `step-${String(id)}-tool-${index}` : (own as string);
    if (!ids.includes(effective)) {
      ids.push(effective);
      return one;
    }
    effective = `unique-${String(id)}-${index}`;
    ids.push(effective);
    return { ...one, id: effective };
  });
  const { lists } = draft.draft;
  const alone = lists !== 'both' || tools.length === 0;
  // Null, missing and "" are one value for type and id, so equal lists may differ in them.
  const twins = tools.map((one) => ({
    ...one,
    ...(one.type ? {} : { type: null }),
    ...(one.id ? {} : { id: '' }),
  }));
  const content: MutableJsonObject = { ...draft.content };
  const calls = lists === 'tools' && tools.length > 0 ? undefined : alone ? tools : twins;
  setMaybe(content, 'tool_calls', calls === undefined || calls.length === 0 ? draft.empty : calls);
  const result: MutableJsonObject = { step_id: id, ...draft.rest, assistant_content: content };
  setMaybe(result, 'tools', lists === 'calls' || tools.length === 0 ? draft.empty : tools);
  const observations = draft.observations.map(([one, which, key, equal]) => {
    const copy: MutableJsonObject = { ...one };
    const reference = ids[which % Math.max(1, ids.length)];
    if (reference !== undefined && key !== 'none') {
      if (key !== 'id') copy.tool_use_id = reference;
      if (key !== 'tool_use_id') copy.id = key === 'both' ? 'an id of its own' : reference;
    } else if (which === 1) {
      copy.tool_use_id = null;
      copy.id = ' ';
    }
    if (equal && copy.aggregated_output !== undefined) copy.content = copy.aggregated_output;
    return copy;
  });
  setMaybe(result, 'observation', observations.length === 0 ? draft.empty : observations);
  return result;
}

function setMaybe(object: MutableJsonObject, key: string, value: Json | undefined): void {
  if (value !== undefined) object[key] = value;
}

const trajectory = fc
  .tuple(
    openObject({ started_at: time, finished_at: time }, ['schema_version', 'steps']),
    fc.array(step, { maxLength: 4 }),
  )
  .map(([times, drafts]): Json => {
    let last = 0n;
    const steps = drafts.map((draft) => {
      last += draft.gap === 0 ? 9_007_199_254_740_993n : BigInt(draft.gap);
      return buildStep(draft, last > 9_007_199_254_740_991n ? new JsonNumber(String(last)) : Number(last));
    });
    return { ...times, schema_version: 'ACTF_v1.0', steps };
  });

const vague = loose(fc.oneof(json, fc.constantFrom<Json>('', {}, [], 0, false)));

const attempt = openObject(
  {
    correct: fc.boolean(),
    final_answer: vague,
    ground_truth: vague,
    status: loose(text),
    score: vague,
    max_score: vague,
    error: loose(text),
    artifacts: vague,
    extra: vague,
    analysis_result: vague,
    meta: vague,
    trajectory: fc.oneof({ weight: 4, arbitrary: trajectory }, { weight: 1, arbitrary: arbitraryEvents }),
  },
  [],
);

const attemptId = fc.oneof(
  fc.constantFrom('1', '2', '10', 'a/b~c', '__proto__', 'constructor', ' x', '键🙂', '\ud800', '0', '-'),
  filled,
);

const root = openObject(
  {
    task_id: fc.oneof(fc.constantFrom('task-1', '任务'), filled),
    category: fc.oneof(fc.constant('math'), filled),
    correct: fc.boolean(),
    solved_at: loose(text),
    retry_count: vague,
    retry_counts: vague,
  },
  ['k', 'attempts_tried', 'attempts', '_storyline'],
);

const foreign = fc.tuple(
  fc.constantFrom('openai-msg', 'vendor', 'openclaw'),
  fc.array(fc.tuple(fc.constantFrom('/session_steps/0/vendor', '/x~1y', '/__proto__', '', '/0'), json), {
    maxLength: 2,
  }),
);

/** Legal ACTF documents: every known key in every form it may have, vendor keys at every level, event arrays, envelopes. */
export function arbitraryActf(): fc.Arbitrary<Json> {
  const attempts = fc.uniqueArray(fc.tuple(attemptId, attempt), {
    minLength: 1,
    maxLength: 3,
    selector: ([id]) => id,
  });
  return fc
    .tuple(root, attempts, fc.nat({ max: 3 }), fc.boolean(), fc.array(foreign, { maxLength: 2 }))
    .map(([head, entries, more, first, blocks]) => {
      const held: MutableJsonObject = {};
      for (const [id, one] of entries) setOwn(held, id, one);
      const counts = { k: entries.length + more, attempts_tried: entries.length };
      const body = first ? { attempts: held, ...head, ...counts } : { ...head, ...counts, attempts: held };
      return withEnvelope(body, entries[0]?.[0] ?? '', blocks);
    });
}

function withEnvelope(
  document: JsonObject,
  id: string,
  blocks: readonly (readonly [source: string, fields: readonly (readonly [string, Json])[]])[],
): JsonObject {
  if (blocks.length === 0) return document;
  const sources: MutableJsonObject = {};
  for (const [source, entries] of blocks) {
    const fields: MutableJsonObject = {};
    for (const [pointer, value] of entries) setOwn(fields, pointer, value);
    setOwn(sources, source, {
      source_document_id: source === 'openclaw' ? (document.task_id ?? '') : 'elsewhere',
      fields,
    });
  }
  const carrier = appendPointer('/attempts', id);
  return {
    ...document,
    _storyline: { unknown_fields: { version: 1, by_trajectory: { [carrier]: { sources } } } },
  };
}
