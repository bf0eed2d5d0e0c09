import {
  canonicalJson,
  collectIssues,
  effectiveEnv,
  effectiveKind,
  effectivePrompt,
  type Json,
  JsonNumber,
  type JsonObject,
  readStoryline,
  type Storyline,
  storylineToJson,
  type Turn,
  validateStoryline,
  writeStoryline,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, anyStoryline, anyWireStoryline } from '../arbitrary-storyline.ts';

const turn = (more: JsonObject = {}): JsonObject => ({ id: 1, src: 'agent', msg: 'm', ...more });
const call = (more: JsonObject = {}): JsonObject => ({ tcid: 'c', fn: 'f', args: null, ...more });
const wire = (more: JsonObject = {}): JsonObject => ({
  schema_version: 'storyline/v1',
  session: 's',
  agent: { id: 'a' },
  turns: [],
  ...more,
});
const fields = (source: string, pointers: JsonObject): JsonObject => ({
  sources: { [source]: { source_document_id: 'd', fields: pointers } },
});

function read(document: Json): { story: Storyline | undefined; found: [string, string][] } {
  const { report, issues } = collectIssues();
  const story = readStoryline(document, report);
  return { story, found: issues.map((issue) => [issue.code, issue.at.pointer]) };
}

describe('readStoryline refuses (storyline-v1 §11)', () => {
  test.each<[string, Json, [string, string][]]>([
    ['a value that is no object', [], [['storyline/wrong-type', '']]],
    [
      'another version',
      wire({ schema_version: 'storyline/v2' }),
      [['storyline/schema-version', '/schema_version']],
    ],
    ['a version that is no text', wire({ schema_version: 1 }), [['storyline/wrong-type', '/schema_version']]],
    [
      'null where it is not allowed',
      wire({ session: null, agent: null, turns: null, unknown_fields: null, unknown_key_counts: null }),
      [
        ['storyline/wrong-type', '/session'],
        ['storyline/wrong-type', '/agent'],
        ['storyline/wrong-type', '/turns'],
        ['storyline/wrong-type', '/unknown_fields'],
        ['storyline/wrong-type', '/unknown_key_counts'],
      ],
    ],
    [
      'null ids',
      wire({ turns: [turn({ id: null, src: null, tool_calls: [call({ tcid: null, fn: null })] })] }),
      [
        ['storyline/wrong-type', '/turns/0/id'],
        ['storyline/wrong-type', '/turns/0/src'],
        ['storyline/wrong-type', '/turns/0/tool_calls/0/tcid'],
        ['storyline/wrong-type', '/turns/0/tool_calls/0/fn'],
      ],
    ],
    [
      'null in parent',
      wire({ parent: { psid: null, rel: null } }),
      [
        ['storyline/wrong-type', '/parent/psid'],
        ['storyline/wrong-type', '/parent/rel'],
      ],
    ],
    [
      'null as an element',
      wire({ turns: [null], children: [null] }),
      [
        ['storyline/wrong-type', '/turns/0'],
        ['storyline/wrong-type', '/children/0'],
      ],
    ],
    [
      'missing keys',
      { agent: {}, turns: [{}] },
      [
        ['storyline/missing-key', '/agent'],
        ['storyline/missing-key', '/turns/0'],
        ['storyline/missing-key', '/turns/0'],
        ['storyline/missing-key', '/turns/0'],
        ['storyline/missing-key', ''],
        ['storyline/missing-key', ''],
      ],
    ],
    [
      'undeclared keys, prototype names among them',
      wire({ origin: { format: 'x', y: 1 }, turns: [turn({ constructor: 1 })], 'a/b': 1 }),
      [
        ['storyline/unknown-key', '/turns/0/constructor'],
        ['storyline/unknown-key', '/origin/y'],
        ['storyline/unknown-key', '/a~1b'],
      ],
    ],
    [
      'undeclared keys of residual blocks',
      wire({ unknown_fields: { sources: { x: { source_document_id: '', fields: {}, z: 1 } }, y: 1 } }),
      [
        ['storyline/unknown-key', '/unknown_fields/sources/x/z'],
        ['storyline/unknown-key', '/unknown_fields/y'],
      ],
    ],
    [
      'a fraction as an integer',
      wire({ turns: [turn({ id: 1.5, nllm: new JsonNumber('1e-400') })] }),
      [
        ['storyline/wrong-type', '/turns/0/id'],
        ['storyline/wrong-type', '/turns/0/nllm'],
      ],
    ],
    [
      'equal turn ids, however spelled',
      wire({ turns: [turn({ id: 1 }), turn({ id: new JsonNumber('1.0') })] }),
      [['storyline/duplicate-turn-id', '/turns/1/id']],
    ],
    [
      'equal tcids in two turns',
      wire({ turns: [turn({ tool_calls: [call()] }), turn({ id: 2, tool_calls: [call()] })] }),
      [['storyline/duplicate-tool-call-id', '/turns/1/tool_calls/0/tcid']],
    ],
    [
      'a task whose parts are all empty',
      wire({ task: { llm: {}, env: { state: {} }, result: { correct: null, status: '', x: {} } } }),
      [['storyline/empty-task', '/task']],
    ],
    [
      'half a clear pair on a turn',
      wire({
        turns: [turn({ prompt: { system: '' } }), turn({ id: 2, prompt: { system: '', user: null } })],
      }),
      [
        ['storyline/empty-prompt', '/turns/0/prompt'],
        ['storyline/empty-prompt', '/turns/1/prompt'],
      ],
    ],
    [
      'an empty response',
      wire({ turns: [turn({ tool_calls: [call({ response: { status: null, exit_code: null } })] })] }),
      [['storyline/empty-response', '/turns/0/tool_calls/0/response']],
    ],
    [
      'residual keys that are no pointers',
      wire({ unknown_fields: fields('x', { a: 1, '/~2': 1, '/~': 1 }) }),
      [
        ['storyline/bad-residual-pointer', '/unknown_fields/sources/x/fields/a'],
        ['storyline/bad-residual-pointer', '/unknown_fields/sources/x/fields/~1~02'],
        ['storyline/bad-residual-pointer', '/unknown_fields/sources/x/fields/~1~0'],
      ],
    ],
    [
      'G15: counts that differ',
      wire({ unknown_fields: fields('actf', { '/v': 1 }), unknown_key_counts: { actf: { '/w': 1 }, x: {} } }),
      [
        ['storyline/counts-mismatch', '/unknown_key_counts/actf/~1w'],
        ['storyline/counts-mismatch', '/unknown_key_counts/actf'],
        ['storyline/counts-mismatch', '/unknown_key_counts/x'],
      ],
    ],
    [
      'G15: counts without a source, of a wrong type, or without fields',
      wire({ unknown_fields: fields('a', { '/v': 1 }), unknown_key_counts: {} }),
      [['storyline/counts-mismatch', '/unknown_key_counts']],
    ],
    [
      'counts of a wrong type',
      wire({ unknown_fields: fields('a', { '/v': 1 }), unknown_key_counts: { a: { '/v': '1' }, b: 1 } }),
      [
        ['storyline/wrong-type', '/unknown_key_counts/a/~1v'],
        ['storyline/wrong-type', '/unknown_key_counts/b'],
      ],
    ],
    [
      'counts without fields',
      wire({ unknown_key_counts: { a: { '/v': 1 } } }),
      [['storyline/counts-mismatch', '/unknown_key_counts/a']],
    ],
  ])('%s', (_name, document, expected) => {
    const { story, found } = read(document);
    expect(story).toBeUndefined();
    expect(found).toEqual(expected);
  });

  test('a key named __proto__ in a closed object', () => {
    const document = JSON.parse(
      '{"schema_version":"storyline/v1","session":"s","agent":{"id":"a"},"turns":[],"__proto__":{}}',
    ) as Json;
    expect(read(document).found).toEqual([['storyline/unknown-key', '/__proto__']]);
  });

  test('pointers start where the document stands', () => {
    const { report, issues } = collectIssues();
    readStoryline(wire({ turns: [turn({ ts: 'x' })] }), report, '/3');
    expect(issues[0]?.at.pointer).toBe('/3/turns/0/ts');
  });

  test('every issue names its place and what was expected', () => {
    const { report, issues } = collectIssues();
    readStoryline(wire({ session: 5, agent: { id: '' }, notes: [] }), report);
    expect(issues.map((issue) => issue.message)).toEqual([
      '/session is the number 5; a text is expected',
      '/agent/id is ""; a text that is not empty is expected',
      '/notes is an array; a text is expected',
    ]);
  });
});

