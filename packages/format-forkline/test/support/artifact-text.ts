import { stringify } from '@pchronicle/storyline-core';
import fc from 'fast-check';

const key = fc.constantFrom(
  'a',
  '__proto__',
  'constructor',
  '',
  'x/y',
  '~',
  '10',
  '2',
  '$nonfinite',
  'payload',
);
const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom(
    '1.0',
    '-0',
    '-0.0',
    '1e400',
    '9007199254740993',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e5',
    '0.1',
  ),
);
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('', '\ud800', '\u0000', 'event-1', 'event-2', 'event-1@1'),
  )
  .map((value) => stringify(value));
/** JSON text of any value, hostile numbers, keys and strings included. */
const json = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    number,
    text,
    fc.array(tie('any'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('any')), { maxLength: 3, selector: ([name]) => name })
      .map((members) => object(Object.fromEntries(members))),
  ),
})).any;

function object(members: { readonly [name: string]: string | undefined }): string {
  const written = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{${written.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 5 });
const time = fc.oneof(
  fc.constantFrom(
    '"2026-02-23T01:04:20.123456+00:00"',
    '"2026-02-23T01:04:20Z"',
    '"t"',
    '""',
    '"2026-02-30T00:00:00Z"',
  ),
  json,
);
const type = fc.oneof(
  fc
    .constantFrom(
      'input',
      'output',
      'tool_call',
      'llm_call',
      'system',
      'error',
      'artifact_ref',
      '',
      'SYSTEM',
      'constructor',
    )
    .map((value) => JSON.stringify(value)),
  json,
);
const payload = fc.oneof(
  json,
  fc
    .record(
      Object.fromEntries(
        [
          'prompt',
          'text',
          'response',
          'result',
          'message',
          'msg',
          'model',
          'usage',
          'name',
          'tool_name',
          'args',
          'request',
          'error',
          'timing',
          'metadata',
          'extra',
        ].map((name) => [name, maybe(json)]),
      ),
    )
    .map(object),
  fc
    .record({
      tool_name: maybe(fc.constantFrom('"f"', '"g"', '""', '1')),
      name: maybe(fc.constantFrom('"f"', '"n"')),
      args: maybe(json),
      request: maybe(json),
      result: maybe(json),
      response: maybe(json),
      invocation_id: maybe(fc.constantFrom('"i"', '"j"', '"event-1"', '"event-2"', '"event-1@2"', '""', '7')),
      error: maybe(fc.constantFrom('null', '{"type":"E","message":"m"}')),
      timing: maybe(
        fc.constantFrom(
          '{"duration_ms":2.75}',
          '{"duration_ms":5,"x":1}',
          '{}',
          '{"duration_ms":NaN}',
          '{"duration_ms":-0.5}',
        ),
      ),
      model: maybe(fc.constantFrom('"m"', '""', 'null')),
    })
    .map(object),
);
const event = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .record({
        event_id: maybe(
          fc.oneof(
            fc.integer({ min: -2, max: 4 }).map(String),
            fc.constantFrom('9223372036854775807', '9223372036854775808', '1.0', 'null', '"1"', '-0'),
          ),
        ),
        run_id: maybe(fc.constantFrom('"r"', '"other"', '5', 'null')),
        ts: maybe(time),
        type: maybe(type),
        payload: maybe(payload),
        span_id: fc.option(json, { nil: undefined, freq: 2 }),
      })
      .map(object),
  },
  { weight: 1, arbitrary: json },
);
/** JSON text of artifacts of many versions, legal and not, with hostile values everywhere. */
export const artifactText = fc
  .record({
    schema_version: fc.constantFrom('"1.0"', '"1.1"', '"recording_v0"', '"0.1"', '1.0', '"2"', '1'),
    run_id: maybe(fc.constantFrom('"r"', '""', '"unnamed-run"', '"run"')),
    entrypoint: maybe(fc.constantFrom('"a.py"', '""')),
    script: fc.option(fc.constantFrom('"s.py"', '5'), { nil: undefined, freq: 2 }),
    started_at: maybe(fc.constantFrom('"2026-02-23T01:04:20+00:00"', '"t"', '""')),
    ended_at: maybe(fc.constantFrom('"2026-02-23T01:04:30+00:00"', 'null', '""')),
    status: maybe(fc.constantFrom('"ok"', '"failed"', 'null', '""')),
    forkline_version: maybe(fc.constantFrom('"0.3.0"', 'null', '""')),
    python_version: fc.option(json, { nil: undefined, freq: 2 }),
    metadata: maybe(fc.oneof(fc.constantFrom('null', '{}', '{"cwd":"/x","n":1.0}'), json)),
    parent_run_id: fc.option(json, { nil: undefined, freq: 2 }),
    events: maybe(fc.array(event, { maxLength: 6 }).map((events) => `[${events.join(',')}]`)),
  })
  .map(object);
