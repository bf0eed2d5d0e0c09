import {
  bytesSource,
  exportValue,
  getOwn,
  importStorylines,
  type Json,
  JsonNumber,
  type JsonObject,
  parseJson,
  type Storyline,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { readLayout } from '../src/history/layout.ts';
import { readItems } from '../src/history/recipe.ts';
import { exportOpenaiMessages, importOpenaiMessages, openaiMessages } from '../src/index.ts';
import { calling, comesBack, message, read, result, roundTrip, row, write } from './support/rows.ts';

const q = message('user', 'q');
const agent = (id: number, msg: Json, more: Partial<Storyline['turns'][number]> = {}) => ({
  id,
  src: 'agent',
  msg,
  ...more,
});
const foreign = (turns: readonly unknown[], more: Partial<Storyline> = {}): Storyline =>
  ({ schema_version: 'storyline/v1', session: 's1', agent: { id: 'ag' }, turns, ...more }) as Storyline;

describe('O1: tool results', () => {
  const call = calling(null, ['c1', 'look', '{}']);
  const loop = [
    row(1, [q], call),
    row(2, [q, call, result('c1', 'r1')], calling('', ['c2', 'look', '{}'])),
    row(
      3,
      [q, call, result('c1', 'r1'), calling('', ['c2', 'look', '{}']), result('c2', 'r2')],
      message('assistant', 'done'),
    ),
  ];

  test('O1: a result is on the turn of the row that brings it, and history adds nothing', () => {
    const { at, layout } = read(loop);
    expect(at('/turns/1/observation')).toBeUndefined();
    expect(at('/turns/3/observation/results')).toEqual([{ source_call_id: 'c1', content: 'r1' }]);
    expect(at('/turns/5/observation/results')).toEqual([{ source_call_id: 'c2', content: 'r2' }]);
    expect(layout).toBeUndefined();
    comesBack(loop);
  });

  test('O1: equal results count by multiplicity', () => {
    const { at } = read([
      row(1, [q, result('c1', 'same')], call),
      row(
        2,
        [q, result('c1', 'same'), call, result('c1', 'same'), message('user', 'next')],
        message('assistant', 'b'),
      ),
    ]);
    expect(at('/turns/1/observation/results')).toHaveLength(1);
    expect(at('/turns/3/observation/results')).toEqual([{ source_call_id: 'c1', content: 'same' }]);
  });

  test('O1: a result is written after the call it answers, also when it comes late', () => {
    const story = foreign([
      { id: 1, src: 'user', msg: 'q' },
      agent(2, null, {
        tool_calls: [
          { tcid: 'c1', fn: 'f', args: {} },
          { tcid: 'c2', fn: 'f', args: {} },
        ],
      }),
      { id: 3, src: 'user', msg: 'wait' },
      agent(4, 'ok', {
        observation: {
          results: [
            { source_call_id: 'c2', content: 2 },
            { source_call_id: 'c1', content: 1 },
          ],
        },
      }),
    ]);
    const { rows } = write([story]);
    const [, second] = rows.map((one) => one.messages as readonly { role: string; tool_call_id?: string }[]);
    const roles = (second ?? []).map((one) => one.tool_call_id ?? one.role);
    expect(roles).toEqual(['user', 'assistant', 'c2', 'c1', 'user']);
  });

  test('O1: results on the asking turn stand in the next row; no row shows its response before it, so those of the last turn are a loss that --carry mends', () => {
    const own = (id: string) => ({
      tool_calls: [{ tcid: id, fn: 'f', args: {} }],
      observation: { results: [{ source_call_id: id, content: id }] },
    });
    const story = foreign([
      { id: 1, src: 'user', msg: 'q' },
      agent(2, 'a', own('c1')),
      agent(4, 'b', own('c2')),
    ]);
    const { rows, issues } = write([story]);
    const shown = rows.map((one) =>
      (one.messages as readonly { role: string; tool_call_id?: string }[]).map(
        (m) => m.tool_call_id ?? m.role,
      ),
    );
    expect(shown).toEqual([['user'], ['user', 'assistant', 'c1']]);
    expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
    expect(issues).toContainEqual(
      expect.objectContaining({
        code: 'core/not-expressible',
        severity: 'loss',
        at: expect.objectContaining({ pointer: '/turns/2/observation/results/0' }),
        message: expect.stringContaining('no row follows the last response'),
      }),
    );
    expect(read(rows).at('/turns/3/observation/results')).toEqual([{ source_call_id: 'c1', content: 'c1' }]);
    const carried = exportOpenaiMessages([story], { carry: true });
    expect(importOpenaiMessages(carried.text).storylines).toEqual([story]);
  });
});

describe('O2: rows and messages back in place', () => {
  const a = (text: string) => message('assistant', text);

  test('O2: plain rows need no layout', () => {
    const { layout, story } = read([row(1, [q], a('x')), row(2, [q, a('x'), message('user', 'q2')], a('y'))]);
    expect(layout).toBeUndefined();
    expect(story.unknown_fields).toBeUndefined();
  });

  test('O2: interleaved and unsorted rows come back where they were', () => {
    comesBack([
      { session_id: 'b', step_id: 2, messages: [q, a('x'), message('user', 'w')], response: a('y'), v: 1 },
      { session_id: 'a', step_id: 1, messages: [q], response: a('1') },
      { session_id: 'b', step_id: 1, messages: [q], response: a('x') },
      { session_id: 'c', step_id: 1, messages: [q], response: a('2'), v: { deep: [1] } },
      { session_id: 'a', step_id: 2, messages: [q, a('1'), message('user', 'z')], response: a('3') },
    ]);
  });

  test('O2: sliding windows of history keep their size, in one line of layout', () => {
    const script = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? message('user', `u${index}`) : a(`a${index}`),
    );
    const rows = [1, 3, 5, 7, 9, 11].map((end, index) =>
      row(index + 1, [message('system', 'S'), ...script.slice(Math.max(0, end - 3), end)], script[end]),
    );
    const { layout } = read(rows);
    expect(layout).toEqual({
      version: 2,
      rows: 6,
      recipes: [[2, 4, { messages: [['kept', 0, -4], ['kept', -2, 0], 'user'] }]],
    });
    comesBack(rows);
  });

  test('O2: histories that repeat the reasoning, or leave unknown keys or null contents out, have one recipe', () => {
    const rows = (copy: (given: JsonObject) => JsonObject) => {
      const history: JsonObject[] = [message('user', 'q', { at: 0 })];
      return [1, 2, 3, 4, 5, 6].map((step) => {
        const response: JsonObject = {
          ...calling(null, [`c${step}`, 'f', '{}']),
          reasoning_content: `r${step}`,
        };
        const given = row(
          step,
          history.map((one, index) => (index >= 2 * step - 2 ? one : copy(one))),
          response,
        );
        history.push(response, result(`c${step}`, step, { at: step }));
        return given;
      });
    };
    const forms: readonly ((given: JsonObject) => JsonObject)[] = [
      (given) => given,
      ({ reasoning_content: _, at: __, ...rest }) => rest,
      ({ reasoning_content: _, content, ...rest }) =>
        content === null ? rest : { ...rest, content: content ?? null },
    ];
    for (const form of forms) {
      const { layout } = read(rows(form));
      // Six rows: the first ones, and all others.
      const { recipes } = layout as { readonly recipes: readonly Json[] };
      expect(recipes.length).toBeLessThan(3);
      comesBack(rows(form));
    }
  });

  /** The loop of an agent that edits its context: `gone` steps behind a step its observation is only a note, its reasoning left out. */
  function editedLoop(steps: number, gone: (step: number) => number, reason = true): readonly JsonObject[] {
    const calls = (step: number, thinks: boolean): JsonObject => ({
      ...calling(`t${step}`, [`c${step}`, 'f', '{}']),
      ...(thinks && reason ? { reasoning_content: `because ${step}` } : {}),
    });
    return Array.from({ length: steps }, (_, index) => {
      const history = [message('system', 'S'), q];
      for (let step = 1; step <= index; step += 1) {
        const old = index - step >= gone(step);
        history.push(calls(step, !old));
        history.push(result(`c${step}`, old ? `(${step % 9} lines omitted)` : `result ${step}`));
      }
      return row(index + 1, history, calls(index + 1, true));
    });
  }

  test('O2: observations that are left out after a while cost one recipe, however long the session', () => {
    const rows = editedLoop(40, () => 5);
    comesBack(rows);
    const { recipes } = read(rows).layout as { readonly recipes: readonly Json[] };
    expect(recipes).toHaveLength(3);
    expect(recipes[2]).toEqual([
      6,
      34,
      {
        messages: [
          ['kept', 0, -11],
          ['kept', -11, -10, 0],
          'tool',
          ['kept', -9, -2],
          ['kept', -2, 0, 1],
          'tool',
        ],
      },
    ]);
  });

  test('O2: what is left out now and then costs its edits, not its edits again in each row behind them', () => {
    const rows = editedLoop(150, (step) => 2 + ((step * 7) % 23));
    comesBack(rows);
    // Some two edits in each row, each told once. Written anew in each row behind it, they would be 190,000 bytes.
    expect(JSON.stringify(read(rows).layout).length).toBeLessThan(150 * 120);
  });

  test('O2: layouts of the first version, whose ranges are all of the session, are still read', () => {
    const rows = editedLoop(9, () => 5, false);
    const { story } = read(rows);
    const recipes: Json = [
      [6, 1, { messages: [[0, 3], 'tool', [-9, 9], 'tool'] }],
      [7, 1, { messages: [[0, 3], [13, 1], [4, 1], 'tool', [6, 7], [-2, 2], 'tool'] }],
      [
        8,
        1,
        { messages: [[0, 3], [13, 1], [4, 1], [16, 1], [6, 1], 'tool', [8, 5], [14, 2], [-2, 2], 'tool'] },
      ],
    ];
    const fields = { '/session_steps': { version: 1, rows: 9, recipes } };
    const sources = { 'openai-msg-layout': { source_document_id: 'rows.json', fields } };
    const { rows: written, issues } = write([{ ...story, unknown_fields: { sources } }]);
    expect(issues).toEqual([]);
    expect(written).toEqual(rows);
  });

  test('O2: copies without content and copies whose content is null, side by side in one row, each come back', () => {
    const rows = (first: JsonObject, second: JsonObject, one: JsonObject, other: JsonObject) => [
      row(1, [first, second], a('x')),
      row(2, [[], one, other], a('y')),
    ];
    const bare = { role: 'user' };
    const empty = message('user', null);
    const [, written] = roundTrip(rows(bare, empty, empty, bare));
    expect(written?.messages).toEqual([[], empty, bare]);
    // Whatever the messages were first, and whatever the copies are, of all roles, in rows with and without a request of their own.
    const bases: readonly JsonObject[] = [
      bare,
      { role: 'system' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'c1' },
      { role: 'assistant', tool_calls: calling(null, ['c1', 'f', '{}']).tool_calls as Json },
      { role: 'assistant', refusal: 'no' },
    ];
    let checked = 0;
    for (const base of bases) {
      const forms = [base, { ...base, content: null }, { ...base, content: null, extra: 1 }];
      for (const first of forms)
        for (const second of forms)
          for (const one of forms)
            for (const other of forms) {
              roundTrip(rows(first, second, one, other));
              roundTrip([
                row(1, [q, first, second, q], a('x')),
                row(2, [q, one, other, message('user', 'n')], a('y')),
                row(3, [other, one, message('user', 'm')], a('z')),
              ]);
              checked += 2;
            }
    }
    expect(checked).toBe(2 * 6 * 3 ** 4);
  });

  test('O2: a history with outputs that have no content, and outputs whose content is null, repeats each form', () => {
    const bare = (id: string): JsonObject => {
      const { content: _, ...rest } = calling(null, [id, 'f', '{}']);
      return rest;
    };
    const outputs = (id: string) => [bare(id), calling(null, [id, 'f', '{}'])];
    for (const first of outputs('c1'))
      for (const second of outputs('c2'))
        for (const one of outputs('c1'))
          for (const other of outputs('c2'))
            for (const said of [{ role: 'tool', tool_call_id: 'c1' }, result('c1', null)])
              comesBack([
                row(1, [q], first),
                row(2, [q, one, said], second),
                row(3, [q, one, result('c1', null), other, result('c2', 'r')], a('done')),
                row(4, [q, first, said, other, other, one], a('end')),
              ]);
  });

  test('O2: a layout that does not fit any more is left aside with a warning', () => {
    const { story } = read([
      row(1, [q, a('x')], undefined),
      row(2, [q, a('x'), message('user', 'n')], a('y')),
    ]);
    const { rows, issues } = write([{ ...story, turns: story.turns.slice(0, 2) }]);
    expect(issues.map((issue) => issue.code)).toContain('openai-msg/layout-ignored');
    expect(rows).toEqual([{ session_id: 's1', step_id: 1, messages: [q], response: a('x') }]);
  });

  test('O2: a hostile layout cannot hang or blow up', () => {
    const story = foreign([{ id: 1, src: 'user', msg: 'q' }, agent(2, 'a')], {
      unknown_fields: {
        sources: {
          'openai-msg-layout': {
            source_document_id: 'x',
            fields: {
              '/session_steps': {
                version: 1,
                rows: 1,
                index: [[0, 1e15]],
                recipes: [[0, 1, { messages: Array(1000).fill([0, 1e15]) }]],
              },
            },
          },
        },
      },
    });
    expect(write([story]).issues.map((issue) => issue.code)).toContain('openai-msg/layout-ignored');
  });

  test('O2: a hostile layout cannot name its rows again and again', () => {
    const rows = 20_000;
    const isRead = (recipes: Json): boolean => readLayout({ version: 1, rows, recipes }, rows) !== undefined;
    expect(isRead([[0, rows, {}]])).toBe(true);
    // Twenty thousand times twenty thousand rows would take minutes.
    expect(isRead(Array(rows).fill([0, rows, {}]))).toBe(false);
    expect(
      isRead([
        [5, 1, {}],
        [4, 1, {}],
      ]),
    ).toBe(false);
    expect(isRead([[rows - 1, 2, {}]])).toBe(false);
    const isPlaced = (index: Json): boolean => readLayout({ version: 1, rows, index }, rows) !== undefined;
    expect(isPlaced([[0, rows]])).toBe(true);
    expect(isPlaced(Array(rows).fill([0, rows - 1, 0]))).toBe(false);
  });

  test('O2: a hostile layout cannot have a row repeat the session over and over', () => {
    const none = { items: [], flags: [] };
    expect(readItems([[0, 100], 'user', [3, 1], [3, 1]], 100, none)?.items).toHaveLength(103);
    expect(readItems(Array(50).fill([0, 100]), 100, none)).toBeUndefined();
    const history = { items: [4, 2, 7], flags: [0, 1] };
    const read = (...ranges: readonly Json[]) => readItems(ranges, 9, history);
    expect(read(['kept', 0, 0], ['kept', -2, 0, 2], [-1, 1, 4])).toEqual({
      items: [4, 2, 7, 2, 7, 8],
      flags: [0, 1, 0, 2, 2, 4],
    });
    for (const strange of [
      ['kept', 0, 1],
      ['kept', -4, 0],
      ['kept', -1, -2],
      ['kept', 0.5, -0.5],
      ['kept', {}],
      [8, 2],
      [0, 1e15],
    ])
      expect(read(strange)).toBeUndefined();
    // A row as long as the one before it is no blow-up; a longer one soon is.
    const long = { items: Array(1000).fill(0), flags: [] };
    expect(readItems([['kept', 0, 0]], 1, long)?.items).toHaveLength(1000);
    expect(
      readItems(
        [
          ['kept', 0, 0],
          ['kept', -1, 0],
        ],
        1,
        long,
      ),
    ).toBeUndefined();
  });

  test('O2: a hostile layout cannot place a call far behind the others', () => {
    const call = { tcid: 'c', fn: 'f', args: {} };
    const layout = { version: 1, rows: 1, recipes: [[0, 1, { calls: { '/response': [4e9] } }]] };
    const story = foreign([{ id: 1, src: 'user', msg: 'q' }, agent(2, null, { tool_calls: [call] })], {
      unknown_fields: {
        sources: { 'openai-msg-layout': { source_document_id: 'x', fields: { '/session_steps': layout } } },
      },
    });
    expect(getOwn(write([story]).rows[0]?.response as JsonObject, 'tool_calls')).toHaveLength(1);
  });
});

