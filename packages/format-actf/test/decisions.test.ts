import { differences } from '@pchronicle/conformance';
import {
  exportDocument,
  getPointer,
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

describe('what ACTF leaves open', () => {
  test('A1: an empty status is legal and comes back empty, never as completed', () => {
    for (const status of ['', null]) {
      const document = task({ '1': attempt([step(1)], { status }) });
      expect(read(document, '/0/task/result/status')).toBeUndefined();
      expect(backAt(document, '/attempts/1/status')).toBe('');
    }
    expect(getPointer(written([story([{}])]).document, '/attempts/1/status')).toBe('completed');
  });

  test('A2: a trajectory without steps is legal', () => {
    expect(read(steps(), '/0/turns')).toEqual([]);
    expect(backAt(steps(), STEPS)).toEqual([]);
  });

  test('A3: a missing solved_at is like null', () => {
    expect(Object.hasOwn(steps(step(1)), 'solved_at')).toBe(false);
    expect(read(steps(step(1)), '/0/task/result/solved_at')).toBeUndefined();
    expect(backAt(steps(step(1)), '/solved_at')).toBeNull();
  });

  const all = { input: 1, arguments: 2, function: { arguments: 3 }, command: 4 };
  test.each([
    ['input', all, 1],
    ['arguments', { ...all, input: null }, 2],
    ['function.arguments', { ...all, input: null, arguments: null }, 3],
    ['command', { ...all, input: null, arguments: null, function: { arguments: null } }, { command: 4 }],
    ['remainder', { vendor: 5, input: null, command: null }, { name: 'f', vendor: 5 }],
  ])('A4: arguments come from %s; a null candidate counts as missing', (_, tool, args) => {
    expect(read(steps(step(1, { tools: [{ name: 'f', ...tool }] })), '/0/turns/0/tool_calls/0/args')).toEqual(
      args,
    );
  });

  describe('A5: remainder arguments', () => {
    test('A5: are residual too, name among them, and come back flat, once, without an input', () => {
      const tool = { id: 'c1', type: 'probe', name: 'ping', query: 'x', status: 'ok' };
      const document = steps(step(1, { tools: [tool] }));
      expect(read(document, '/0/turns/0/tool_calls/0/args')).toEqual({ name: 'ping', query: 'x' });
      expect(read(document, fields)).toEqual({
        [`${STEPS}/0/tools/0/name`]: 'ping',
        [`${STEPS}/0/tools/0/query`]: 'x',
      });
      expect(backAt(document, `${STEPS}/0/tools`)).toEqual([tool]);
    });

    test('A5: no arguments at all are told from an empty input', () => {
      for (const tool of [
        { id: 'c1', type: 'ping' },
        { id: 'c1', type: 'ping', input: {} },
      ]) {
        const document = steps(step(1, { tools: [tool] }));
        expect(read(document, '/0/turns/0/tool_calls/0/args')).toEqual({});
        expect(backAt(document, `${STEPS}/0/tools`)).toEqual([tool]);
      }
    });

    test('A5: an input that repeats the vendor keys beside it stays an input', () => {
      const tool = { id: 'c1', type: 'ping', input: { v: 1 }, v: 1 };
      expect(backAt(steps(step(1, { tools: [tool] })), `${STEPS}/0/tools`)).toEqual([tool]);
    });

    test('A5: a function object without arguments is among them', () => {
      const tool = { id: 'c1', function: { name: 'g', strict: true } };
      const document = steps(step(1, { tools: [tool] }));
      expect(read(document, '/0/turns/0/tool_calls/0')).toEqual({
        tcid: 'c1',
        fn: 'g',
        args: { function: tool.function },
      });
      expect(backAt(document, `${STEPS}/0/tools`)).toEqual([tool]);
    });
  });

  describe('A6: content beside aggregated_output', () => {
    const observe = (observation: { readonly [key: string]: Json }): Json =>
      steps(step(1, { observation: [observation] }));
    test('A6: the output is the content; a different one of the source is a residual', () => {
      const document = observe({ aggregated_output: 'A', content: 'B' });
      expect(read(document, '/0/turns/0/observation/results/0')).toEqual({
        aggregated_output: 'A',
        content: 'A',
      });
      expect(read(document, fields)).toEqual({ [`${STEPS}/0/observation/0/content`]: 'B' });
    });

    test.each([
      ['only promoted: not written', { aggregated_output: 'A' }],
      ['equal in the source: written', { aggregated_output: 'A', content: 'A' }],
      ['different', { aggregated_output: 'A', content: 'B' }],
      ['null', { aggregated_output: 'A', content: null }],
      ['no output', { aggregated_output: null, content: 'B' }],
    ])('A6: comes back as it was: %s', (_, observation) => {
      expect(backAt(observe(observation), `${STEPS}/0/observation`)).toEqual([observation]);
    });

    test('A6: a key named source_call_id is kept beside the promoted one', () => {
      const observation = { tool_use_id: 'c1', source_call_id: 'mine' };
      const document = steps(
        step(1, { tools: [{ id: 'c1', name: 'f', input: {} }], observation: [observation] }),
      );
      expect(read(document, '/0/turns/0/observation/results/0/source_call_id')).toBe('c1');
      expect(backAt(document, `${STEPS}/0/observation`)).toEqual([observation]);
    });
  });

  test('A6: a source_call_id of the source that names a call is no reference', () => {
    const call = (id: string): JsonObject => ({ id, name: 'f', input: {} });
    const document = steps(
      step(1, { tools: [call('c1')] }),
      step(2, {
        tools: [call('c2')],
        observation: [{ source_call_id: 'c1' }, { source_call_id: 'c2' }, { id: 'c2', source_call_id: 'c1' }],
      }),
    );
    expect(differences(back(document).document, normaliseActf(document))).toEqual([]);
  });

  test('A7: unknown keys inside a consumed function object are residuals', () => {
    const tool = { id: 'c1', function: { name: 'g', arguments: '{}', strict: true } };
    const document = steps(step(1, { tools: [tool] }));
    expect(read(document, fields)).toEqual({ [`${STEPS}/0/tools/0/function/strict`]: true });
    expect(backAt(document, `${STEPS}/0/tools`)).toEqual([
      { id: 'c1', name: 'g', input: '{}', function: { strict: true } },
    ]);
  });

  test('A8: a status that is no text and an exit code that is no integer are residuals, with an issue each', () => {
    const tool = { id: 'c1', type: 'command_execution', command: 'ls', status: 7, exit_code: 'zero' };
    const { storylines, issues } = accepted(steps(step(1, { tools: [tool] })));
    expect(storylines[0]?.turns[0]?.tool_calls?.[0]?.response).toBeUndefined();
    expect(told(issues, 'actf/unexpected-tool-value')).toEqual([
      `warning actf/unexpected-tool-value ${STEPS}/0/tools/0/status`,
      `warning actf/unexpected-tool-value ${STEPS}/0/tools/0/exit_code`,
    ]);
    expect(getPointer(written(storylines).document, `${STEPS}/0/tools`)).toEqual([tool]);
  });

  describe('A9: two tool lists', () => {
    const tool = { id: 'c1', type: 'tool_use', name: 'f', input: {} };
    test('A9: both are written, whichever the source had', () => {
      for (const document of [
        steps(step(1, { tools: [tool] })),
        steps(step(1, { assistant_content: { content: '', tool_calls: [tool] } })),
        steps(step(1, { tools: [tool], assistant_content: { content: '', tool_calls: [tool] } })),
      ]) {
        expect(backAt(document, `${STEPS}/0/tools`)).toEqual([tool]);
        expect(backAt(document, `${STEPS}/0/assistant_content/tool_calls`)).toEqual([tool]);
      }
    });

    test('A9: a list whose vendor keys show that it was alone stays alone', () => {
      const vendor = { ...tool, vendor: 1 };
      const left = steps(step(1, { tools: [tool, { ...vendor, id: 'c2' }] }));
      expect(backAt(left, `${STEPS}/0/tools`)).toEqual([tool, { ...vendor, id: 'c2' }]);
      expect(backAt(left, `${STEPS}/0/assistant_content/tool_calls`)).toEqual([]);
      const right = steps(step(1, { assistant_content: { content: '', tool_calls: [vendor] } }));
      expect(backAt(right, `${STEPS}/0/tools`)).toEqual([]);
      expect(backAt(right, `${STEPS}/0/assistant_content/tool_calls`)).toEqual([vendor]);
    });

    test('A9: lists that differ are an error, also in length, in order and in a vendor key', () => {
      const other = { ...tool, id: 'c2' };
      for (const calls of [[other], [tool, other], [{ ...tool, vendor: 1 }], [{ ...tool, input: null }]]) {
        const document = steps(
          step(1, { tools: [tool], assistant_content: { content: '', tool_calls: calls } }),
        );
        expect(rejected(document)[0]).toMatch(new RegExp(`^actf/tool-lists-differ ${STEPS}/0/tools`));
      }
    });

    test('A9: type and id are written only where the source had them, and not an id of the made-up form at its own place', () => {
      const document = steps(
        step(3, {
          tools: [
            { name: 'a', input: 1 },
            { id: 'step-3-tool-1', name: 'b', input: 1 },
            { id: 'step-3-tool-0@3', name: 'c', input: 1 },
          ],
        }),
      );
      expect(backAt(document, `${STEPS}/0/tools`)).toEqual([
        { name: 'a', input: 1 },
        { name: 'b', input: 1 },
        { id: 'step-3-tool-0@3', name: 'c', input: 1 },
      ]);
      const foreign = story([{ tool_calls: [{ tcid: 'step-1-tool-0', fn: 'f', args: {} }] }]);
      expect(getPointer(written([foreign]).document, `${STEPS}/0/tools`)).toEqual([
        { id: 'step-1-tool-0', type: 'tool_use', name: 'f', input: {} },
      ]);
    });

    test('A9: a name is told from the type that would stand in for it', () => {
      const tools = [
        { id: 'a', type: 'x', input: 1 },
        { id: 'b', type: 'x', name: 'x', input: 1 },
        { id: 'c', type: 'command_execution', name: 'sh', command: 'ls' },
      ];
      expect(backAt(steps(step(1, { tools })), `${STEPS}/0/tools`)).toEqual(tools);
    });
  });

  describe('A10: many Storylines', () => {
    const own = (id: string, root = {}): readonly Storyline[] =>
      accepted(task({ [id]: attempt([step(1)]) }, root)).storylines;
    test('A10: one document for each source document and run, one for each Storyline without an attempt_id', () => {
      const several = [
        ...own('1'),
        ...own('2'),
        ...own('1', { task_id: 'task-2' }),
        story([{}]),
        story([{}]),
      ];
      const { text, issues } = exportDocument(actf, several);
      expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
      const documents = parseJson(text).value as readonly Json[];
      expect(
        documents.map((one) => [
          getPointer(one, '/task_id'),
          Object.keys(getPointer(one, '/attempts') as object),
        ]),
      ).toEqual([
        ['task-1', ['1', '2']],
        ['task-2', ['1']],
        ['s1', ['1']],
        ['s1', ['1']],
      ]);
    });

    test('A10: attempts_tried is the number written, and a different record of it is a loss', () => {
      const [first] = accepted(task({ '1': attempt([step(1)]), '2': attempt([step(1)]) })).storylines;
      const { document, issues } = written([first as Storyline]);
      expect(document.attempts_tried).toBe(1);
      expect(told(issues, 'actf/reads-differently')).toContain(
        'loss actf/reads-differently /task/result/attempts_tried',
      );
    });

    test('A10: a mix of Storylines with and without residuals is normal', () => {
      const document = task({ '1': attempt([step(1)], { vendor: 1 }), '2': attempt([step(1)]) });
      expect(accepted(document).storylines.map((one) => one.unknown_fields === undefined)).toEqual([
        false,
        true,
      ]);
      expect(differences(back(document).document, normaliseActf(document))).toEqual([]);
    });

    test.each([
      ['category', { category: 'a' }, { category: 'b' }],
      ['k', { k: 4 }, { k: 5 }],
      ['task_correct', { correct: true }, { correct: false }],
      ['solved_at', { solved_at: 'x' }, { solved_at: 'y' }],
      ['retry_counts', { retry_counts: [1] }, { retry_counts: [2] }],
    ])('A10: %s that differs inside one group is an error that names both', (name, left, right) => {
      const { text, issues } = exportActf([...own('1', left), ...own('2', right)]);
      expect(text).toBe('');
      const [error] = issues.filter((issue) => issue.code === 'actf/conflicting-values');
      expect(error?.message).toContain(`one ${name}`);
      expect(error?.message).toMatch(/attempt "1".*attempt "2"/);
    });

    test('A10: Storylines of different runs in one document are an error', () => {
      const { issues } = exportActf([...own('1'), ...own('2', { task_id: 'task-2' })]);
      expect(told(issues, 'actf/different-runs')).toEqual(['error actf/different-runs /run']);
    });
  });

  describe('A11: what ACTF has no place for', () => {
    const lossesOf = (one: Storyline): readonly string[] =>
      told(written([one]).issues).filter((line) => line.startsWith('loss'));
    test('A11: a msg that is no text is a loss, and written as JSON text', () => {
      const one = story([{ msg: { parts: ['a', new JsonNumber('9007199254740993')] } }]);
      expect(getPointer(written([one]).document, `${STEPS}/0/assistant_content/content`)).toBe(
        '{"parts":["a",9007199254740993]}',
      );
      expect(lossesOf(one)).toContain('loss actf/reads-differently /turns/0/msg');
      expect(lossesOf(story([{ msg: null }]))).toContain('loss actf/reads-differently /turns/0/msg');
    });

    test('A11: turns of others than the agent', () => {
      const one = story([{ src: 'user' }, {}, { src: 'system' }]);
      expect(lossesOf(one)).toContain('loss actf/reads-differently /turns/0/src');
      expect(lossesOf(one)).toContain('loss actf/reads-differently /turns/2/src');
    });

    test('A11: results of calls that are no command, durations and extras of calls', () => {
      const call = { fn: 'f', args: {}, result: 'out', duration_ms: 5, extra: { x: 1 } };
      const one = story([
        {
          tool_calls: [
            { tcid: 'c1', ...call },
            { tcid: 'c2', ...call, fn: 'command_execution', args: { command: 'ls' } },
          ],
        },
      ]);
      const losses = lossesOf(one);
      for (const key of ['result', 'duration_ms', 'extra'])
        expect(losses).toContain(`loss actf/no-slot /turns/0/tool_calls/0/${key}`);
      expect(losses).not.toContain('loss actf/no-slot /turns/0/tool_calls/1/result');
    });

    test('A11: many losses of one kind are counted, not listed', () => {
      const losses = lossesOf(story(Array.from({ length: 500 }, () => ({ src: 'user' }))));
      expect(losses.filter((line) => line.endsWith('/src')).length).toBe(21);
      const { issues } = written([story(Array.from({ length: 500 }, () => ({ src: 'user' })))]);
      expect(issues.find(({ at }) => at.pointer === '/turns/499/src')?.message).toMatch(/500/);
    });
  });

  test('A13: an array and JSON Lines hold documents, each by itself', () => {
    const documents = [
      task({ '1': attempt([step(1)]) }),
      task({ '1': attempt([step(1)]) }, { task_id: 'task-2' }),
    ];
    for (const text of [stringify(documents), documents.map((one) => `${stringify(one)}\n`).join('\n')]) {
      const { storylines, issues } = importActf(text);
      expect(issues).toEqual([]);
      expect(storylines.map(({ run, session }) => [run, session])).toEqual([
        ['task-1', 'task-1'],
        ['task-2', 'task-2'],
      ]);
    }
  });

  describe('A15: metric', () => {
    test('A15: is verbatim both ways', () => {
      const metric = { llm_infer_ms: new JsonNumber('3.90000000000000000001'), vendor: [null, { a: -0 }] };
      const document = steps(step(1, { metric }));
      expect(stringify(backAt(document, `${STEPS}/0/metric`) ?? null)).toBe(stringify(metric));
    });

    test.each([
      [3.9, 3],
      [-3.9, -3],
      [-0.5, 0],
      [new JsonNumber('4.9999999999999999999'), 4],
      [new JsonNumber('12345678901234567.5'), new JsonNumber('12345678901234567')],
      [new JsonNumber('1e400'), undefined],
      [null, undefined],
    ])('A15: a duration of %s is cut toward zero: %s', (value, latency) => {
      expect(read(steps(step(1, { metric: { llm_infer_ms: value } })), '/0/turns/0/latency_ms')).toEqual(
        latency,
      );
    });

    test('A15: a foreign one is filled from its other names, with null where there is no source', () => {
      const one = story([{ metrics: { prompt_tokens: 3, finish_reason: 'stop' } }]);
      expect(getPointer(written([one]).document, `${STEPS}/0/metric`)).toEqual({
        prompt_tokens: 3,
        finish_reason: 'stop',
        prompt_tokens_len: 3,
        completion_tokens_len: null,
        llm_infer_ms: null,
        env_action_ms: null,
        stop_reason: 'stop',
      });
    });
  });

  test('A16: times of trajectory and steps are required and not blank', () => {
    for (const time of ['', ' ', null, undefined, 5, 'yesterday']) {
      const times = { started_at: time as Json, finished_at: '2026-08-01T00:00:00Z' };
      const { started_at: _, ...rest } = step(1);
      const bare: { [key: string]: Json } = { ...rest };
      if (time !== undefined) bare.started_at = time;
      expect(rejected(steps(bare))).toHaveLength(1);
      const trajectory = {
        schema_version: 'ACTF_v1.0',
        steps: [],
        ...(time === undefined ? { finished_at: times.finished_at } : times),
      };
      expect(rejected(task({ '1': attempt(trajectory) }))).toHaveLength(1);
    }
  });

  test('A17: a result goes to the step whose call it answers, else to its own step without a reference', () => {
    const one = story([
      { tool_calls: [{ tcid: 'c1', fn: 'f', args: {} }] },
      {
        observation: {
          results: [
            { source_call_id: 'c1', content: 'late' },
            { source_call_id: 'gone', content: 'stray' },
          ],
        },
      },
    ]);
    const { document, issues } = written([one]);
    expect(getPointer(document, `${STEPS}/0/observation`)).toEqual([
      { content: 'late', tool_use_id: 'c1', type: 'tool_result' },
    ]);
    expect(getPointer(document, `${STEPS}/1/observation`)).toEqual([{ content: 'stray' }]);
    expect(told(issues, 'actf/no-slot')).toContain('loss actf/no-slot /turns/1/observation/results/1');
  });

  test('A18: a step is autonomous when either list has calls', () => {
    const tool = { name: 'f', input: {} };
    expect(read(steps(step(1, { tools: [tool] })), '/0/turns/0/kind')).toBe('autonomous');
    expect(read(steps(step(1, { assistant_content: { tool_calls: [tool] } })), '/0/turns/0/kind')).toBe(
      'autonomous',
    );
    expect(read(steps(step(1)), '/0/turns/0/kind')).toBeUndefined();
  });

  test('A19: argument forms that were not chosen are consumed; one that differs is a loss', () => {
    const tool = {
      id: 'c1',
      name: 'f',
      input: { a: 1 },
      arguments: { a: 1 },
      command: 'ls',
      function: { name: 'g', arguments: { a: 2 } },
    };
    const { storylines, issues } = accepted(
      steps(step(1, { tools: [tool], assistant_content: { tool_calls: [tool] } })),
    );
    expect(storylines[0]?.unknown_fields).toBeUndefined();
    expect(told(issues)).toEqual([
      `loss actf/unused-argument-form ${STEPS}/0/tools/0/function/arguments`,
      `loss actf/unused-argument-form ${STEPS}/0/tools/0/command`,
      `loss actf/unused-function-name ${STEPS}/0/tools/0/function/name`,
    ]);
    expect(getPointer(written(storylines).document, `${STEPS}/0/tools`)).toEqual([
      { id: 'c1', name: 'f', input: { a: 1 } },
    ]);
  });
});
