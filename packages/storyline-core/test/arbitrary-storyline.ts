import {
  collectIssues,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  readStoryline,
  type Storyline,
  setOwn,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';

/** Texts that break careless code: empty, prototype names, NUL, lone surrogates, astral, escapes. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '__proto__',
      'constructor',
      'toString',
      '\u0000',
      '\ud800',
      'x\udc00y',
      '💡',
      '/',
      '~1',
      'a/b~c',
      '0',
      '10',
      '2',
      '\u2028',
      '"\\',
    ),
  },
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 4,
  }),
);

export const filledText = anyText.filter((text) => text !== '');

export const anyNumber: fc.Arbitrary<number | JsonNumber> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, -1e21, 1.5e300, 5e-324, 0.1),
  fc
    .constantFrom(
      '9007199254740993',
      '1786000000123456789',
      '1e400',
      '-123456789012345678901234567890.5',
      '1e-400',
      '1.0',
      '-0.0',
      '1e2',
    )
    .map((raw) => new JsonNumber(raw)),
);

export const anyInteger: fc.Arbitrary<number | JsonNumber> = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, -1, 2 ** 53, 1e21),
  fc
    .constantFrom(
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775809',
      '18446744073709551616',
      '1e30',
      '2.0',
    )
    .map((raw) => new JsonNumber(raw)),
);

const leaf: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), anyNumber, anyText);

function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  const object: MutableJsonObject = {};
  for (const [key, value] of entries) setOwn(object, key, value);
  return object;
}

/** Any JSON value, exact numbers and hostile keys included. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  object: fc.array(fc.tuple(anyText, tie('value')), { maxLength: 4 }).map(objectOf),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
})).value;

export const anyObject: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(anyText, anyJson), { maxLength: 4 })
  .map(objectOf);

export const anyTime: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  '2026-08-01T00:00:00Z',
  '2026-08-01 08:00:00.123456789123+08:00',
  '1969-12-31t23:59:60z',
  0,
  -1.5,
  1754006400.123456,
  new JsonNumber('1754006400.123456789'),
  new JsonNumber('1.0'),
  1e9,
);

/** An object with some of these optional keys. */
function some(slots: { readonly [key: string]: fc.Arbitrary<Json> }): fc.Arbitrary<JsonObject> {
  return fc.record(slots, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

function with_(
  required: { readonly [key: string]: fc.Arbitrary<Json> },
  optional: { readonly [key: string]: fc.Arbitrary<Json> },
): fc.Arbitrary<JsonObject> {
  return fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required), noNullPrototype: true },
  ) as fc.Arbitrary<JsonObject>;
}

const env = some({
  name: anyText,
  endpoint: anyText,
  id: anyText,
  event_type: anyText,
  request_id: anyText,
  state: anyObject,
});

const prompt: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ system: filledText, user: anyText }),
  fc.record({ user: filledText }),
) as fc.Arbitrary<JsonObject>;

const turnPrompt = fc.oneof(prompt, fc.constant<JsonObject>({ system: '', user: '' }));

const call = with_(
  { tcid: filledText, fn: filledText, args: anyJson },
  {
    result: anyJson,
    duration_ms: anyInteger,
    extra: anyJson,
    kind: anyText,
    response: fc.oneof(
      fc.record({ status: fc.oneof(anyText, fc.constantFrom('failed', 'completed')) }),
      fc.record({ exit_code: anyInteger }),
    ) as fc.Arbitrary<JsonObject>,
  },
);

const turn = with_(
  { id: anyInteger, src: fc.oneof(fc.constantFrom('user', 'agent', 'system'), filledText), msg: anyJson },
  {
    kind: anyText,
    ts: anyTime,
    finished_at: anyTime,
    reason: anyText,
    effort: anyJson,
    tool_calls: fc.array(call, { maxLength: 3 }),
    observation: fc.oneof(
      anyJson,
      fc.record({ results: fc.array(anyJson, { maxLength: 3 }) }) as fc.Arbitrary<JsonObject>,
    ),
    metrics: fc.oneof(
      anyJson,
      fc.record({ prompt_tokens: anyInteger, completion_tokens: anyInteger }) as fc.Arbitrary<JsonObject>,
    ),
    extra: anyJson,
    model: anyText,
    nllm: anyInteger,
    latency_ms: anyInteger,
    ttft_ms: anyInteger,
    copied: fc.boolean(),
    env,
    prompt: turnPrompt,
  },
);