describe('readStoryline gives canonical form', () => {
  test('null optional keys, empty blocks, "" sides and defaults are dropped', () => {
    const { story, found } = read(
      wire({
        run: null,
        parent: { psid: 'p', rel: 'spawn', scid: null },
        task: {
          llm: {},
          env: { name: '', state: {} },
          result: {
            correct: false,
            score: 0,
            artifacts: [],
            final_answer: [],
            status: '',
            error: null,
            x: {},
            y: 0,
          },
        },
        prompt: { system: 'S', user: '' },
        turns: [
          turn({ env: { state: {} }, prompt: { system: '', user: '' }, tool_calls: [] }),
          turn({ id: 2, tool_calls: [call({ kind: '', result: null })] }),
        ],
        unknown_fields: {
          sources: {
            x: { source_document_id: 'd', fields: {} },
            y: { source_document_id: 'd', fields: { '': null } },
          },
        },
      }),
    );
    expect(found).toEqual([]);
    expect(story).toEqual({
      schema_version: 'storyline/v1',
      session: 's',
      agent: { id: 'a' },
      parent: { psid: 'p' },
      // G16: [] and 0 and false are data.
      task: {
        env: { name: '' },
        result: { correct: false, score: 0, artifacts: [], final_answer: [], y: 0 },
      },
      prompt: { system: 'S' },
      turns: [
        { id: 1, src: 'agent', msg: 'm', prompt: { system: '', user: '' }, tool_calls: [] },
        { id: 2, src: 'agent', msg: 'm', tool_calls: [{ tcid: 'c', fn: 'f', args: null }] },
      ],
      unknown_fields: { sources: { y: { source_document_id: 'd', fields: { '': null } } } },
      unknown_key_counts: { y: { '': 1 } },
    });
  });

  test('G15: absent counts are counted, equal ones accepted', () => {
    const pointers = { '/attempts/1/trajectory/steps/0/x': 1, '/attempts/1/trajectory/steps/1/x': 1 };
    const counts = { actf: { '/attempts/1/trajectory/steps/*/x': 2 } };
    expect(read(wire({ unknown_fields: fields('actf', pointers) })).story?.unknown_key_counts).toEqual(
      counts,
    );
    const given = { actf: { '/attempts/1/trajectory/steps/*/x': new JsonNumber('2.0') } };
    expect(
      read(wire({ unknown_fields: fields('actf', pointers), unknown_key_counts: given })).story
        ?.unknown_key_counts,
    ).toEqual(counts);
  });

  test('G4: keys of open objects are data', () => {
    const result = JSON.parse(
      '{"__proto__":1,"constructor":2,"":3,"a/b":4,"10":5,"2":6,"status":""}',
    ) as JsonObject;
    const story = read(wire({ task: { result } })).story;
    expect(JSON.stringify(story?.task?.result)).toBe(
      '{"2":6,"10":5,"__proto__":1,"constructor":2,"":3,"a/b":4}',
    );
    expect(({} as { constructor: unknown }).constructor).toBe(Object);
  });

  test('is idempotent, keeps canonical objects as they are, and what it gives is valid and written the same', () => {
    fc.assert(
      fc.property(anyWireStoryline, (document) => {
        const before = canonicalJson(document);
        const story = read(document).story;
        if (story === undefined) throw new Error('refused');
        expect(canonicalJson(document)).toBe(before);
        const { report, issues } = collectIssues();
        expect(validateStoryline(story, report)).toBe(story);
        expect(writeStoryline(story)).toBe(story);
        expect(issues).toEqual([]);
        expect(canonicalJson(storylineToJson(read(storylineToJson(story)).story as Storyline))).toBe(
          canonicalJson(storylineToJson(story)),
        );
      }),
    );
  });

  test('G18: values may nest deeper than any call stack', () => {
    let deep: Json = 1;
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(
      read(
        wire({
          extra: deep,
          turns: [turn({ msg: deep, tool_calls: [call({ args: deep })] })],
          task: { result: { x: deep } },
        }),
      ).found,
    ).toEqual([]);
  });
});

