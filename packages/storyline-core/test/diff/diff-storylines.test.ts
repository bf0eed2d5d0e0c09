import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignSequences } from '../../src/diff/align-sequences.ts';
import { diffStorylines } from '../../src/diff/diff-storylines.ts';
import { JsonNumber } from '../../src/json/value.ts';
import type { Storyline, Turn } from '../../src/storyline.ts';

const story = (turns: readonly Omit<Turn, 'id'>[], over: Partial<Storyline> = {}): Storyline => ({
  schema_version: 'storyline/v1',
  session: 's',
  agent: { id: 'a' },
  turns: turns.map((turn, index) => ({ id: index + 1, ...turn })),
  ...over,
});
const say = (msg: string): Omit<Turn, 'id'> => ({ src: 'agent', msg });
const call = (args: Turn['msg'], result: Turn['msg'], tcid = 'c'): Omit<Turn, 'id'> => ({
  src: 'agent',
  msg: '',
  tool_calls: [{ tcid, fn: 'search', args }],
  observation: { results: [{ source_call_id: tcid, content: result }] },
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => say(`turn ${index}`));
const shape = (left: Storyline, right: Storyline) =>
  diffStorylines(left, right).alignment.map((run) => [
    run.kind,
    run.left,
    run.right,
    run.count,
    run.repeats ?? false,
  ]);

describe('diffStorylines aligns exactly', () => {
  test('two turns inserted at 4: insert 2 at 4, all others equal', () => {
    const turns = numbered(9);
    const right = [...turns.slice(0, 4), say('new a'), say('new b'), ...turns.slice(4)];
    expect(shape(story(turns), story(right))).toEqual([
      ['equal', 0, 0, 4, false],
      ['inserted', 4, 4, 2, false],
      ['equal', 4, 6, 5, false],
    ]);
    expect(diffStorylines(story(turns), story(right)).first).toMatchObject({
      class: 'extra',
      left: 4,
      right: 4,
    });
  });

  test('two removed turns, at the start and at the end', () => {
    const turns = numbered(5);
    expect(shape(story(turns), story(turns.slice(1, 4)))).toEqual([
      ['removed', 0, 0, 1, false],
      ['equal', 1, 0, 3, false],
      ['removed', 4, 3, 1, false],
    ]);
  });

  test('two retries at different places are two repetitions', () => {
    const turns = numbered(6);
    const right = [
      ...turns.slice(0, 2),
      say('turn 1'),
      ...turns.slice(2, 5),
      say('turn 4'),
      ...turns.slice(5),
    ];
    expect(shape(story(turns), story(right))).toEqual([
      ['equal', 0, 0, 2, false],
      ['inserted', 2, 2, 1, true],
      ['equal', 2, 3, 3, false],
      ['inserted', 5, 6, 1, true],
      ['equal', 5, 7, 1, false],
    ]);
  });

  test('one moved turn is one move', () => {
    const turns = numbered(6);
    const right = [turns[0], turns[2], turns[3], turns[1], turns[4], turns[5]] as Omit<Turn, 'id'>[];
    expect(shape(story(turns), story(right))).toEqual([
      ['equal', 0, 0, 1, false],
      ['equal', 2, 1, 2, false],
      ['moved', 1, 3, 1, false],
      ['equal', 4, 4, 2, false],
    ]);
  });

  test('one changed output among look-alike turns is one changed turn, never an extra step', () => {
    const alike = Array.from({ length: 6 }, () => call({ q: 1 }, 'same'));
    const right = alike.with(3, call({ q: 1 }, 'other'));
    const diff = diffStorylines(story(alike), story(right));
    expect(diff.counts).toEqual({ equal: 5, changed: 1, removed: 0, inserted: 0, moved: 0 });
    expect(diff.first).toEqual({
      class: 'output',
      kind: 'changed',
      left: 3,
      right: 3,
      changes: [
        { op: 'replace', pointer: '/turns/3/observation/results/0/content', left: 'same', right: 'other' },
      ],
    });
  });

  test('a change in the last of 10,000', () => {
    const turns = numbered(10_000);
    const diff = diffStorylines(story(turns), story(turns.with(9_999, say('changed'))));
    expect(diff.alignment.map(({ kind, count }) => [kind, count])).toEqual([
      ['equal', 9_999],
      ['changed', 1],
    ]);
    expect(diff.first?.changes).toEqual([
      { op: 'replace', pointer: '/turns/9999/msg', left: 'turn 9999', right: 'changed' },
    ]);
  });
});

describe('diffStorylines classifies', () => {
  const classOf = (left: Omit<Turn, 'id'>, right: Omit<Turn, 'id'>) =>
    diffStorylines(story([left]), story([right])).first?.class;

  test('operation, input, error, output', () => {
    expect(classOf(call(1, 2), { ...call(1, 2), tool_calls: [{ tcid: 'c', fn: 'other', args: 1 }] })).toBe(
      'operation',
    );
    expect(classOf(call(1, 2), call(3, 4))).toBe('input');
    expect(classOf({ src: 'user', msg: 'a' }, { src: 'user', msg: 'b' })).toBe('input');
    const failed = {
      ...call(1, 2),
      tool_calls: [{ tcid: 'c', fn: 'search', args: 1, response: { exit_code: 1 } }],
    };
    expect(
      classOf(
        { ...call(1, 2), tool_calls: [{ tcid: 'c', fn: 'search', args: 1, response: { exit_code: 0 } }] },
        failed,
      ),
    ).toBe('error');
    expect(classOf(call(1, 2), call(1, 3))).toBe('output');
    expect(classOf(say('a'), say('b'))).toBe('output');
  });

  test('ids, times and durations are ignored unless asked for', () => {
    const left = story([{ ...call(1, 2, 'x'), ts: 1, latency_ms: 5 }], { session: 'a' });
    const right = story([{ ...call(1, 2, 'y'), ts: 2, latency_ms: 6 }], { session: 'b' });
    expect(diffStorylines(left, right).equal).toBe(true);
    expect(
      diffStorylines(left, right, { ignore: ['/turns/*/tool_calls/*/tcid', '/session'] }).first?.changes.map(
        (c) => c.pointer,
      ),
    ).toEqual(['/turns/0/observation/results/0/source_call_id', '/turns/0/ts', '/turns/0/latency_ms']);
  });

  test('arguments are compared as JSON, text or not', () => {
    expect(
      diffStorylines(story([call('{"a": 1, "b": [2]}', 0)]), story([call({ b: [2], a: 1 }, 0)])).equal,
    ).toBe(true);
    expect(classOf(call('{"a": 1}', 0), call('{"a": 2}', 0))).toBe('input');
  });

  test('profiles: typed, canon and python-eq', () => {
    const pair = (left: Turn['msg'], right: Turn['msg']) =>
      (['typed', 'canon', 'python-eq'] as const).map(
        (profile) =>
          diffStorylines(story([{ src: 'agent', msg: left }]), story([{ src: 'agent', msg: right }]), {
            profile,
          }).equal,
      );
    expect(pair(1, new JsonNumber('1.0'))).toEqual([false, true, true]);
    expect(pair({ a: [true] }, { a: [1] })).toEqual([false, false, true]);
    expect(pair(1, 2)).toEqual([false, false, false]);
    expect(pair('1', 1)).toEqual([false, false, false]);
  });

  test('a difference of the head alone is no divergence of turns', () => {
    const diff = diffStorylines(story([], { notes: 'a' }), story([], { notes: 'b' }));
    expect(diff).toMatchObject({
      equal: false,
      alignment: [],
      head: [{ op: 'replace', pointer: '/notes', left: 'a', right: 'b' }],
    });
    expect(diff.first).toBeUndefined();
  });
});

describe('properties', () => {
  const sequence = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });

  test('the alignment covers every turn of both sides once, and only equal turns are called equal', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const left = story(a.map((id) => say(`m${id}`)));
        const right = story(b.map((id) => say(`m${id}`)));
        const seenLeft: number[] = [];
        const seenRight: number[] = [];
        for (const run of diffStorylines(left, right).alignment) {
          for (let index = 0; index < run.count; index += 1) {
            if (run.kind !== 'inserted') seenLeft.push(run.left + index);
            if (run.kind !== 'removed') seenRight.push(run.right + index);
            if (run.kind === 'equal' || run.kind === 'moved')
              expect(a[run.left + index]).toBe(b[run.right + index]);
            if (run.kind === 'changed') expect(run.changes).not.toHaveLength(0);
          }
        }
        expect(seenLeft.sort((x, y) => x - y)).toEqual(a.map((_, index) => index));
        expect(seenRight.sort((x, y) => x - y)).toEqual(b.map((_, index) => index));
      }),
    );
  });

  test('matches are a longest common subsequence for short sequences', () => {
    const longest = (a: readonly number[], b: readonly number[]): number => {
      const best = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
      for (let i = 1; i <= a.length; i += 1)
        for (let j = 1; j <= b.length; j += 1)
          (best[i] as number[])[j] =
            a[i - 1] === b[j - 1]
              ? ((best[i - 1] as number[])[j - 1] as number) + 1
              : Math.max((best[i - 1] as number[])[j] as number, (best[i] as number[])[j - 1] as number);
      return (best[a.length] as number[])[b.length] as number;
    };
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const { left, right } = alignSequences(a, b);
        expect(left.length).toBe(longest(a, b));
        expect(left.map((at) => a[at])).toEqual(right.map((at) => b[at]));
        for (const side of [left, right]) expect(side).toEqual([...new Set(side)].sort((x, y) => x - y));
      }),
    );
  });

  test('long, wholly different and wholly shuffled sequences stay cheap', () => {
    const count = 200_000;
    const left = Int32Array.from({ length: count }, (_, index) => index);
    expect(
      alignSequences(
        left,
        left.map((id) => id + count),
      ).left,
    ).toHaveLength(0);
    const shuffled = left.map((_, index) => (index * 7_919) % count);
    expect(alignSequences(left, shuffled).left.length).toBeGreaterThan(0);
    expect(
      alignSequences(
        new Int32Array(count),
        new Int32Array(count).map((_, index) => index % 2),
      ).left.length,
    ).toBeGreaterThan(0);
  });
});