const pointer = fc.oneof(
  fc
    .array(anyText, { maxLength: 4 })
    .map((tokens) => tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')),
  fc.constantFrom(
    '/attempts/1/trajectory/steps/0/x',
    '/attempts/1/trajectory/steps/1/tools/2/y',
    '/session_steps/0/messages/1',
  ),
);

const unknownFields = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom('actf', 'openai-msg', 'atif'), anyText),
      fc.record({
        source_document_id: anyText,
        fields: fc.array(fc.tuple(pointer, anyJson), { maxLength: 4 }).map(objectOf),
      }),
    ),
    { maxLength: 3 },
  )
  .map((blocks): JsonObject => ({ sources: objectOf(blocks as unknown as [string, JsonObject][]) }));

const task = fc
  .tuple(
    some({
      env,
      llm: some({ k: fc.integer({ min: 1 }) }),
      result: fc
        .tuple(
          anyObject,
          some({
            correct: fc.boolean(),
            score: anyJson,
            status: anyText,
            error: anyText,
            final_answer: anyJson,
            artifacts: anyJson,
          }),
        )
        .map(([extras, keys]) =>
          objectOf([
            ...Object.entries(extras).filter(([key]) => !RESULT_KEYS.has(key)),
            ...Object.entries(keys),
          ]),
        ),
    }),
    fc.integer({ min: 1 }),
  )
  .map(([parts, k]): JsonObject => ({ ...parts, llm: { k } }));

const RESULT_KEYS = new Set(['correct', 'status', 'error']);

/** A valid Storyline v1 document as it may stand in a file: not canonical. Ids are made unique. */
export const anyWireStoryline: fc.Arbitrary<JsonObject> = with_(
  {
    schema_version: fc.constant('storyline/v1'),
    session: filledText,
    agent: with_(
      { id: filledText },
      { name: anyText, ver: anyText, model: anyText, tools: anyJson, extra: anyJson },
    ),
    turns: fc.array(turn, { maxLength: 4 }),
  },
  {
    origin: with_({ format: filledText }, { schema_version: filledText, document_id: filledText }),
    run: anyText,
    trajectory: filledText,
    attempt_id: anyText,
    parent: with_(
      { psid: anyText },
      { scid: anyText, ptid: anyInteger, rel: fc.oneof(anyText, fc.constant('spawn')) },
    ),
    children: fc.array(anyText, { maxLength: 3 }),
    notes: anyText,
    task,
    prompt,
    started_at: anyTime,
    finished_at: anyTime,
    final_metrics: anyJson,
    continued_trajectory_ref: anyText,
    extra: anyJson,
    meta: anyJson,
    unknown_fields: unknownFields,
  },
).map(makeUnique);

function makeUnique(story: JsonObject): JsonObject {
  const turnIds = new Set<bigint>();
  const callIds = new Set<string>();
  const turns = (story.turns as readonly JsonObject[]).map((original) => {
    const result: MutableJsonObject = { ...original };
    let id = result.id as number | JsonNumber;
    while (turnIds.has(bigOf(id))) id = Number(turnIds.size) + 7_000;
    turnIds.add(bigOf(id));
    result.id = id;
    if (result.copied === true) delete result.prompt;
    if (isJsonArray(result.tool_calls)) {
      result.tool_calls = result.tool_calls.map((element) => {
        let tcid = (element as JsonObject).tcid as string;
        while (callIds.has(tcid)) tcid += "'";
        callIds.add(tcid);
        return { ...(element as JsonObject), tcid };
      });
    }
    return result;
  });
  return { ...story, turns };
}

function bigOf(value: number | JsonNumber): bigint {
  const text = isJsonNumber(value) ? value.raw : String(value);
  if (text === '1e30') return 10n ** 30n;
  return text === '1e+21' ? 10n ** 21n : BigInt(text.replace('.0', ''));
}

/** A valid Storyline in canonical form. */
export const anyStoryline: fc.Arbitrary<Storyline> = anyWireStoryline.map((wire) => {
  const { report, issues } = collectIssues();
  const story = readStoryline(wire, report);
  if (story === undefined)
    throw new Error(`the generator made an invalid Storyline: ${JSON.stringify(issues)}`);
  return story;
});

/** Every value of a tree with its pointer tokens: for mutations. */
export function* walk(
  value: Json,
  path: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  yield path;
  if (isJsonArray(value))
    for (const [index, element] of value.entries()) yield* walk(element, [...path, index]);
  else if (isJsonObject(value))
    for (const key of Object.keys(value)) yield* walk(value[key] as Json, [...path, key]);
}