describe('O3: content-parts strings', () => {
  test.each([
    ['[{"type":"text","text":"x"}]', [{ type: 'text', text: 'x' }]],
    [' {"type":"refusal","refusal":"no"} ', { type: 'refusal', refusal: 'no' }],
    [
      '[{"type":"thinking"},{"type":"tool_use","id":"1"}]',
      [{ type: 'thinking' }, { type: 'tool_use', id: '1' }],
    ],
    ['[1,2]', '[1,2]'],
    ['[]', '[]'],
    ['[{"type":"row"}]', '[{"type":"row"}]'],
    ['[{"type":"text"},1]', '[{"type":"text"},1]'],
    ['{"a":1}', '{"a":1}'],
    ['[{"type":"text"', '[{"type":"text"'],
  ] as const)('O3: %s', (text, wanted) => {
    const { at } = read([row(1, [message('user', text)], message('assistant', 'a'))]);
    expect(at('/turns/0/msg')).toEqual(wanted);
    expect(roundTrip([row(1, [message('user', text)], message('assistant', 'a'))])[0]?.messages).toEqual([
      message('user', wanted),
    ]);
  });
});

describe('O4: embedded markup', () => {
  const calls = (content: Json) =>
    read([row(7, [q], message('assistant', content))]).at('/turns/1/tool_calls');

  test.each([
    [
      '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>',
      [['embedded-7-f', 'f', { a: '1' }]],
    ],
    ['<tool_call>{"name":"f","arguments":{"n":1}}</tool_call>', [['embedded-7-f', 'f', { n: 1 }]]],
    [
      'x<tool_call>{"name":"f","arguments":"{\\"n\\":2}"}</tool_call><tool_call>{"name":"g"}</tool_call>',
      [
        ['embedded-7-f', 'f', { n: 2 }],
        ['embedded-7-g-2', 'g', {}],
      ],
    ],
    [
      '<function=f><parameter=__proto__>p</parameter></function><function=f></function>',
      [
        ['embedded-7-f', 'f', JSON.parse('{"__proto__":"p"}')],
        ['embedded-7-f-2', 'f', {}],
      ],
    ],
    ['<tool_call>f</tool_call>', [['embedded-7-f', 'f', {}]]],
  ] as const)('O4: %s', (content, wanted) => {
    expect(calls(content)).toEqual(wanted.map(([tcid, fn, args]) => ({ tcid, fn, args })));
    comesBack([row(7, [q], message('assistant', content))]);
  });

  test('O4: nothing usable gives no call, and structured calls win', () => {
    expect(calls('<tool_call>{"name":1}</tool_call>')).toBeUndefined();
    expect(calls('<tool_call></tool_call>')).toBeUndefined();
    const both = read([row(1, [q], calling('<function=f></function>', ['c', 'g', '{}']))]);
    expect(both.at('/turns/1/tool_calls')).toEqual([{ tcid: 'c', fn: 'g', args: {} }]);
  });

  test('O4: an id of markup never takes one of the source', () => {
    const { at } = read([
      row(1, [q], message('assistant', '<function=f></function>')),
      row(
        2,
        [q, message('assistant', '<function=f></function>'), message('user', 'n')],
        calling(null, ['embedded-1-f', 'g', '{}']),
      ),
    ]);
    expect(at('/turns/3/tool_calls/0/tcid')).toBe('embedded-1-f');
    expect(at('/turns/1/tool_calls/0/tcid')).toBe('embedded-1-f@2');
  });
});

