import {
  type Cell,
  COLUMNS,
  type Column,
  canonicalJson,
  collectIssues,
  contentHash,
  fromRows,
  type Json,
  JsonNumber,
  parseJson,
  type RowIdentity,
  type Storyline,
  storylineToJson,
  stringify,
  toRows,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStoryline } from '../arbitrary-storyline.ts';

const identity: RowIdentity = {
  documentKey: 'key',
  ingestId: 'ingest',
  revision: 1n,
  ingestedAt: 1_700_000_000_000_000_000n,
  sourceId: 'source',
  storageOrdinal: 0n,
};

function throughRows(story: Storyline): Storyline | undefined {
  const rows = toRows(story, identity);
  const { report, issues } = collectIssues();
  const back = fromRows(rows.run, [...rows.steps()].reverse(), [...rows.toolCalls()].reverse(), report);
  expect(issues).toEqual([]);
  return back;
}

function checkTypes(columns: readonly Column[], row: { readonly [column: string]: Cell }): void {
  expect(Object.keys(row).sort()).toEqual(columns.map((column) => column.name).sort());
  for (const column of columns) {
    const cell = row[column.name];
    if (cell === null) {
      expect(column.nullable, column.name).toBe(true);
      continue;
    }
    const types = {
      utf8: 'string',
      int64: 'bigint',
      timestamp_ns: 'bigint',
      float64: 'number',
      bool: 'boolean',
    };
    expect(typeof cell, column.name).toBe(types[column.type]);
    if (typeof cell === 'string') expect(/\p{Surrogate}/u.test(cell), column.name).toBe(false);
    if (typeof cell === 'bigint') expect(BigInt.asIntN(64, cell), column.name).toBe(cell);
    if (typeof cell === 'string' && column.name.endsWith('_json')) JSON.parse(cell);
  }
}

function story(turns: Storyline['turns'], head: Partial<Storyline> = {}): Storyline {
  return { schema_version: 'storyline/v1', session: 's', agent: { id: 'a' }, turns, ...head };
}

