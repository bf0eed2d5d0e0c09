import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leafStory } from '../../src/export/leaf-story.ts';
import { collectIssues } from '../../src/issue.ts';
import { parseJson } from '../../src/json/parse.ts';
import { getPointer } from '../../src/json/pointer.ts';
import type { Json, JsonObject } from '../../src/json/value.ts';
import { modelVisibleChatml } from '../../src/project/model-visible-chatml.ts';
import { type LedgerEntry, pairCalls } from '../../src/project/pair-calls.ts';
import { modelVisible, project } from '../../src/project/project.ts';
import { toChatml } from '../../src/project/to-chatml.ts';
import { viewTurns } from '../../src/project/view-turns.ts';
import { chainLeaves, chainRows, walkChain } from '../../src/project/walk-chain.ts';
import type { Storyline, Turn } from '../../src/storyline.ts';

const story = (turns: readonly Turn[], over: Partial<Storyline> = {}): Storyline => ({
  schema_version: 'storyline/v1',
  session: 's',
  agent: { id: 'a' },
  turns,
  ...over,
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

const fixtures = new URL('../../fixtures/project/', import.meta.url);

describe('K7: modelVisibleChatml on the observed vectors', () => {
  for (const file of readdirSync(fixtures)) {
    const vector = parseJson(readFileSync(new URL(file, fixtures))).value as Json;
    for (const entry of getPointer(vector, '/cases') as JsonObject[]) {
      test(`${file}: ${String(entry.name)}`, () => {
        const input = frozen(entry.input) as JsonObject;
        const visible = modelVisibleChatml(input);
        expect(visible).toEqual(entry.expected);
        expect(modelVisibleChatml(visible)).toEqual(visible);
      });
    }
  }

  test('no shape of messages throws, and the same ids are joined before and after', () => {
    const loose = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    const message = fc.record(
      {
        id: loose,
        role: fc.constantFrom('tool', 'assistant', 'user'),
        tool_call_id: fc.oneof(fc.constantFrom('a', 'b', ''), loose),
        tool_calls: fc.oneof(
          fc.array(fc.oneof(fc.record({ id: fc.constantFrom('a', 'b', '') }), loose)),
          loose,
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(message, loose)), (messages) => {
        const document = frozen({ messages }) as JsonObject;
        const visible = modelVisibleChatml(document);
        expect(modelVisibleChatml(visible)).toEqual(visible);
        expect((visible.messages as Json[]).length).toBe(messages.length);
      }),
    );
  });
});

describe('K6: the scope of aliases', () => {
  const turn = (id: number, request: string): Turn => ({
    id,
    src: 'agent',
    msg: '',
    env: { request_id: request },
    tool_calls: [{ tcid: `c${id}`, fn: 'f', args: {} }],
    observation: { results: [{ source_call_id: `c${id}`, content: 'r' }] },
  });
  const ids = (document: JsonObject) =>
    (document.messages as JsonObject[]).map(
      (message) => message.tool_call_id ?? getPointer(message, '/tool_calls/0/id'),
    );

  test('document (default) numbers on, turn starts anew with each request', () => {
    const storyline = story([turn(1, 'r1'), turn(2, 'r1'), turn(3, 'r2')]);
    expect(ids(modelVisible(storyline))).toEqual([
      'call_1',
      'call_1',
      'call_2',
      'call_2',
      'call_3',
      'call_3',
    ]);
    expect(ids(modelVisible(storyline, { aliasScope: 'turn', aliasPrefix: 't' }))).toEqual([
      't1',
      't1',
      't2',
      't2',
      't1',
      't1',
    ]);
  });

  test('turn: a result of an earlier request takes the alias of its call', () => {
    const at = (id: number, request: string): Pick<Turn, 'id' | 'env' | 'msg'> => ({
      id,
      msg: null,
      env: { request_id: request },
    });
    const storyline = story([
      {
        ...at(1, 'r1'),
        src: 'agent',
        tool_calls: ['x', 'y'].map((tcid) => ({ tcid, fn: 'f', args: {} })),
      },
      {
        ...at(2, 'r2'),
        src: 'tool',
        observation: { results: ['y', 'x', 'ghost'].map((id) => ({ source_call_id: id, content: id })) },
      },
      { ...at(3, 'r2'), src: 'agent', tool_calls: [{ tcid: 'z', fn: 'f', args: {} }] },
    ]);
    expect(ids(modelVisible(storyline, { aliasScope: 'turn' }))).toEqual([
      'call_1',
      'call_2',
      'call_1',
      'call_1',
      'call_2',
    ]);
  });
});

describe('toChatml', () => {
  test('prompts where they change, calls with arguments as text, results in order, K3 fields', () => {
    const storyline = frozen(
      story(
        [
          {
            id: 1,
            src: 'agent',
            msg: 'look',
            reason: 'because',
            tool_calls: [
              {
                tcid: 'x',
                fn: 'ls',
                args: { dir: '.' },
                response: { exit_code: 0 },
                extra: { namespace: 'n', execution_mechanism: 'local_dynamic' },
              },
              { tcid: 'y', fn: 'cat', args: 'raw', result: 'from the call' },
            ],
            observation: { results: [{ source_call_id: 'x', content: 'a.txt' }] },
          },
          { id: 2, src: 'agent', msg: null, prompt: { user: 'next' }, tool_calls: [] },
          { id: 3, src: 'user', msg: [{ type: 'text', text: 'hi' }] },
        ],
        { prompt: { system: 'S', user: 'U' } },
      ),
    );
    const { report, issues } = collectIssues();
    const { sources, ...shown } = toChatml(storyline, report);
    expect(sources.map(({ turn, result }) => [turn.id, result])).toEqual([
      [1, undefined],
      [1, undefined],
      [1, undefined],
      [1, { source_call_id: 'x', content: 'a.txt' }],
      [1, {}],
      [2, undefined],
      [3, undefined],
      [3, undefined],
    ]);
    expect(shown).toEqual({
      document: {
        format: 'ankole_chatml',
        version: 1,
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'U' },
          {
            id: '1',
            role: 'assistant',
            content: 'look',
            reasoning_content: 'because',
            tool_calls: [
              {
                id: 'x',
                type: 'function',
                function: { name: 'ls', arguments: '{"dir":"."}', namespace: 'n' },
              },
              { id: 'y', type: 'function', function: { name: 'cat', arguments: 'raw' } },
            ],
          },
          {
            role: 'tool',
            tool_call_id: 'x',
            name: 'ls',
            content: 'a.txt',
            namespace: 'n',
            metadata: { exit_code: 0, execution_mechanism: 'local_dynamic' },
          },
          { role: 'tool', tool_call_id: 'y', name: 'cat', content: 'from the call' },
          { role: 'user', content: 'next' },
          { role: 'user', content: 'U' },
          { id: '3', role: 'user', content: [{ type: 'text', text: 'hi' }] },
        ],
      },
    });
    expect(issues).toEqual([]);
  });

  test('a list of no parts is no text of a message, but the result of a tool; parts that say nothing add no line', () => {
    const call = { tcid: 'x', fn: 'f', args: {} };
    const results = [{ source_call_id: 'x', content: [] }];
    const turns = [{ id: 1, src: 'agent', msg: [], tool_calls: [call], observation: { results } }];
    const { document } = toChatml(story(turns), collectIssues().report);
    expect(document.messages.map(({ content }) => content)).toEqual(['', '[]']);
    const parts = ['', 'one', '', 'two'].map((text) => ({ type: 'text', text }));
    const said = toChatml(story([{ id: 1, src: 'agent', msg: parts }]), collectIssues().report);
    expect(said.document.messages.map(({ content }) => content)).toEqual(['one\ntwo']);
  });

  test('an observation without a reference answers the only call, else it is shown and reported', () => {
    const { report, issues } = collectIssues();
    const answered = toChatml(
      story([
        {
          id: 1,
          src: 'agent',
          msg: '',
          tool_calls: [{ tcid: 'x', fn: 'f', args: null }],
          observation: { results: [{ content: 'out' }] },
        },
      ]),
      report,
    );
    expect(answered.document.messages[1]).toEqual({
      role: 'tool',
      tool_call_id: 'x',
      name: 'f',
      content: 'out',
    });
    expect(issues).toEqual([]);
    const loose = toChatml(
      story([
        { id: 1, src: 'agent', msg: 'x', observation: { results: [{ content: 'env' }] } },
        { id: 2, src: 'system', msg: null },
      ]),
      report,
    );
    expect(loose.document.messages[1]).toEqual({ role: 'user', content: 'env' });
    expect(issues.map(({ code, at }) => [code, at.pointer])).toEqual([
      ['core/unreferenced-result', '/turns/0/observation/results/0'],
      ['core/no-message', '/turns/1'],
    ]);
  });
});