test('validateStoryline does not throw on garbage', () => {
  const cyclic: { [key: string]: unknown } = {};
  cyclic.self = cyclic;
  const garbage: unknown[] = [
    undefined,
    null,
    1,
    'x',
    Symbol('s'),
    () => 1,
    1n,
    new Date(),
    cyclic,
    new Map(),
    [cyclic],
  ];
  const shapes = [
    'session',
    'agent',
    'turns',
    'origin',
    'task',
    'prompt',
    'ts',
    'unknown_fields',
    'unknown_key_counts',
    'children',
    'meta',
  ];
  for (const value of garbage) {
    const { report, failed } = collectIssues();
    validateStoryline(value as Storyline, report);
    expect(failed()).toBe(true);
    for (const key of shapes) {
      const { report: other } = collectIssues();
      validateStoryline({ ...wire(), [key]: value } as unknown as Storyline, other);
      validateStoryline({ ...wire(), turns: [{ ...turn(), [key]: value }] } as unknown as Storyline, other);
      validateStoryline(
        {
          ...wire(),
          turns: [{ ...turn(), id: value, ts: value, tool_calls: [{ ...call(), [key]: value }] }],
        } as unknown as Storyline,
        other,
      );
      validateStoryline(
        { ...wire(), unknown_fields: { sources: { [key]: value } } } as unknown as Storyline,
        other,
      );
      validateStoryline(
        {
          ...wire(),
          unknown_fields: { sources: { x: { source_document_id: 'd', fields: value } } },
        } as unknown as Storyline,
        other,
      );
    }
  }
  fc.assert(
    fc.property(anyJson, (value) => {
      const { report, failed } = collectIssues();
      const story = validateStoryline(value as unknown as Storyline, report);
      expect(story === undefined).toBe(failed());
    }),
  );
});

