import { differences } from '@pchronicle/conformance';
import {
  bytesSource,
  getPointer,
  importStorylines,
  type Json,
  JsonNumber,
  type JsonObject,
  parseJson,
  type Storyline,
  stringify,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { actf, exportActf, importActf, normaliseActf } from '../src/index.ts';
import {
  accepted,
  attempt,
  back,
  backAt,
  read,
  rejected,
  STEPS,
  step,
  steps,
  story,
  task,
  told,
  written,
} from './support/documents.ts';

const fields = '/0/unknown_fields/sources/actf/fields';

describe('numbers, texts and keys', () => {
  test('G2: numbers come back with every digit, where they are data and where they have a meaning', () => {
    const text = `{"task_id":"t","category":"c","k":18446744073709551615,"correct":false,"attempts_tried":1,"id":1786000000123456789,"attempts":{"1":{
      "correct":false,"score":1e400,"meta":{"zero":-0},"trajectory":{"schema_version":"ACTF_v1.0","started_at":"2026-08-01T00:00:00Z","finished_at":"2026-08-01T00:00:00Z",
      "steps":[{"step_id":9007199254740993,"assistant_content":{"content":""},"metric":{"env_action_ms":0.1234567890123456789},"tools":[{"name":"f","input":1,"exit_code":9007199254740993}],
      "started_at":"2026-08-01T00:00:00Z","finished_at":"2026-08-01T00:00:00Z"}]}}}}`;
    const { text: out } = exportActf(importActf(text).storylines);
    for (const token of [
      '18446744073709551615',
      '1786000000123456789',
      '1e400',
      '-0',
      '9007199254740993',
      '0.1234567890123456789',
    ]) {
      expect(out.split(token).length, token).toBe(
        text.split(token).length + (token === '9007199254740993' ? 1 : 0),
      );
    }
    expect(differences(normaliseActf(parseJson(text).value as Json), parseJson(out).value as Json)).toEqual(
      [],
    );
  });

  test('G3: lone surrogates, U+0000 and emoji survive in texts, keys and ids', () => {
    const odd = '\ud800x\udc00\u0000🙂键';
    const document = task(
      {
        [odd]: attempt([
          step(1, {
            [odd]: odd,
            tools: [{ id: odd, name: odd, input: odd }],
            observation: [{ tool_use_id: odd }],
          }),
        ]),
      },
      { task_id: odd },
    );
    expect(differences(back(document).document, normaliseActf(document))).toEqual([]);
  });

  test('G4: attempts are read and written in ascending byte order of their keys, hostile keys are data', () => {
    const ids = ['2', '10', '1', '__proto__', 'constructor', '\uffff', '🙂', 'a/b~c'];
    const text = `{"task_id":"t","category":"c","k":9,"correct":false,"attempts_tried":8,"__proto__":1,"":2,"a/b":{"constructor":3},"attempts":{${ids.map((id) => `${JSON.stringify(id)}:${stringify(attempt([step(1)]))}`).join(',')}}}`;
    const { storylines, issues } = importActf(text);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const ordered = ['1', '10', '2', '__proto__', 'a/b~c', 'constructor', '\uffff', '🙂'];
    expect(storylines.map((one) => one.attempt_id)).toEqual(ordered);
    const { text: out } = exportActf([...storylines].reverse());
    expect(
      [...out.matchAll(/"((?:[^"\\]|\\.)*)":\{"correct"/g)].map(([, id]) => JSON.parse(`"${id}"`)),
    ).toEqual(ordered);
    expect(differences(parseJson(out).value as Json, normaliseActf(parseJson(text).value as Json))).toEqual(
      [],
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('G5: of two equal keys the last one counts, with a warning that points to it', () => {
    const text = stringify(task({ '1': attempt([step(1)]) })).replace(
      '"category":"math"',
      '"category":"x","category":"math"',
    );
    const { storylines, issues } = importActf(text);
    expect(storylines[0]?.task?.result?.category).toBe('math');
    expect(told(issues)).toEqual(['warning json/duplicate-key /category']);
  });

  test('G6: a NaN token is an error with its pointer, or null where that is asked for', () => {
    const text = stringify(steps(step(1, { metric: { llm_infer_ms: 'NAN' } }))).replace('"NAN"', 'NaN');
    const at = `${STEPS}/0/metric/llm_infer_ms`;
    expect(told(importActf(text).issues)[0]).toMatch(new RegExp(`^error json/[a-z-]+ ${at}$`));
    const { storylines, issues } = importActf(text, { nonFinite: 'null' });
    expect(storylines[0]?.turns[0]?.metrics).toEqual({ llm_infer_ms: null });
    expect(issues).toHaveLength(1);
  });
});

describe('G7 bad attempts and documents', () => {
  const good = attempt([step(1)]);
  const bad = attempt([step(0)]);
  const document = task({ '1': good, '2': bad, '3': good });

  test('G7: one bad attempt rejects its document, and no neighbour', () => {
    expect(rejected(document)).toEqual(['actf/not-positive /attempts/2/trajectory/steps/0/step_id']);
    const { storylines } = importActf([document, task({ '1': good }, { task_id: 'task-2' })]);
    expect(storylines.map((one) => one.run)).toEqual(['task-2']);
  });

  test('G7: salvage keeps the good attempts, under their own sessions', () => {
    const { storylines, issues } = importActf(document, { salvage: true });
    expect(storylines.map((one) => one.session)).toEqual(['task-1#attempt-1', 'task-1#attempt-3']);
    expect(told(issues, 'actf/not-positive')).toHaveLength(1);
  });

  test('G7: all faults of a document are told, not only the first', () => {
    const faulty = task({
      '1': attempt(
        [step(1, { metric: { llm_infer_ms: 'x' } }), step(1), step(2, { tools: [{ input: 1 }] })],
        { correct: 'no', status: 5 },
      ),
    });
    expect(rejected(faulty)).toEqual([
      'actf/wrong-type /attempts/1/correct',
      'actf/wrong-type /attempts/1/status',
      `actf/wrong-type ${STEPS}/0/metric/llm_infer_ms`,
      `actf/tool-without-name ${STEPS}/2/tools/0`,
    ]);
  });
});

test('G9: unknown keys at every level are residuals, counted by normalised pointer, with one warning each', () => {
  const tool = { id: 'c', name: 'f', input: 1, v: 1 };
  const one = (id: number): JsonObject =>
    step(id, {
      v: 1,
      tools: [tool],
      assistant_content: { v: 1, tool_calls: [tool] },
      metric: { v: 1 },
      observation: [{ v: 1 }],
    });
  const trajectory = {
    schema_version: 'ACTF_v1.0',
    started_at: '2026-08-01T00:00:00Z',
    finished_at: '2026-08-01T00:00:00Z',
    events: [1],
    steps: [one(1), { ...one(2), tools: [{ ...tool, id: 'd' }], assistant_content: { v: 1 } }],
  };
  const { storylines, issues } = accepted(task({ '1': attempt(trajectory, { v: 1 }) }, { v: 1 }));
  expect(storylines[0]?.unknown_key_counts).toEqual({
    actf: {
      '/v': 1,
      '/attempts/1/v': 1,
      '/attempts/1/trajectory/events': 1,
      '/attempts/1/trajectory/steps/*/v': 2,
      '/attempts/1/trajectory/steps/*/assistant_content/v': 2,
      '/attempts/1/trajectory/steps/*/tools/*/v': 2,
      '/attempts/1/trajectory/steps/*/assistant_content/tool_calls/*/v': 1,
    },
  });
  expect(told(issues, 'core/unknown-key')).toHaveLength(7);
});

describe('G11 one tool id in two steps', () => {
  const call = (id: Json): JsonObject => ({ id, name: 'f', input: {} });
  const document = steps(
    step(1, { tools: [call('c1')], observation: [{ tool_use_id: 'c1', content: 'a' }] }),
    step(5, {
      tools: [call('c1')],
      assistant_content: { tool_calls: [call('c1')] },
      observation: [{ tool_use_id: 'c1', content: 'b' }],
    }),
    step(7, { assistant_content: { tool_calls: [call('c1'), call('c1@5')] } }),
    step(9, { tools: [call('c1@5')] }),
  );

  test('G11: the first keeps it, later ones get the turn id, literal ids first', () => {
    const { storylines, issues } = accepted(document);
    expect(storylines[0]?.turns.map((turn) => turn.tool_calls?.map(({ tcid }) => tcid))).toEqual([
      ['c1'],
      ['c1@5@5'],
      ['c1@7', 'c1@5'],
      ['c1@5@9'],
    ]);
    expect(told(issues, 'actf/reused-tool-id')).toEqual([
      `info actf/reused-tool-id ${STEPS}/1/tools/0/id`,
      `info actf/reused-tool-id ${STEPS}/2/assistant_content/tool_calls/0/id`,
      `info actf/reused-tool-id ${STEPS}/3/tools/0/id`,
    ]);
  });

  test('G11: the source id is a residual on each side that had it; a result keeps its reference and names the tcid', () => {
    expect(read(document, fields)).toEqual({
      [`${STEPS}/1/tools/0/id`]: 'c1',
      [`${STEPS}/1/assistant_content/tool_calls/0/id`]: 'c1',
      [`${STEPS}/2/assistant_content/tool_calls/0/id`]: 'c1',
      [`${STEPS}/3/tools/0/id`]: 'c1@5',
    });
    expect(read(document, '/0/turns/1/observation/results/0')).toEqual({
      tool_use_id: 'c1',
      content: 'b',
      source_call_id: 'c1@5@5',
    });
    expect(differences(back(document).document, normaliseActf(document))).toEqual([]);
  });

  test('G11: a made-up id gives way to a literal one', () => {
    const clash = steps(
      step(1, { tools: [call('step-2-tool-0')] }),
      step(2, { tools: [{ name: 'f', input: {} }] }),
    );
    expect(read(clash, '/0/turns/1/tool_calls/0/tcid')).toBe('step-2-tool-0@2');
    expect(backAt(clash, `${STEPS}/1/tools/0`)).toEqual({ name: 'f', input: {} });
  });

  test('G11: two equal ids in one step are an error, made-up ones included', () => {
    expect(rejected(steps(step(1, { tools: [call('c1'), call('c1')] })))).toEqual([
      `actf/duplicate-tool-id ${STEPS}/0/tools/1/id`,
    ]);
    expect(rejected(steps(step(1, { tools: [call('step-1-tool-1'), call(null)] })))).toEqual([
      `actf/duplicate-tool-id ${STEPS}/0/tools/1`,
    ]);
  });
});

describe('G12 residuals', () => {
  const withResiduals = (residuals: JsonObject, head: JsonObject = {}): Storyline =>
    ({
      ...story([{}], { origin: { format: 'actf' }, run: 'R', attempt_id: '1', ...head }),
      unknown_fields: { sources: { actf: { source_document_id: 'R', fields: residuals } } },
    }) as unknown as Storyline;

  test('G12: missing object parents are made', () => {
    const { document } = written([
      withResiduals({ '/a/b': 1, '/attempts/1/x/y': 2, [`${STEPS}/0/vendor/z`]: 3 }),
    ]);
    expect(
      ['/a/b', '/attempts/1/x/y', `${STEPS}/0/vendor/z`].map((pointer) => getPointer(document, pointer)),
    ).toEqual([1, 2, 3]);
  });

  test('G12: a residual wins over what the writer made up', () => {
    const { document } = written([
      withResiduals({
        '/category': 'code',
        '/attempts/1/ground_truth': 'gt',
        [`${STEPS}/0/metric/llm_infer_ms`]: 4,
      }),
    ]);
    expect([
      document.category,
      getPointer(document, '/attempts/1/ground_truth'),
      getPointer(document, `${STEPS}/0/metric/llm_infer_ms`),
    ]).toEqual(['code', 'gt', 4]);
  });

  test.each([
    ['another value', { [`${STEPS}/0/assistant_content/content`]: 'other' }, 'storyline/residual-collision'],
    ['no such step', { [`${STEPS}/7/vendor`]: 1 }, 'storyline/residual-without-place'],
    ['another attempt', { '/attempts/2/vendor': 1 }, 'actf/residual-of-another-attempt'],
    ['the result would be no ACTF', { [`${STEPS}/0/tools`]: 5 }, 'actf/not-writable'],
  ])('G12: anything else that collides is an error that names the pointer: %s', (_, residuals, code) => {
    const { text, issues } = exportActf([withResiduals(residuals)]);
    expect(text).toBe('');
    const errors = issues.filter(({ severity }) => severity === 'error');
    expect(errors.map((issue) => issue.code)).toEqual([code]);
    expect(`${errors[0]?.message}`).toContain(Object.keys(residuals)[0]);
  });

  test('G12: residuals that a Storyline of another format brings along find no place: a loss, not an error', () => {
    const { issues } = written([
      withResiduals(
        { [`${STEPS}/7/vendor`]: 1, '/attempts/9/v': 2, '/v': 3 },
        { origin: { format: 'openai-msg' } },
      ),
    ]);
    const place = '/unknown_fields/sources/actf/fields/~1attempts~1';
    expect(told(issues, 'actf/no-slot').filter((line) => line.includes('unknown_fields'))).toEqual([
      `loss actf/no-slot ${place}9~1v`,
      `loss actf/no-slot ${place}1~1trajectory~1steps~17~1vendor`,
    ]);
  });
});

test('G13: residuals of other sources travel in the envelope, those of ACTF and its layout do not', () => {
  const document = {
    ...steps(step(1, { v: 1, tools: [{ type: 'x', name: 'x', input: 1 }] })),
    _storyline: {
      unknown_fields: {
        version: 1,
        by_trajectory: {
          '/attempts/1': {
            sources: {
              'openai-msg': { source_document_id: 'a.json', fields: { '/session_steps/0/vendor': null } },
            },
          },
        },
      },
    },
  };
  const { storylines } = accepted(document);
  expect(Object.keys(storylines[0]?.unknown_fields?.sources ?? {}).sort()).toEqual([
    'actf',
    'actf-layout',
    'openai-msg',
  ]);
  expect(written(storylines).document._storyline).toEqual(document._storyline);
});

test('G14: with carry, a Storyline that ACTF cannot express comes back exactly', () => {
  const one = story([{ src: 'user', msg: { a: 1 }, model: 'm', env: { name: 'e' } }], {
    notes: 'n',
    parent: { psid: 'p' },
    trajectory: 'T',
  });
  const { text, issues } = exportActf([one], { carry: true });
  expect(issues.filter(({ severity }) => severity === 'error' || severity === 'loss')).toEqual([]);
  expect(importActf(text).storylines).toEqual([one]);
});

test('G16: an empty list is data, an empty text or object is absence', () => {
  const keys = ['final_answer', 'ground_truth', 'score', 'max_score'] as const;
  for (const key of keys) {
    expect(read(task({ '1': attempt([step(1)], { [key]: [] }) }), `/0/task/result/${key}`)).toEqual([]);
    for (const nothing of ['', {}, null])
      expect(
        read(task({ '1': attempt([step(1)], { [key]: nothing }) }), `/0/task/result/${key}`),
      ).toBeUndefined();
  }
  const document = task({
    '1': attempt([step(1)], { extra: [], meta: '', analysis_result: [], artifacts: [] }),
  });
  expect(back(document).document.attempts).toMatchObject({
    '1': { extra: [], meta: '', analysis_result: [], artifacts: {} },
  });
});

describe('G17 invented values', () => {
  test('G17: a default that is written is told', () => {
    const { document, issues } = written([story([{ tool_calls: [{ tcid: 'c', fn: 'f', args: {} }] }])]);
    expect(document).toMatchObject({
      task_id: 's1',
      category: 'unknown',
      k: 1,
      correct: false,
      solved_at: null,
    });
    expect(told(issues, 'actf/default-value').map((line) => line.split(' ')[2])).toEqual([
      '/task/llm/k',
      '/task/result/category',
      '/task/result/task_correct',
      '/task/result/correct',
      '/task/result/status',
      '/started_at',
      '/finished_at',
      '/turns/0/ts',
      '/turns/0/tool_calls/0/kind',
      '/turns/0/metrics',
    ]);
  });

  test('G17: rereading a document of our own takes no stand-in for a time', () => {
    const { document } = written(
      [story([{}, { ts: '2026-08-01T00:00:00Z' }], { started_at: '2026-08-01T00:00:00Z' })].map((one) => one),
    );
    expect(getPointer(document, `${STEPS}/0/started_at`)).toBe('1970-01-01 00:00:00+00:00');
    const { storylines, issues } = accepted(document);
    expect(storylines[0]?.turns.map(({ ts }) => ts)).toEqual([undefined, '2026-08-01T00:00:00Z']);
    expect(told(issues)).toEqual(['info actf/stand-in-time /attempts/1/trajectory']);
    expect(differences(written(storylines).document, document)).toEqual([]);
  });
});

test('G18: a document nested too deep, or a text too long, is an issue with its place', () => {
  const deep = stringify(steps(step(1, { v: 'DEEP' }))).replace(
    '"DEEP"',
    '['.repeat(100_000) + ']'.repeat(100_000),
  );
  expect(told(importActf(deep).issues)).toEqual([
    expect.stringMatching(/^error core\/too-deep \/attempts\/1/),
  ]);
  const nested = stringify(steps(step(1, { v: 'DEEP' }))).replace(
    '"DEEP"',
    '['.repeat(900) + ']'.repeat(900),
  );
  const { storylines } = importActf(nested);
  expect(differences(written(storylines).document, normaliseActf(parseJson(nested).value as Json))).toEqual(
    [],
  );
  const long = importActf(stringify(steps(step(1, { v: 'x'.repeat(2000) }))), {
    limits: { stringBytes: 1000 },
  });
  expect(told(long.issues)).toEqual([expect.stringMatching(/^error core\/value-too-large \/attempts\/1/)]);
});

test('G19: the layout is noted only where it is needed, under a name of its own', () => {
  const plain = steps(
    step(1, {
      tools: [
        { type: 'x', input: 1 },
        { name: 'f', input: {} },
      ],
      observation: [{ aggregated_output: 1 }],
    }),
  );
  expect(accepted(plain).storylines[0]?.unknown_fields).toBeUndefined();
  const needed = steps(
    step(1, {
      tools: [{ type: 'x', name: 'x', input: 1 }, { type: 'y' }],
      observation: [{ aggregated_output: 1, content: 1 }],
    }),
  );
  expect(read(needed, '/0/unknown_fields')).toEqual({
    sources: {
      'actf-layout': {
        source_document_id: 'task-1',
        fields: {
          [`${STEPS}/0/tools/0/name`]: true,
          [`${STEPS}/0/tools/1/input`]: false,
          [`${STEPS}/0/observation/0/content`]: true,
        },
      },
    },
  });
});

describe('A14 one big document', () => {
  const attempts = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      String(index),
      attempt([step(1, { assistant_content: { content: 'x'.repeat(40_000) } })]),
    ]),
  );
  const { attempts: _, ...root } = task(attempts, { k: 40, vendor: new JsonNumber('9007199254740993') });

  test.each(['first', 'last'])('A14: is read attempt by attempt, with its root fields %s', async (where) => {
    const document = where === 'first' ? { ...root, attempts } : { attempts, ...root };
    const source = bytesSource('big.json', stringify(document));
    let bytes = 0;
    const between: number[] = [];
    const counted = {
      ...source,
      name: source.name,
      size: source.size,
      read(target: Uint8Array, position: number) {
        const count = source.readSync?.(target, position) ?? 0;
        bytes += count;
        return count;
      },
    };
    delete (counted as { readSync?: unknown }).readSync;
    const storylines: Storyline[] = [];
    for await (const event of importStorylines(counted, actf)) {
      if (event.type !== 'storyline') continue;
      storylines.push(event.storyline);
      between.push(bytes);
      bytes = 0;
    }
    expect(storylines).toEqual(importActf(document).storylines);
    // After the pass that finds the attempts, no more is read for a Storyline than its attempt and one window.
    expect(Math.max(...between.slice(1))).toBeLessThan(400_000);
  });
});

describe('every fault is told', () => {
  test('of the root and of each attempt at once, in memory and from a file, with salvage or without', async () => {
    const document = task(
      { '1': attempt([step('x')]), '2': attempt([step(1)]), '3': 7 },
      { category: 7, attempts_tried: 3 },
    );
    const faults = [
      'error actf/wrong-type /category',
      'error actf/wrong-type /attempts/1/trajectory/steps/0/step_id',
      'error actf/wrong-type /attempts/3',
    ];
    for (const salvage of [false, true]) {
      const { storylines, issues } = importActf(document, { salvage });
      expect(storylines).toEqual([]);
      expect(told(issues)).toEqual(faults);
      const events = importStorylines(bytesSource('a.json', stringify(document)), actf, { salvage });
      const found: string[] = [];
      for await (const event of events) {
        expect(event.type).not.toBe('storyline');
        if (event.type === 'issue') found.push(...told([event.issue]));
        if (event.type === 'end') expect(event.accepted).toBe(false);
      }
      expect(found).toEqual(faults);
    }
  });
});