describe('the ledger and its policies', () => {
  const entry = (kind: 'call' | 'result', id: string, over: Partial<LedgerEntry> = {}): LedgerEntry => ({
    kind,
    scope: '',
    family: 'function',
    id,
    content: '',
    ...over,
  });
  const verdicts = (...entries: LedgerEntry[]) => pairCalls(entries).map(({ verdict }) => verdict);

  test('every verdict', () => {
    expect(verdicts(entry('call', 'a'), entry('result', 'a'))).toEqual(['paired', 'paired']);
    expect(verdicts(entry('call', 'a'), entry('result', 'b'))).toEqual(['unanswered', 'orphan-result']);
    expect(verdicts(entry('result', 'a'), entry('call', 'a'))).toEqual(['early-result', 'unanswered']);
    expect(verdicts(entry('call', 'a'), entry('result', 'a'), entry('result', 'a'))).toEqual([
      'paired',
      'paired',
      'duplicate-result',
    ]);
    expect(
      verdicts(entry('call', 'a'), entry('call', 'a'), entry('call', 'a', { content: 'other' })),
    ).toEqual(['unanswered', 'duplicate-call', 'conflicting-call']);
    expect(verdicts(entry('call', 'a'), entry('result', 'a', { family: 'custom' }))).toEqual([
      'unanswered',
      'type-mismatch',
    ]);
    expect(verdicts(entry('call', 'a', { name: 'x' }), entry('result', 'a', { name: 'y' }))).toEqual([
      'unanswered',
      'name-mismatch',
    ]);
    expect(verdicts(entry('call', 'a', { executable: false }), entry('result', 'a'))).toEqual([
      'not-executable',
      'not-executable',
    ]);
    expect(verdicts(entry('call', 'a', { valid: false }), entry('result', 'a'))).toEqual([
      'invalid',
      'orphan-result',
    ]);
    expect(
      verdicts(
        entry('call', 'a', { scope: 'p' }),
        entry('call', 'a'),
        entry('result', 'a'),
        entry('result', 'a', { scope: 'p' }),
      ),
    ).toEqual(['paired', 'paired', 'paired', 'paired']);
  });

  test('provider view drops and reports; keep is the default elsewhere', () => {
    const storyline = story([
      {
        id: 1,
        src: 'agent',
        msg: '',
        tool_calls: [{ tcid: 'x', fn: 'f', args: {} }],
        observation: {
          results: [
            { source_call_id: 'ghost', content: '1' },
            { source_call_id: 'x', content: '2' },
            { source_call_id: 'x', content: '3' },
          ],
        },
      },
    ]);
    const contents = (options: Parameters<typeof project>[1]) =>
      project(storyline, options)
        .document.messages.slice(1)
        .map((message) => message.content);
    expect(contents({ view: 'audit' })).toEqual(['1', '2', '3']);
    expect(contents({ view: 'provider' })).toEqual(['2']);
    expect(contents({ view: 'context', duplicates: 'first' })).toEqual(['1', '2']);
    expect(
      project(storyline, { view: 'provider' }).issues.map(({ severity, code, at }) => [
        severity,
        code,
        at.pointer,
      ]),
    ).toEqual([
      ['loss', 'core/unpaired-call', '/messages/1'],
      ['loss', 'core/unpaired-call', '/messages/3'],
    ]);
    expect(
      project(storyline, { view: 'audit', orphans: 'report' }).issues.map(({ severity }) => severity),
    ).toEqual(['warning']);
  });

  describe('K1, K3: items of stored rows pair by scope, family and id', () => {
    const at = (item: number): Pick<Turn, 'id' | 'env' | 'msg'> => ({
      id: item + 1,
      msg: null,
      env: { request_id: 'r', state: { previous: null, status: 'complete', side: 'input', item } },
    });
    const calls = (item: number, tcid: string, extra: JsonObject = {}): Turn => ({
      ...at(item),
      src: 'agent',
      tool_calls: [{ tcid, fn: 'f', args: {}, extra }],
    });
    const gives = (item: number, id: string | undefined, content: Json, more: JsonObject = {}): Turn => ({
      ...at(item),
      src: 'tool',
      observation: { results: [{ ...(id === undefined ? {} : { source_call_id: id }), content, ...more }] },
    });
    const left = (...turns: readonly Turn[]) =>
      project(story(turns), { view: 'provider' }).document.messages.map(({ role, content }) =>
        role === 'tool' ? content : role,
      );

    test('a result of another family does not answer, and one behind it does', () => {
      expect(
        left(
          calls(0, 'x'),
          gives(1, 'x', 'WRONG', { type: 'custom_tool_call_output' }),
          gives(2, 'x', 'RIGHT'),
        ),
      ).toEqual(['assistant', 'RIGHT']);
      const custom = { type: 'custom_tool_call_output' };
      expect(left(calls(0, 'x', { family: 'custom_tool_call' }), gives(1, 'x', 'ok', custom))).toEqual([
        'assistant',
        'ok',
      ]);
      const approval = calls(0, 'x', { family: 'mcp_approval_request' });
      expect(left(approval, gives(1, 'x', null, { type: 'mcp_approval_response' }))).toEqual([
        'assistant',
        '',
      ]);
    });

    test("a program's call and a direct one may share an id", () => {
      const caller = { type: 'program', caller_id: 'p' };
      const inner = calls(0, 'a', { caller });
      const direct = calls(1, 'a@2', { source_id: 'a' });
      expect(left(inner, direct, gives(2, 'a@2', 'direct'), gives(3, 'a', 'nested', { caller }))).toEqual([
        'assistant',
        'assistant',
        'direct',
        'nested',
      ]);
    });

    test('an unfinished call and its result go; parts that no provider takes and results without an id go', () => {
      expect(left(calls(0, 'x', { payload: { status: 'incomplete' } }), gives(1, 'x', 'r'))).toEqual([]);
      expect(left(calls(0, 'x', { payload: { status: 'completed' } }), gives(1, 'x', 'r'))).toHaveLength(2);
      expect(left(calls(0, 'x'), gives(1, 'x', [{ type: 'video' }]))).toEqual(['assistant']);
      expect(left(calls(0, 'x'), gives(1, 'x', [{ type: 'input_text', text: 'r' }]))).toHaveLength(2);
      expect(left(calls(0, 'x'), gives(1, undefined, 'r'))).toEqual(['assistant']);
      // Kept elsewhere, as what it is.
      const { messages } = project(story([gives(0, undefined, 'r')]), { view: 'audit' }).document;
      expect(messages).toEqual([{ role: 'tool', name: 'unknown', content: 'r' }]);
    });
  });

  test('calls without a result: keep, drop, report; a message that only called goes with its calls', () => {
    const ask = (id: string) => ({ tcid: id, fn: 'f', args: {} });
    const turns: readonly Turn[] = [
      { id: 1, src: 'agent', msg: null, tool_calls: [ask('x')] },
      { id: 2, src: 'agent', msg: 'text', tool_calls: [ask('y')] },
      {
        id: 3,
        src: 'agent',
        msg: null,
        tool_calls: [ask('z'), ask('w')],
        observation: { results: [{ source_call_id: 'z', content: 'r' }] },
      },
    ];
    const shown = (unanswered: 'keep' | 'drop' | 'report') => {
      const { document, issues } = project(story(turns), { view: 'provider', unanswered });
      return {
        calls: document.messages.map(({ role, content, tool_calls: calls }) => [
          role,
          content,
          ((calls ?? []) as JsonObject[]).map(({ id }) => id).join(' '),
        ]),
        severities: issues.map(({ severity, code }) => `${severity} ${code}`),
      };
    };
    const all = [
      ['assistant', '', 'x'],
      ['assistant', 'text', 'y'],
      ['assistant', '', 'z w'],
      ['tool', 'r', ''],
    ];
    expect(shown('keep')).toEqual({ calls: all, severities: [] });
    expect(shown('report')).toEqual({ calls: all, severities: Array(3).fill('warning core/unpaired-call') });
    expect(shown('drop')).toEqual({
      calls: [
        ['assistant', 'text', ''],
        ['assistant', '', 'z'],
        ['tool', 'r', ''],
      ],
      severities: Array(3).fill('loss core/unpaired-call'),
    });
  });
});

