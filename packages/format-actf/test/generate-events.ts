import { arbitraryJson, arbitraryObjectOf, arbitraryText, arbitraryTime } from '@pchronicle/conformance';
import {
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';

const json = arbitraryJson({ depth: 2 });
const text = arbitraryText();
const some = (values: fc.Arbitrary<Json>): fc.Arbitrary<Json | undefined> =>
  fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: fc.constant(undefined) });

/** An object with known keys, those that are there, and sometimes vendor keys. */
function event(fields: { readonly [key: string]: fc.Arbitrary<Json | undefined> }): fc.Arbitrary<JsonObject> {
  const vendor = fc.oneof(fc.constant<JsonObject>({}), arbitraryObjectOf(json));
  return fc.tuple(fc.record(fields), vendor).map(([known, others]) => {
    const object: MutableJsonObject = {};
    for (const [key, value] of Object.entries(known as { readonly [key: string]: Json | undefined })) {
      if (value !== undefined) setOwn(object, key, value);
    }
    for (const [key, value] of Object.entries(others)) {
      if (!Object.hasOwn(fields, key)) setOwn(object, key, value);
    }
    return object;
  });
}

const timestamp = some(
  fc.oneof(
    {
      weight: 5,
      arbitrary: arbitraryTime().filter(
        (value): value is string => typeof value === 'string',
      ) as fc.Arbitrary<Json>,
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Json>(1763681581544, null, new JsonNumber('1786000000123456789')),
    },
  ),
);
const id = fc.constantFrom<Json>('t1', 't2', 't1@3', 'step-2-tool-0', ' ', '', 'a much longer id', 7, null);

const part = fc.oneof(
  {
    weight: 3,
    arbitrary: event({ type: fc.constant('text'), text: some(fc.oneof(text, json)) }) as fc.Arbitrary<Json>,
  },
  event({ type: fc.constant('thinking'), thinking: some(text), text: some(text) }),
  {
    weight: 3,
    arbitrary: event({
      type: fc.constant('toolCall'),
      id,
      name: some(fc.constantFrom<Json>('exec', 'function', '', 3)),
      arguments: some(json),
    }),
  },
  event({ type: fc.constant('image'), data: text }),
  json,
);
const content = some(
  fc.oneof(
    { weight: 2, arbitrary: text as fc.Arbitrary<Json> },
    { weight: 5, arbitrary: fc.array(part, { maxLength: 4 }) },
    { weight: 1, arbitrary: json },
  ),
);

const details = some(
  fc.oneof(
    event({
      status: some(fc.oneof(text, json)),
      exitCode: some(fc.oneof(fc.integer(), json)),
      durationMs: some(fc.oneof(fc.nat(), fc.constantFrom<Json>(1.5, 'x'))),
      aggregated: some(fc.oneof(text, json)),
    }),
    json,
  ),
);

const usage = some(
  fc.oneof(arbitraryObjectOf(json), fc.constantFrom<Json>({ llm_infer_ms: 'x' }, { llm_infer_ms: 4.5 }, 5)),
);
const model = some(fc.constantFrom<Json>('model-1', 'model-2', '', 4));

const message = fc.oneof(
  event({ role: fc.constant('user'), content, model, usage }),
  {
    weight: 3,
    arbitrary: event({
      role: fc.constant('assistant'),
      content,
      model,
      usage,
      stopReason: some(text),
      errorMessage: some(text),
    }),
  },
  {
    weight: 3,
    arbitrary: event({
      role: fc.constant('toolResult'),
      toolCallId: some(id),
      toolName: some(fc.oneof(text, json)),
      content,
      details,
      isError: some(fc.boolean()),
    }),
  },
  event({ role: some(fc.constantFrom<Json>('system', 'custom', 5)), content }),
);

/** Event arrays of an OpenClaw run: sessions, model changes, messages of all roles, results that answer nothing, other events and no events at all. */
export const arbitraryEvents: fc.Arbitrary<Json> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: event({
        type: fc.constant('message'),
        timestamp,
        id: some(text),
        parentId: some(text),
        message,
      }) as fc.Arbitrary<Json>,
    },
    event({
      type: fc.constant('session'),
      timestamp,
      id: some(fc.oneof(text, json)),
      cwd: some(fc.oneof(text, json)),
    }),
    event({
      type: fc.constant('model_change'),
      timestamp,
      modelId: some(fc.constantFrom<Json>('m1', 'm2', '', 5)),
    }),
    event({ type: some(fc.constantFrom<Json>('custom', 'message', 4)), timestamp, data: some(json) }),
    // An event that is no object.
    fc.constantFrom<Json>('odd', null, 5, ['x']),
  ),
  { maxLength: 8 },
) as fc.Arbitrary<Json>;