test('O5: null in a known key is no value and no residual', () => {
  const nulls = {
    agent_id: null,
    agent_model: null,
    run_id: null,
    env_name: null,
    env_id: null,
    dt: null,
    id: null,
    created_at: null,
  };
  const given = row(
    1,
    [message('user', 'q', { name: null, reasoning_content: null })],
    message('assistant', 'a', { refusal: null }),
    {
      ...nulls,
      meta_json: { source: null, env_state: { request_id: null } },
    },
  );
  expect(read([given]).story.unknown_fields).toBeUndefined();
  expect(roundTrip([given])).toEqual([row(1, [q], message('assistant', 'a'))]);
});

describe('O6: containers', () => {
  const rows = [
    row(1, [q], message('assistant', 'a')),
    { ...row(1, [q], message('assistant', 'b')), session_id: 's2' },
  ];
  const texts = {
    array: JSON.stringify(rows),
    document: JSON.stringify({ session_steps: rows }),
    lines: rows.map((one) => `${JSON.stringify(one)}\n`).join('\n'),
  };

  test.each(Object.entries(texts))('O6: %s', async (outer, text) => {
    const sessions: string[] = [];
    for await (const event of importStorylines(bytesSource('rows.json', text), openaiMessages)) {
      if (event.type === 'storyline') sessions.push(event.storyline.session);
      if (event.type === 'end') expect(event.accepted).toBe(true);
    }
    expect(sessions).toEqual(['s1', 's2']);
    const { storylines } = importOpenaiMessages(text, { source: 'rows.json' });
    const written = exportOpenaiMessages(storylines, { outer: outer as 'array' | 'document' | 'lines' });
    expect(written.issues).toEqual([]);
    expect(importOpenaiMessages(written.text, { source: 'rows.json' }).storylines).toEqual(storylines);
  });
});