describe('rows', () => {
  test('any Storyline comes back from its rows, in any order, and every cell has the type of its column', () => {
    fc.assert(
      fc.property(anyStoryline, (original) => {
        const rows = toRows(original, identity);
        checkTypes(COLUMNS.runs, rows.run);
        for (const row of rows.steps()) checkTypes(COLUMNS.steps, row);
        for (const row of rows.toolCalls()) checkTypes(COLUMNS.tool_calls, row);
        const back = throughRows(original);
        expect(back && canonicalJson(storylineToJson(back))).toBe(canonicalJson(storylineToJson(original)));
      }),
      { numRuns: 200 },
    );
  });

  test('NaN in a value is null in its cell and exact in exact_json', () => {
    const original = story([{ id: 1, src: 'agent', msg: { a: [new JsonNumber('NaN'), 1] } }]);
    const [step] = toRows(original, identity).steps();
    expect(step?.message_json).toBe('{"a":[null,1]}');
    expect(JSON.parse(step?.exact_json ?? '')).toEqual({ message_json: '{"a":[NaN,1]}' });
    expect(throughRows(original)).toEqual(original);
  });

  test('the logical columns of the reference are there under their names', () => {
    const names = (columns: readonly Column[]): string[] => columns.map((column) => column.name);
    expect(names(COLUMNS.runs)).toEqual(
      expect.arrayContaining(
        'schema_version origin_json document_id storage_ordinal trajectory_id_explicit run_id attempt_id session_id agent_id agent_name agent_version agent_model_name agent_tool_definitions_json agent_extra_json parent_json child_session_ids_json notes final_metrics_json continued_trajectory_ref extra_json meta_json unknown_fields_json unknown_key_counts_json task_json started_at_json finished_at_json prompt_json'.split(
          ' ',
        ),
      ),
    );
    expect(names(COLUMNS.steps)).toEqual(
      expect.arrayContaining(
        'document_id run_id session_id step_id turn_ordinal kind effective_kind timestamp timestamp_source_json source message_json reasoning_content reasoning_effort_json metrics_json model_name llm_call_count is_copied_context latency_ms ttft_ms had_tool_calls had_observation observation_json extra_json env_json finished_at_json prompt_json'.split(
          ' ',
        ),
      ),
    );
    expect(names(COLUMNS.tool_calls)).toEqual(
      expect.arrayContaining(
        'document_id run_id session_id step_id call_index tool_call_id function_name arguments_json result_json results_json duration_ms extra_json kind response_json'.split(
          ' ',
        ),
      ),
    );
  });

  test('promotions: outcome, tokens without copied context, times, failed calls', () => {
    const { run, toolCalls } = toRows(
      story(
        [
          {
            id: 1,
            src: 'user',
            msg: 'q',
            copied: true,
            ts: '2020-01-01T00:00:00Z',
            metrics: { prompt_tokens: 1000 },
          },
          {
            id: 2,
            src: 'agent',
            msg: '',
            ts: '2026-01-01T00:00:00Z',
            finished_at: 1767225601.5,
            metrics: { prompt_tokens_len: 10, completion_tokens_len: 3 },
            tool_calls: [
              { tcid: 'a', fn: 'f', args: {}, response: { exit_code: 1 } },
              { tcid: 'b', fn: 'f', args: {}, response: { status: 'completed' } },
              { tcid: 'c', fn: 'f', args: {} },
              { tcid: 'd', fn: 'f', args: {} },
            ],
            observation: {
              results: [
                { source_call_id: 'd', is_error: true },
                { source_call_id: 'b', content: 'x' },
              ],
            },
          },
          { id: 3, src: 'agent', msg: '', metrics: { usage: { input_tokens: 5 } } },
        ],
        {
          task: { result: { correct: false, score: new JsonNumber('0.50'), status: 'done' } },
          origin: { format: 'actf' },
        },
      ),
      identity,
    );
    expect(run).toMatchObject({
      outcome: 'incorrect',
      correct: false,
      score: 0.5,
      status: 'done',
      source_format: 'actf',
      step_count: 3n,
      tool_call_count: 4n,
      failed_tool_call_count: 2n,
      prompt_tokens: 15n,
      completion_tokens: 3n,
      first_time: 1_767_225_600_000_000_000n,
      last_time: 1_767_225_601_500_000_000n,
    });
    expect([...toolCalls()].map((row) => [row.failed, row.has_result, row.results_json])).toEqual([
      [true, false, '[]'],
      [false, true, '[{"source_call_id":"b","content":"x"}]'],
      [null, false, '[]'],
      [true, true, '[{"source_call_id":"d","is_error":true}]'],
    ]);
  });

  test('a call is answered, and has failed, by a result in any turn; results_json holds those of its own', () => {
    const turns = [
      {
        id: 1,
        src: 'agent',
        msg: null,
        tool_calls: ['a', 'b', 'c'].map((tcid) => ({ tcid, fn: 'f', args: {} })),
      },
      { id: 2, src: 'tool', msg: null, observation: { results: [{ source_call_id: 'a', content: '17' }] } },
      { id: 3, src: 'tool', msg: null, observation: { results: [{ tool_call_id: 'b', is_error: true }] } },
    ];
    const { run, toolCalls } = toRows(story(turns), identity);
    expect(run.failed_tool_call_count).toBe(1n);
    expect([...toolCalls()].map((row) => [row.failed, row.has_result, row.results_json])).toEqual([
      [null, true, '[]'],
      [true, true, '[]'],
      [null, false, '[]'],
    ]);
  });

  test.each([
    ['a turn is missing', (rows: Parts) => rows.steps.splice(0, 1)],
    ['a turn is there twice', (rows: Parts) => rows.steps.push(rows.steps[0] as (typeof rows.steps)[0])],
    ['a call is missing', (rows: Parts) => rows.calls.splice(0, 1)],
    ['a call is there twice', (rows: Parts) => rows.calls.push(rows.calls[0] as (typeof rows.calls)[0])],
    [
      'a call of no turn',
      (rows: Parts) => rows.calls.push({ ...rows.calls[0], turn_ordinal: 99n } as (typeof rows.calls)[0]),
    ],
    [
      'a row of another ingest',
      (rows: Parts) =>
        rows.steps.splice(0, 1, { ...rows.steps[0], ingest_id: 'other' } as (typeof rows.steps)[0]),
    ],
    [
      'text that is no JSON',
      (rows: Parts) =>
        rows.steps.splice(0, 1, { ...rows.steps[0], message_json: '{' } as (typeof rows.steps)[0]),
    ],
    [
      'an absurd ordinal',
      (rows: Parts) =>
        rows.steps.splice(0, 1, { ...rows.steps[0], turn_ordinal: 2n ** 60n } as (typeof rows.steps)[0]),
    ],
  ])('%s: an error, no repair', (_name, damage) => {
    const rows = toRows(
      story([
        {
          id: 1,
          src: 'agent',
          msg: 1,
          tool_calls: [
            { tcid: 'a', fn: 'f', args: 1 },
            { tcid: 'b', fn: 'f', args: 1 },
          ],
        },
        { id: 2, src: 'agent', msg: 1 },
      ]),
      identity,
    );
    const parts = { steps: [...rows.steps()], calls: [...rows.toolCalls()] };
    damage(parts);
    const { report, issues } = collectIssues();
    expect(fromRows(rows.run, parts.steps, parts.calls, report)).toBeUndefined();
    expect(issues.map((issue) => issue.code)).toContain('storyline/bad-row');
  });
});