describe('K1, K2: chains, leaves and checkpoints', () => {
  const row = (
    id: number,
    name: string,
    previous: string | null,
    status = 'complete',
    checkpoint = false,
  ): Turn => ({
    id,
    src: 'user',
    msg: name,
    env: {
      request_id: name,
      state: { previous, status, side: 'input', item: 0 },
      ...(checkpoint ? { event_type: 'checkpoint' } : {}),
    },
  });
  const branched = [
    row(1, 'r1', null),
    row(2, 'r2', 'r1'),
    row(3, 'r3', 'r2'),
    row(4, 'r4', 'r2'),
    row(5, 'r5', 'r3', 'error'),
    row(6, 'r6', 'r3', 'complete', true),
    row(7, 'r7', 'r6'),
  ];
  const texts = (view: Parameters<typeof viewTurns>[1], leaf?: string) => {
    const { report, issues } = collectIssues();
    return {
      texts: viewTurns(story(branched), view, report, leaf).map(({ msg }) => msg),
      codes: issues.map(({ code }) => code),
    };
  };

  test('audit, leaf, context and the other branch', () => {
    expect(texts('audit').texts).toHaveLength(7);
    expect(texts('leaf')).toEqual({ texts: ['r1', 'r2', 'r3', 'r6', 'r7'], codes: ['core/branch-left-out'] });
    expect(texts('context').texts).toEqual(['r6', 'r7']);
    expect(texts('context', 'r4').texts).toEqual(['r1', 'r2', 'r4']);
    expect(texts('leaf', 'r5')).toEqual({ texts: [], codes: ['core/invalid-anchor'] });
    expect(chainLeaves(chainRows(branched))).toEqual(['r4', 'r7']);
  });

  test('views stand in the order of the chain, whatever the order of the turns', () => {
    const view = (name: Parameters<typeof viewTurns>[1], turns: readonly Turn[]) =>
      viewTurns(story(turns), name, collectIssues().report).map(({ msg }) => msg);
    // Equal times: the id decides in which order rows stand, but not how they continue each other.
    expect(view('leaf', [row(1, 'a', 'b'), row(2, 'b', null)])).toEqual(['b', 'a']);
    expect(view('context', [row(1, 'a', 'b'), row(2, 'b', null)])).toEqual(['b', 'a']);
    const late = [row(1, 'a0', null), row(2, 'b', 'z'), row(3, 'z', 'a0', 'complete', true)];
    expect(view('context', late)).toEqual(['z', 'b']);
    expect(view('leaf', late)).toEqual(['a0', 'z', 'b']);
    expect(view('audit', late)).toEqual(['a0', 'b', 'z']);
    // A turn of no row stays behind the row it stood behind.
    const loose: Turn = { id: 9, src: 'user', msg: 'loose' };
    expect(view('leaf', [loose, row(1, 'a', 'b'), loose, row(2, 'b', null)])).toEqual([
      'loose',
      'b',
      'a',
      'loose',
    ]);
    const pages = story([row(1, 'a', 'b'), row(2, 'b', null)]);
    expect(leafStory(pages, collectIssues().report).turns.map(({ msg }) => msg)).toEqual(['b', 'a']);
  });

  test('a checkpoint of several turns is shown whole', () => {
    const turns = [
      row(1, 'a', null),
      ...['z', 'z'].map((name, at) => row(2 + at, name, 'a', 'complete', true)),
    ];
    expect(viewTurns(story(turns), 'context', collectIssues().report).map(({ id }) => id)).toEqual([2, 3]);
  });

  test('K2: the context border is told, with the rows that it covers; a warning where nothing stands for them', () => {
    const told = (msg: string | null) => {
      const { report, issues } = collectIssues();
      const border = { ...row(3, 'z', 'b', 'complete', true), msg };
      const turns = [
        row(1, 'a', null),
        row(2, 'b', 'a'),
        border,
        row(4, 'c', 'z'),
        row(5, 'd', 'gone', 'error'),
      ];
      viewTurns(story(turns), 'context', report);
      return issues.map(({ severity, code, message }) => [severity, code, message]);
    };
    expect(told(null)).toEqual([
      [
        'warning',
        'core/context-replaced',
        'context replaced here, 2 rows covered, by a summary that is not here',
      ],
    ]);
    expect(told('what was said')).toEqual([
      ['info', 'core/context-replaced', 'context replaced here, 2 rows covered'],
    ]);
  });

  test('a row that the view has, behind one that failed, is no branch left out', () => {
    const { report, issues } = collectIssues();
    const turns = [
      row(1, 'a', null),
      row(2, 'b', 'a', 'error'),
      row(3, 'z', 'b', 'complete', true),
      row(4, 'c', 'z'),
      row(5, 'd', 'a', 'error'),
    ];
    expect(viewTurns(story(turns), 'leaf', report)).toHaveLength(3);
    expect(issues).toEqual([]);
    expect(viewTurns(story(turns), 'context', report)).toHaveLength(2);
    expect(issues.map(({ code }) => code)).toEqual(['core/context-replaced']);
  });

  test('a cycle of a million rows and a chain of 100,000 end after as many steps as there are rows', () => {
    const count = 1_000_000;
    let steps = 0;
    const rows = {
      get(name: string) {
        steps += 1;
        const at = Number(name);
        return {
          row: name,
          previous: String((at + 1) % count),
          status: 'complete',
          side: 'input',
          checkpoint: false,
        };
      },
    } as unknown as ReturnType<typeof chainRows>;
    const walk = walkChain(rows, '0', false);
    expect([walk.rows.length, walk.cycle, steps]).toEqual([count, '0', count]);
    const chain = Array.from({ length: 100_000 }, (_, at) =>
      row(at + 1, `r${at}`, at === 0 ? null : `r${at - 1}`),
    );
    const { report, issues } = collectIssues();
    expect(viewTurns(story(chain), 'leaf', report)).toHaveLength(100_000);
    expect(issues).toEqual([]);
  });

  test('a missing parent is a warning, and the chain starts after it', () => {
    const { report, issues } = collectIssues();
    expect(viewTurns(story([row(1, 'r2', 'gone')]), 'leaf', report)).toHaveLength(1);
    expect(issues.map(({ code, severity }) => [severity, code])).toEqual([['warning', 'core/chain-broken']]);
  });
});