test('O6: a file of one line is a row; an object that has session_steps is not', () => {
  const one = JSON.stringify(row(1, [q], message('assistant', 'a')));
  expect(importOpenaiMessages(`${one}\n`, { source: 'r.jsonl' }).storylines).toHaveLength(1);
  const both = JSON.stringify({
    session_id: 'root',
    session_steps: [row(1, [q], message('assistant', 'a'))],
  });
  const { storylines } = importOpenaiMessages(both, { source: 'r.json' });
  expect(
    storylines.map((story) => [story.session, story.unknown_fields?.sources['openai-msg']?.fields]),
  ).toEqual([['s1', { '/session_id': 'root' }]]);
});

test('O7: messages of other roles are residuals, key by key, and stand where they stood', () => {
  const developer = { role: 'developer', content: 'be brief', name: null };
  const strange = [
    developer,
    { role: 'function', name: 'f', content: 'r' },
    {},
    null,
    'text',
    { content: 'no role' },
  ];
  const given = [
    row(1, [...strange, q], message('assistant', 'a')),
    row(2, [...strange, q, message('assistant', 'a'), message('user', 'n')], message('assistant', 'b')),
  ];
  const { residuals, at } = read(given);
  expect(getOwn(residuals, '/session_steps/0/messages/0/role')).toBe('developer');
  expect(getOwn(residuals, '/session_steps/0/messages/2')).toEqual({});
  expect(Object.keys(residuals).filter((pointer) => pointer.startsWith('/session_steps/1'))).toEqual([]);
  expect(at('/turns/0/msg')).toBe('q');
  comesBack(given);
});

