import { readdirSync } from 'node:fs';
import { equalJson, type Json, type JsonObject, parseJson, stringify } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadArtifact } from '../src/artifact/index.ts';
import { exportForkline, importForkline, normaliseForkline } from '../src/index.ts';
import { fixturePath, fixtureText } from './support/fixtures.ts';

/** Reads exactly, as the format's own driver does. */
function exact(text: string): Json {
  const { value, issues } = parseJson(text, { keepFloats: true, nonFinite: 'keep' });
  if (value === undefined) throw new Error(JSON.stringify(issues));
  return value;
}

/** Imports and exports; gives the document that came back, or undefined when it was rejected. */
function roundTrip(text: string): Json | undefined {
  const { storylines, issues } = importForkline(text);
  if (storylines.length === 0) {
    expect(issues.some(({ severity }) => severity === 'error')).toBe(true);
    return undefined;
  }
  const exported = exportForkline(storylines);
  expect(exported.issues).toEqual([]);
  return exact(exported.text);
}

function expectLaw(text: string): void {
  const back = roundTrip(text);
  if (back === undefined) return;
  const normal = normaliseForkline(exact(text));
  if (!equalJson(back, normal)) expect(stringify(back, { indent: 1 })).toBe(stringify(normal, { indent: 1 }));
  expect(equalJson(normaliseForkline(normal), normal)).toBe(true);
}

const folders = readdirSync(fixturePath('.')).filter((name) => !name.includes('.'));
const files = folders.flatMap((folder) =>
  readdirSync(fixturePath(folder))
    .filter((name) => name.endsWith('.json') && !/^(expected.*|input|runs)\.json$/.test(name))
    .map((name) => `${folder}/${name}`),
);

describe('F2, G1: every artifact of the vectors that loads comes back as its normal form', () => {
  test.each(files)('%s', (file) => {
    expectLaw(fixtureText(file));
  });

  test('most of them load', () => {
    const loaded = files.filter((file) => importForkline(fixtureText(file)).storylines.length === 1);
    console.log(`vectors: ${loaded.length} of ${files.length} artifacts load strictly`);
    expect([loaded.length, files.length]).toEqual([36, 55]);
  });
});

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
const artifact = fc
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

test('F2, G1, G2, G3, G4: hostile artifacts come back as their normal form, or are rejected with an error', () => {
  let accepted = 0;
  let total = 0;
  fc.assert(
    fc.property(artifact, (source) => {
      total += 1;
      if (importForkline(source).storylines.length === 1) accepted += 1;
      expectLaw(source);
    }),
    { numRuns: 400 },
  );
  console.log(`round trip: ${accepted} of ${total} generated artifacts accepted`);
  expect(accepted / total).toBeGreaterThan(0.3);
});

test('F1: NaN tokens are tagged exact values, strict JSON by default, bare again with compat', () => {
  const source = fixtureText('18-json-malformed/bare-nan.json');
  const { storylines, issues } = importForkline(source);
  expect(issues.map(({ code }) => code)).toContain('forkline/non-finite-number');
  const strict = JSON.parse(exportForkline(storylines).text) as { events: { payload: Json }[] };
  expect(strict.events[0]?.payload).toEqual({
    x: { $nonfinite: 'NaN' },
    y: Number.POSITIVE_INFINITY,
    z: { $nonfinite: '-Infinity' },
  });
  expect(exportForkline(storylines).text).toContain('"y":1e999');
  const compat = exportForkline(storylines, { compat: true }).text;
  expect(compat).toContain('"x": NaN');
  expect(compat).toContain('"y": Infinity');
  const again = importForkline(exportForkline(storylines).text);
  expect(exportForkline(again.storylines, { compat: true }).text).toBe(compat);
});

test('F4: wrong root types are rejected; compat loads them with placeholder and residual', () => {
  const source = fixtureText('18-json-malformed/types-wrong.json');
  const strict = importForkline(source);
  expect(strict.storylines).toEqual([]);
  expect(
    strict.issues.filter(({ code }) => code === 'forkline/wrong-field-type').map(({ at }) => at.pointer),
  ).toEqual(['/run_id', '/entrypoint', '/started_at', '/status']);
  const { storylines } = importForkline(source, { compat: true });
  expect(storylines[0]?.session).toBe('unnamed-run');
  expect(storylines[0]?.unknown_fields?.sources.forkline?.fields).toMatchObject({
    '/run_id': 5,
    '/entrypoint': ['x'],
    '/status': { a: 1 },
  });
  const loaded = loadArtifact(source, { compat: true }).artifact as JsonObject;
  const back = exact(exportForkline(storylines, { compat: true }).text);
  expect(equalJson(back, loaded)).toBe(true);
});