test('numbers that are none in opaque slots and integers are refused', () => {
  expect(
    read(
      wire({ turns: [turn({ msg: Number.NaN, id: Number.POSITIVE_INFINITY, nllm: new JsonNumber('NaN') })] }),
    ).found,
  ).toEqual([
    ['storyline/wrong-type', '/turns/0/id'],
    ['storyline/wrong-type', '/turns/0/msg'],
    ['storyline/wrong-type', '/turns/0/nllm'],
  ]);
});

describe('effective values', () => {
  const S = { system: 'S', user: 'U' };
  test.each<[Json, Json, Json]>([
    [S, null, { system: 'S', user: 'U' }],
    [S, { user: 'U2' }, { system: '', user: 'U2' }],
    [S, { system: '', user: '' }, { system: '', user: '' }],
    [{ system: 'S' }, null, { system: 'S', user: '' }],
    [null, null, { system: '', user: '' }],
  ])('prompt of the document %j and of the turn %j (§5)', (document, ofTurn, expected) => {
    const story = read(wire({ prompt: document, turns: [turn({ prompt: ofTurn })] })).story as Storyline;
    expect(effectivePrompt(story, story.turns[0] as Turn)).toEqual(expected);
  });

  test.each<[Json, Json, Json | undefined]>([
    [
      { name: 'A', state: { x: 1, y: { p: 1 } } },
      { state: { y: { q: 2 } } },
      { name: 'A', state: { x: 1, y: { q: 2 } } },
    ],
    [{ name: 'A' }, { name: 'B', id: 'r1' }, { name: 'B', id: 'r1' }],
    [null, { id: 'r1' }, { id: 'r1' }],
    [{ name: 'A', state: { x: 1 } }, { id: 'r1' }, { name: 'A', id: 'r1', state: { x: 1 } }],
    [null, null, undefined],
  ])('env of the task %j and of the turn %j (§6)', (ofTask, ofTurn, expected) => {
    const story = read(
      wire({ task: ofTask === null ? null : { env: ofTask }, turns: [turn({ env: ofTurn })] }),
    ).story as Storyline;
    expect(effectiveEnv(story, story.turns[0] as Turn)).toEqual(expected);
  });

  test('env: a state key named __proto__ is data', () => {
    const state = JSON.parse('{"__proto__":1}') as JsonObject;
    const story = read(wire({ task: { env: { state: { x: 1 } } }, turns: [turn({ env: { state } })] }))
      .story as Storyline;
    expect(JSON.stringify(effectiveEnv(story, story.turns[0] as Turn))).toBe(
      '{"state":{"x":1,"__proto__":1}}',
    );
  });

  test.each<[JsonObject, string]>([
    [{ kind: '' }, ''],
    [{ kind: 'x', src: 'user' }, 'x'],
    [{ src: 'user', tool_calls: [call()] }, 'dialogue'],
    [{ src: 'system' }, 'internal'],
    [{ src: 'agent', tool_calls: [call()] }, 'autonomous'],
    [{ src: 'agent', tool_calls: [] }, 'dialogue'],
    [{ src: 'other' }, 'dialogue'],
  ])('kind of %j is %j (§7)', (more, expected) => {
    expect(effectiveKind(turn(more) as unknown as Turn)).toBe(expected);
  });

  test('are defined for every Storyline', () => {
    fc.assert(
      fc.property(anyStoryline, (story) => {
        for (const one of story.turns) {
          const { system, user } = effectivePrompt(story, one);
          expect([typeof system, typeof user, typeof effectiveKind(one)]).toEqual([
            'string',
            'string',
            'string',
          ]);
          expect(effectiveEnv(story, one) === undefined).toBe(
            story.task?.env === undefined && one.env === undefined,
          );
        }
      }),
    );
  });
});