test('O8: an alias with another value keeps its key, and the run takes one that counts before it', () => {
  const given = row(1, [q], message('assistant', 'a'), {
    run_id: 'R',
    run_bucket: 'B',
    job_id: 'J',
    agent_model: '',
    llm_model: 'm',
    agent_id: 'ag',
  });
  const { story, residuals } = read([given]);
  expect([story.run, story.agent.model]).toEqual(['R', 'm']);
  expect(residuals).toEqual({
    '/session_steps/0/run_bucket': 'B',
    '/session_steps/0/job_id': 'J',
    '/session_steps/0/agent_model': '',
  });
  comesBack([given]);
});

test('O9: no rows is an error', () => {
  for (const empty of ['[]', '{"session_steps":[]}', '{"x":1}']) {
    const { issues, storylines } = importOpenaiMessages(empty, { source: 'rows.json' });
    expect(storylines).toEqual([]);
    expect(issues.map((issue) => [issue.code, issue.severity])).toEqual([['openai-msg/no-rows', 'error']]);
  }
});

test('O10: rows are made one by one, and share their messages', () => {
  const turns = Array.from({ length: 200 }, (_, index) => [
    { id: 2 * index + 1, src: 'user', msg: `question ${index}` },
    agent(2 * index + 2, `answer ${index}`),
  ]).flat();
  const records = openaiMessages.writer?.write(foreign(turns), { root: {} }, () => undefined) ?? [];
  let seen = 0;
  let firstMessage: Json | undefined;
  for (const { value } of records) {
    const messages = getOwn(value as { readonly [key: string]: Json }, 'messages') as readonly Json[];
    firstMessage ??= messages[0];
    expect(messages[0]).toBe(firstMessage);
    expect(messages).toHaveLength(2 * seen + 1);
    seen += 1;
  }
  expect(seen).toBe(200);
});

test('O10: a session that leaves all history out gets it back', () => {
  const given = [
    row(1, [q], message('assistant', 'a')),
    row(2, [message('user', 'n')], message('assistant', 'b')),
  ];
  expect(read(given).story.unknown_fields).toBeUndefined();
  expect(importOpenaiMessages(given).issues).toMatchObject([
    { code: 'openai-msg/history-left-out', severity: 'info', at: { pointer: '/session_steps/1/messages' } },
  ]);
  expect(roundTrip(given)[1]?.messages).toEqual([q, message('assistant', 'a'), message('user', 'n')]);
});

test('O10: a history that is given back has its assistant messages without their reasoning', () => {
  const plain = message('assistant', 'before');
  const thought = { ...plain, reasoning_content: 'r' };
  const answer = message('assistant', 'x');
  // A context message of a session with a request, and a message that is wholly residual in one without.
  for (const first of [[thought, q], [thought]]) {
    const [one, two, three] = roundTrip([
      row(1, first, { ...answer, reasoning_content: 's' }),
      row(2, [message('user', 'n')], answer),
      row(3, [message('user', 'm')], answer),
    ]);
    expect(one?.messages).toEqual(first);
    const history = [plain, ...first.slice(1), answer, message('user', 'n')];
    expect(two?.messages).toEqual(history);
    expect(three?.messages).toEqual([...history, answer, message('user', 'm')]);
  }
});

test('O11: an agent loop repeats its request in the hub, not in the rows', () => {
  const call = calling(null, ['c1', 'f', '{}']);
  const rows = [row(1, [q], call), row(2, [q, call, result('c1', 'r')], message('assistant', 'a'))];
  const { story, layout } = read(rows);
  expect(story.turns.map((turn) => [turn.id, turn.src, turn.msg])).toEqual([
    [1, 'user', 'q'],
    [2, 'agent', null],
    [3, 'user', 'q'],
    [4, 'agent', 'a'],
  ]);
  expect(layout).toBeUndefined();
  comesBack(rows);
  comesBack([row(1, [q], call), row(2, [q, call, result('c1', 'r'), q], message('assistant', 'a'))]);
});