describe('K4: what a source said of a message, a call and a result is shown', () => {
  const shown = (turns: readonly Turn[], over: Partial<Storyline> = {}) =>
    toChatml(story(turns, over), collectIssues().report).document;

  test('ids, metadata, namespace and more members of a message; header flags', () => {
    const document = shown(
      [
        {
          id: 1,
          src: 'agent',
          msg: 'Hi',
          extra: { payload: { id: 'm', metadata: { phase: 'plan' } }, chatml: { weight: 1, role: 'no' } },
          tool_calls: [{ tcid: 'c', fn: 'f', args: {} }],
          observation: {
            results: [
              { source_call_id: 'c', content: 'r', id: 'm:r', name: 'g', metadata: { exit_code: null } },
            ],
          },
        },
      ],
      { meta: { chatml: { metadata: { redacted: true } } } },
    );
    expect(document.metadata).toEqual({ redacted: true });
    expect(document.messages[0]).toMatchObject({
      id: 'm',
      role: 'assistant',
      weight: 1,
      metadata: { phase: 'plan' },
    });
    expect(document.messages[1]).toEqual({
      id: 'm:r',
      role: 'tool',
      tool_call_id: 'c',
      name: 'g',
      content: 'r',
      metadata: { exit_code: null },
    });
  });

  test('an open question', () => {
    const call = { tcid: 'c', fn: 'ask', args: {}, response: { status: 'pending_user_input' } };
    const { messages } = shown([{ id: 1, src: 'agent', msg: null, tool_calls: [call] }]);
    expect(messages[0]?.metadata).toEqual({ status: 'pending_user_input' });
  });

  test('a result in a later turn has the name of its call; one id that the source uses twice is one', () => {
    const call = (tcid: string) => ({ tcid, fn: 'f', args: {}, extra: { source_id: 'x' } });
    const result = (id: string) => ({ results: [{ source_call_id: id, content: id }] });
    const { messages } = shown([
      { id: 1, src: 'agent', msg: null, tool_calls: [call('x')] },
      { id: 2, src: 'tool', msg: null, observation: result('x') },
      { id: 3, src: 'agent', msg: null, tool_calls: [call('x@3')] },
      { id: 4, src: 'tool', msg: null, observation: result('x@3') },
    ]);
    expect(messages.map((message) => message.tool_call_id)).toEqual([undefined, 'x', undefined, 'x']);
    expect(messages[1]?.name).toBe('f');
    expect(getPointer(messages, '/2/tool_calls/0/id')).toBe('x');
  });
});