interface Parts {
  steps: ReturnType<typeof toRows> extends { steps(): Iterable<infer Row> } ? Row[] : never;
  calls: ReturnType<typeof toRows> extends { toolCalls(): Iterable<infer Row> } ? Row[] : never;
}

describe('content hash (G20)', () => {
  const base = story([{ id: 1, src: 'agent', msg: 1 }], {
    origin: { format: 'actf', document_id: 'one.json' },
    unknown_fields: { sources: { actf: { source_document_id: 't', fields: { '/x': 1 } } } },
    unknown_key_counts: { actf: { '/x': 1 } },
  });

  test('does not see where the source file is', () => {
    const moved = {
      ...base,
      origin: { format: 'actf', document_id: 'two.json' },
      unknown_fields: {
        sources: { actf: { source_document_id: 'u', fields: { '/x': new JsonNumber('1') } } },
      },
    };
    expect(contentHash(moved)).toBe(contentHash(base));
    expect(contentHash({ ...base, origin: { format: 'actf' } })).toBe(contentHash(base));
  });

  test('G20: sees every other change, a kept float among them', () => {
    const hashes = [
      base,
      { ...base, origin: { format: 'other', document_id: 'one.json' } },
      { ...base, notes: '' },
      {
        ...base,
        unknown_fields: {
          sources: { actf: { source_document_id: 't', fields: { '/x': new JsonNumber('1.0') } } },
        },
      },
      { ...base, unknown_fields: { sources: { other: { source_document_id: 't', fields: { '/x': 1 } } } } },
    ].map(contentHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

test('G2: a whole number comes back as it was written: -0, 2.0, 3e2, beyond 64 bits', () => {
  const ids = [
    -0,
    new JsonNumber('2.0'),
    new JsonNumber('3e2'),
    new JsonNumber('18446744073709551616'),
  ] as const;
  const back = throughRows(story(ids.map((id) => ({ id, src: 'agent', msg: 'm', latency_ms: id }))));
  expect(back?.turns.map(({ id }) => stringify(id))).toEqual(['-0', '2.0', '3e2', '18446744073709551616']);
  expect(back?.turns.map(({ latency_ms }) => stringify(latency_ms ?? null))).toEqual(
    ids.map((id) => stringify(id)),
  );
});

describe('G2: a number in a JSON cell is read as exactly as by the exact parser', () => {
  /** `msg` of a step whose cell is replaced by some text; `undefined` when that is refused. */
  const read = (text: string): Json | undefined => {
    const rows = toRows(story([{ id: 1, src: 'agent', msg: 'm' }]), identity);
    const steps = [...rows.steps()].map((row) => ({ ...row, message_json: text }));
    return fromRows(rows.run, steps, [], () => undefined)?.turns[0]?.msg;
  };
  const exactly = (text: string): Json | undefined =>
    parseJson(text, { keepFloats: true, nonFinite: 'keep' }).value;
  const shown = (value: Json | undefined): string => (value === undefined ? 'refused' : stringify(value));
  const check = (token: string): void => {
    for (const text of [token, `[${token}]`, `{"a":"b","n":[1,${token},"1.5e3"]}`]) {
      const [found, wanted] = [read(text), exactly(text)];
      // The same text, and the same kind of number: a JsonNumber only where a double would not do.
      expect(shown(found), text).toBe(shown(wanted));
      expect(found, text).toEqual(wanted);
    }
  };

  test.each([
    '-0',
    '-0.0',
    '0.0',
    '1.0',
    '1.50',
    '1.00000',
    '100',
    '1e5',
    '1E5',
    '1e-7',
    '0.1',
    '0.30000000000000004',
    '123456789012345',
    '999999999999999',
    '9007199254740993',
    '12345678901234567890',
    '1234567.12345678',
    '12345678.12345678',
    '0.000001',
    '0.0000000000001',
    '1.7976931348623157e308',
    '1e400',
    '5e-324',
    'NaN',
    '-Infinity',
    '01',
    '1.',
    '.5',
    '+1',
    '--1',
  ])('%s', check);

  test('any token', () => {
    const tokens = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/);
    fc.assert(fc.property(tokens, check), { numRuns: 200 });
  });
});