test('O12: an assistant message that was not selected and is no copy is a residual, role, content and all', () => {
  const given = [row(1, [q, calling('older', ['c', 'f', '{}'])], message('assistant', 'a'))];
  const { residuals, story } = read(given);
  expect(residuals).toEqual({
    '/session_steps/0/messages/1/role': 'assistant',
    '/session_steps/0/messages/1/content': 'older',
    '/session_steps/0/messages/1/tool_calls': [
      { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
    ],
  });
  expect(story.turns).toHaveLength(2);
  comesBack(given);
});

test('O13: a copy with the unknown keys of the first occurrence is a copy; other keys are residuals of their own', () => {
  const marked = message('user', 'q', { cache: 1 });
  const a = message('assistant', 'a');
  const rows = (copy: Json) => [
    row(1, [marked], a),
    row(2, [copy, a, message('user', 'n')], message('assistant', 'b')),
  ];
  expect(read(rows(marked)).residuals).toEqual({ '/session_steps/0/messages/0/cache': 1 });
  expect(read(rows(marked)).layout).toBeUndefined();
  expect(read(rows(message('user', 'q', { cache: 2 }))).residuals).toEqual({
    '/session_steps/0/messages/0/cache': 1,
    '/session_steps/1/messages/0/cache': 2,
  });
  for (const copy of [marked, q, message('user', 'q', { cache: 2 })]) comesBack(rows(copy));
});

test('O14: arguments are written raw when they are no JSON, else as JSON text', () => {
  const texts: readonly (readonly [Json, Json, string])[] = [
    ['{ "a" : 1 }', { a: 1 }, '{"a":1}'],
    ['not json', 'not json', 'not json'],
    ['', '', ''],
    ['"3"', '3', '"3"'],
    ['"text"', 'text', 'text'],
    ['null', null, 'null'],
    [{ o: 1 }, { o: 1 }, '{"o":1}'],
  ];
  for (const [source, args, written] of texts) {
    const given = [row(1, [q], calling(null, ['c', 'f', source]))];
    expect(read(given).at('/turns/1/tool_calls/0/args')).toEqual(args);
    expect(roundTrip(given)[0]?.response).toEqual(calling(null, ['c', 'f', written]));
  }
});

test('O15: rows name the model of their own turn; only those of other formats fall back on the agent', () => {
  const rows = [
    row(1, [q], message('assistant', 'a'), { agent_model: 'm' }),
    row(2, [q, message('assistant', 'a'), message('user', 'n')], message('assistant', 'b')),
  ];
  expect(roundTrip(rows).map((one) => one.agent_model)).toEqual(['m', undefined]);
  const story = foreign([{ id: 1, src: 'user', msg: 'q' }, agent(2, 'a'), agent(4, 'b', { model: 'own' })], {
    agent: { id: 'ag', model: 'whole' },
  });
  expect(write([story]).rows.map((one) => one.agent_model)).toEqual(['whole', 'own']);
});

describe('O16: reasoning', () => {
  const thinking = message('assistant', 'a', { reasoning_content: 'hm' });

  test('O16: that of an output is the reason of its turn, that of a context message a residual', () => {
    const given = [
      row(1, [message('user', 'u0'), thinking, q], message('assistant', 'b', { reasoning_content: '' })),
    ];
    const { at, residuals } = read(given);
    expect(residuals).toEqual({ '/session_steps/0/messages/1/reasoning_content': 'hm' });
    expect(at('/turns/3/reason')).toBe('');
    comesBack(given);
  });

  test('O16: a copy keeps the reasoning of its first occurrence, and no other', () => {
    const rows = (copy: Json) => [
      row(1, [q], thinking),
      row(2, [q, copy, message('user', 'n')], message('assistant', 'b')),
    ];
    comesBack(rows(message('assistant', 'a')));
    comesBack(rows(thinking));
    const other = message('assistant', 'a', { reasoning_content: 'other' });
    expect(roundTrip(rows(other))).toEqual(rows(message('assistant', 'a')));
  });
});

test('O17: Storylines of several source files make several documents, which one file cannot hold', () => {
  const from = (source: string) =>
    importOpenaiMessages([row(1, [q], message('assistant', source))], { source }).storylines;
  const { text, issues } = exportOpenaiMessages([...from('a.json'), ...from('b.json')]);
  expect(text).toBe('');
  expect(issues).toMatchObject([{ code: 'core/several-documents', severity: 'error' }]);
  expect(issues[0]?.message).toContain('-o FOLDER');
  expect(
    exportOpenaiMessages([...from('a.json'), ...from('a.json')]).issues.map((issue) => issue.code),
  ).not.toContain('core/several-documents');
});

describe('G2, G3, G4: exactness', () => {
  test('G2: every digit comes back, inside of texts too', () => {
    const text = `[{"session_id":"s1","step_id":1,"messages":[{"role":"user","content":{"n":9007199254740993}}],"response":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"n\\":1786000000123456789,\\"e\\":1e400}"}}]},"vendor":[-0,1e400],"reward":12345678901234567890}]`;
    const { storylines } = importOpenaiMessages(text, { source: 'rows.json' });
    const written = exportOpenaiMessages(storylines).text;
    for (const token of [
      '{"n":9007199254740993}',
      '{\\"n\\":1786000000123456789,\\"e\\":1e400}',
      '[-0,1e400]',
      '12345678901234567890',
    ])
      expect(written).toContain(token);
  });

  test('G2: steps beyond 2^53 are counted exactly, and beyond 64 bits refused', () => {
    const step = new JsonNumber('4611686018427387903');
    const { story } = read([{ ...row(1, [q], message('assistant', 'a')), step_id: step }]);
    expect(String(story.turns[1]?.id)).toBe('9223372036854775806');
    expect(String(write([story]).rows[0]?.step_id)).toBe('4611686018427387903');
    const { issues } = importOpenaiMessages(
      [{ ...row(1, [q], message('assistant', 'a')), step_id: new JsonNumber('4611686018427387904') }],
      { source: 'r' },
    );
    expect(issues).toMatchObject([
      { code: 'openai-msg/turn-id-overflow', at: { pointer: '/session_steps/0/step_id' } },
    ]);
  });

  test('G3, G4: lone surrogates, NUL and hostile keys are ordinary data', () => {
    const hostile = parseJson('{"__proto__":{"x":1},"constructor":1,"":2,"a/b~c":[null]}').value as {
      readonly [key: string]: Json;
    };
    const given = [
      row(1, [message('user', '\ud800\u0000', hostile)], message('assistant', 'a', hostile), hostile),
    ];
    expect(roundTrip(given)).toEqual(given);
    expect((Object.prototype as { x?: unknown }).x).toBeUndefined();
  });
});

test('G5: a key that stands twice inside of a text is told', () => {
  const given = [row(1, [q], calling(null, ['c', 'f', '{"a":1,"a":2}']), { meta_json: '{"k":1,"k":2}' })];
  const found = read(given).issues.filter((issue) => issue.code === 'openai-msg/repeated-key-in-text');
  expect(found.map((issue) => issue.at.pointer).sort()).toEqual([
    '/session_steps/0/meta_json',
    '/session_steps/0/response/tool_calls/0/function/arguments',
  ]);
});

test('G5: so is one in the arguments of a context message, in a content of parts, and in the text of env_state', () => {
  const twice = '{"a":1,"a":2}';
  const part = '{"type":"text","text":"x","text":"y"}';
  const given = [
    row(
      1,
      [
        calling(null, ['c0', 'f', twice]),
        message('user', part),
        message('user', twice),
        message('user', part),
      ],
      message('assistant', `[${part}]`),
      { meta_json: { env_state: '{"endpoint":"a","endpoint":"b"}' } },
    ),
  ];
  const found = read(given).issues.filter((issue) => issue.code === 'openai-msg/repeated-key-in-text');
  expect(found.map((issue) => issue.at.pointer).sort()).toEqual([
    '/session_steps/0/messages/0/tool_calls/0/function/arguments',
    '/session_steps/0/messages/1/content',
    '/session_steps/0/messages/3/content',
    '/session_steps/0/meta_json/env_state',
    '/session_steps/0/response/content',
  ]);
});

test('G9: a root key counts once in its file, however many sessions that has', async () => {
  const rows = ['a', 'b', 'c'].map((session) => ({
    ...row(1, [q], message('assistant', 'x')),
    session_id: session,
  }));
  const text = JSON.stringify({ session_steps: rows, vendor: 1 });
  const expected = [
    expect.objectContaining({ code: 'core/unknown-key', message: expect.stringContaining('found once') }),
  ];
  expect(importOpenaiMessages(text).issues).toEqual(expected);
  const streamed: unknown[] = [];
  for await (const event of importStorylines(bytesSource('rows.json', text), openaiMessages))
    if (event.type === 'issue') streamed.push(event.issue);
  expect(streamed).toEqual(expected);
});

describe('G11: reused call ids', () => {
  test('G11: a later call is qualified with its turn, results follow it, and the source id comes back', () => {
    const call = (args: string) => calling(null, ['c', 'f', args]);
    const rows = [
      row(1, [q], call('{"n":1}')),
      row(2, [q, call('{"n":1}'), result('c', 'r1')], call('{"n":2}')),
      row(
        3,
        [q, call('{"n":1}'), result('c', 'r1'), call('{"n":2}'), result('c', 'r2')],
        message('assistant', 'a'),
      ),
    ];
    const { at, residuals, issues } = read(rows);
    expect(at('/turns/3/tool_calls/0/tcid')).toBe('c@4');
    expect(at('/turns/3/observation/results/0/source_call_id')).toBe('c');
    expect(at('/turns/5/observation/results/0/source_call_id')).toBe('c@4');
    expect(residuals).toEqual({
      '/session_steps/1/response/tool_calls/0/id': 'c',
      '/session_steps/2/messages/4/tool_call_id': 'c',
    });
    expect(issues.map((issue) => issue.code)).toContain('openai-msg/reused-call-id');
    comesBack(rows);
  });

  test('G11: many equal ids in one message stay small', () => {
    const calls = Array.from({ length: 3000 }, () => ['c', 'f', '{}'] as const);
    const { story } = read([row(1, [q], calling(null, ...calls))]);
    const ids = (story.turns[1]?.tool_calls ?? []).map((call) => call.tcid);
    expect(new Set(ids).size).toBe(3000);
    expect(Math.max(...ids.map((id) => id.length))).toBeLessThan(60);
  });
});

test('G14: with carry, what rows cannot express comes back exactly', () => {
  const story = foreign(
    [
      agent(1, 'a', {
        finished_at: '2026-01-01T00:00:00Z',
        prompt: { system: 'S', user: 'U' },
        effort: 'high',
      }),
      agent(2, 'b', { extra: { x: 1 } }),
    ],
    { task: { result: { correct: true } }, attempt_id: '7', notes: 'n', started_at: 1785329600 },
  );
  const { value, issues } = exportValue(openaiMessages, [story], { carry: true });
  expect(issues.every((issue) => issue.severity === 'info')).toBe(true);
  expect(importOpenaiMessages(value ?? null, { source: 'x.json' }).storylines).toEqual([story]);
  const plain = exportValue(openaiMessages, [story]);
  const lost = plain.issues.filter((issue) => issue.severity === 'loss').map((issue) => issue.at.pointer);
  expect(lost).toEqual(
    expect.arrayContaining([
      '/task',
      '/attempt_id',
      '/notes',
      '/started_at',
      '/turns/0/effort',
      '/turns/0/finished_at',
      '/turns/0/prompt',
      '/turns/1/extra',
    ]),
  );
});

test('prompts make usable rows: a system message in front, the user prompt behind it, once', () => {
  const story = foreign(
    [
      agent(1, 'a', {
        tool_calls: [{ tcid: 'c', fn: 'f', args: {} }],
        observation: { results: [{ source_call_id: 'c', content: 'r' }] },
      }),
      agent(2, 'b'),
    ],
    {
      prompt: { system: 'S', user: 'U' },
    },
  );
  expect(write([story]).rows.map((one) => one.messages)).toEqual([
    [message('system', 'S'), message('user', 'U')],
    [message('system', 'S'), message('user', 'U'), calling('a', ['c', 'f', '{}']), result('c', 'r')],
  ]);
});

describe('calls that a text spells', () => {
  const spelling = '<function=f></function>';
  const spoken = message('assistant', spelling);
  const done = message('assistant', 'done');

  test('O1, O4: a result behind a call in a text answers it, and the call keeps its id', () => {
    const given = [row(1, [q], spoken), row(2, [q, spoken, result('embedded-1-f', 'R')], done)];
    const { at } = read(given);
    expect(at('/turns/1/tool_calls/0/tcid')).toBe('embedded-1-f');
    expect(at('/turns/3/observation/results')).toEqual([{ source_call_id: 'embedded-1-f', content: 'R' }]);
    comesBack(given);
    comesBack([
      row(1, [q], spoken),
      row(2, [q, spoken, message('user', 'n'), result('embedded-1-f', 'R')], done),
    ]);
    comesBack([
      row(1, [q, result('embedded-1-f', 'R')], spoken),
      row(2, [q, spoken, message('user', 'n')], done),
    ]);
  });

  test('O1, O4: the result of a call in a text stands behind its message, never before it', () => {
    const story = foreign([
      { id: 1, src: 'user', msg: 'q' },
      agent(2, spelling, {
        tool_calls: [{ tcid: 'embedded-1-f', fn: 'f', args: {} }],
        observation: { results: [{ source_call_id: 'embedded-1-f', content: 'R' }] },
      }),
      agent(3, 'done'),
    ]);
    expect(write([story]).rows.map(({ messages }) => messages)).toEqual([
      [q],
      [q, spoken, result('embedded-1-f', 'R')],
    ]);
  });

  test('O4: a refusal is never searched for calls', () => {
    const refusing = { role: 'assistant', content: null, refusal: '<function=rm></function>' };
    const { at } = read([row(1, [q], refusing)]);
    expect(at('/turns/1/msg')).toBe('<function=rm></function>');
    expect(at('/turns/1/tool_calls')).toBeUndefined();
    expect(at('/turns/1/kind')).toBe('llm.response');
  });
});

test('O1: of another format, the result of a later call is a loss', () => {
  const story = foreign([
    { id: 1, src: 'user', msg: 'q' },
    agent(2, 'a1', { observation: { results: [{ source_call_id: 'c2', content: 'R' }] } }),
    agent(3, 'a2', { tool_calls: [{ tcid: 'c2', fn: 'f', args: {} }] }),
    agent(4, 'fin'),
  ]);
  const { rows, issues } = write([story]);
  expect(JSON.stringify(rows)).not.toContain('"tool"');
  expect(rows[1]?.messages).toEqual([q, message('assistant', 'a1')]);
  expect(issues.map(({ severity, at }) => [severity, at.pointer])).toContainEqual([
    'loss',
    '/turns/1/observation/results/0',
  ]);
});

test('G14: a result that no row has is told by itself and why, one that is read elsewhere apart from it', () => {
  const made = (id: string) => [{ tcid: id, fn: 'f', args: {} }];
  const held = (...results: readonly Json[]) => ({ observation: { results } });
  const story = foreign([
    { id: 1, src: 'user', msg: 'q' },
    agent(2, 'a1', { tool_calls: made('c1'), ...held({ content: 'LOST' }) }),
    agent(3, 'a2', { tool_calls: made('c2'), ...held({ source_call_id: 'c2', content: 'MOVED' }) }),
    agent(4, 'a3', {
      tool_calls: made('c3'),
      ...held({ source_call_id: 'c3', content: 'MOVED' }, { content: 'LOST TOO' }),
    }),
    agent(5, 'a4', { tool_calls: made('c4'), ...held({ source_call_id: 'c4', content: 'LATE' }) }),
  ]);
  const { rows, issues } = write([story]);
  const written = JSON.stringify(rows);
  expect(['LOST', 'MOVED', 'LATE'].map((word) => written.includes(word))).toEqual([false, true, false]);
  const told = issues.flatMap(({ at, message: text }) =>
    /observation/.test(at.pointer) ? [[at.pointer, text]] : [],
  );
  expect(told).toEqual([
    [
      '/turns/*/observation/results/*',
      '/turns/*/observation/results/* (2 times) does not come back: it names no call before it',
    ],
    [
      '/turns/4/observation/results/0',
      '/turns/4/observation/results/0 does not come back: no row follows the last response',
    ],
    [
      '/turns/2/observation',
      '/turns/2/observation does not come back: a result is read in the next row, if there is one',
    ],
    [
      '/turns/3/observation/results',
      '/turns/3/observation/results does not come back: a result is read in the next row, if there is one',
    ],
  ]);
});

test('G14: turns of other formats that say nothing are losses, not empty messages', () => {
  const story = foreign([
    { id: 1, src: 'system', msg: null },
    { id: 2, src: 'user', msg: '' },
    { id: 3, src: 'user', msg: 'q' },
    agent(4, 'a'),
    agent(5, '', { copied: true }),
    { id: 6, src: 'user', msg: null },
    agent(7, 'b'),
  ]);
  const { rows, issues } = write([story]);
  expect(rows.map(({ messages }) => messages)).toEqual([[q], [q, message('assistant', 'a')]]);
  const pointers = issues.filter(({ severity }) => severity === 'loss').map(({ at }) => at.pointer);
  expect(pointers.filter((pointer) => pointer.startsWith('/turns'))).not.toEqual([]);
  comesBack([row(1, [message('user', null)], message('assistant', 'a'))]);
});

test('G14: a text of content parts that is written as parts is told as that', () => {
  const part = '[{"type":"text","text":"x"}]';
  const { issues } = write([foreign([{ id: 1, src: 'user', msg: part }, agent(2, 'a')])]);
  expect(issues.find(({ at }) => at.pointer === '/turns/0/msg')?.message).toBe(
    '/turns/0/msg does not come back: a text of content parts is written as parts',
  );
});

test('G1: JSON text behind a byte order mark is a text, to reader, writer and normal form', () => {
  const given = [
    row(1, [message('user', '\ufeff[{"type":"text"}]')], calling(null, ['c', 'f', '\ufeff{}']), {
      meta_json: '\ufeff{}',
    }),
  ];
  comesBack(given);
});

test('O2: the rows of some of the sessions keep their order', () => {
  const of = (session: string, step: number, more: JsonObject = {}): JsonObject => ({
    ...row(step, [message('user', `${session}${step}`)], message('assistant', 'x'), more),
    session_id: session,
  });
  const { stories } = read([of('a', 1), of('b', 1), of('c', 1), of('a', 2), of('b', 2, { vend: 1 })]);
  const { rows } = write(stories.filter(({ session }) => session !== 'a'));
  expect(rows.map(({ session_id, step_id }) => [session_id, step_id])).toEqual([
    ['b', 1],
    ['c', 1],
    ['b', 2],
  ]);
});