test('K7: results for calls of earlier turns stand before the turn that was said with them in view, and a request said again once', () => {
  const calls = [{ tcid: 'c', fn: 'f', args: {} }];
  const turns: readonly Turn[] = [
    { id: 1, src: 'user', msg: 'q' },
    { id: 2, src: 'agent', msg: null, tool_calls: calls },
    { id: 3, src: 'user', msg: 'q' },
    { id: 4, src: 'agent', msg: 'a', observation: { results: [{ source_call_id: 'c', content: 'r' }] } },
    { id: 5, src: 'user', msg: 'q' },
  ];
  const of = (format: string, view: 'context' | 'audit') => {
    const { document, issues } = project(story(turns, { origin: { format } }), { view });
    return {
      messages: document.messages.map(({ role, content }) => [role, content]),
      issues: issues.map(({ code, at }) => [code, at.pointer]),
    };
  };
  const every = [
    ['user', 'q'],
    ['assistant', ''],
    ['user', 'q'],
    ['tool', 'r'],
    ['assistant', 'a'],
    ['user', 'q'],
  ];
  expect(of('openai-msg', 'context')).toEqual({
    messages: every.filter((_, at) => at !== 2),
    issues: [['core/repeated-request', '/turns/2']],
  });
  // Nothing but rows of OpenAI Messages says a request again without meaning it, and audit is every turn.
  expect(of('openai-msg', 'audit')).toEqual({ messages: every, issues: [] });
  expect(of('actf', 'context')).toEqual({ messages: every, issues: [] });
});
