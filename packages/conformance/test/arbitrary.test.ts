import {
  collectIssues,
  equalJson,
  getPointer,
  isJsonNumber,
  parsePointer,
  parseTime,
  readStoryline,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdit,
  arbitraryJson,
  arbitraryMutation,
  arbitraryStoryline,
  arbitraryTime,
  deepFreeze,
  differences,
  pointerExists,
  pointersOf,
} from '../src/index.ts';

const sampled = <T>(arbitrary: fc.Arbitrary<T>, count = 400): readonly T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: 7 });

describe('arbitraryJson', () => {
  const values = sampled(arbitraryJson(), 1000);
  const everything = values.flatMap((value) => pointersOf(value));

  test('reaches hostile keys, exact numbers, -0, lone surrogates and NUL', () => {
    const tokens = new Set(everything.flatMap((pointer) => parsePointer(pointer) ?? []));
    expect(tokens).toContain('__proto__');
    expect(tokens).toContain('constructor');
    expect(tokens).toContain('a/b');
    const scalars = values.flatMap((value) => pointersOf(value).map((pointer) => getPointer(value, pointer)));
    expect(scalars.some((value) => isJsonNumber(value))).toBe(true);
    expect(scalars.some((value) => Object.is(value, -0))).toBe(true);
    expect(scalars).toContain('\ud800');
    expect(scalars).toContain('\u0000');
  });

  test('leaves out what it is told to leave out', () => {
    for (const value of sampled(
      arbitraryJson({ hostileKeys: false, exactNumbers: false, loneSurrogates: false }),
    )) {
      expect(JSON.stringify(value)).not.toMatch(/__proto__|"raw"|\\ud[89ab]/);
    }
  });
});

describe('arbitraryStoryline', () => {
  const storylines = sampled(arbitraryStoryline());

  test('gives valid Storylines in canonical form', () => {
    for (const storyline of storylines) {
      const { report, issues } = collectIssues();
      const again = readStoryline(storylineToJson(storyline), report);
      expect(issues).toEqual([]);
      expect(again !== undefined && equalJson(storylineToJson(again), storylineToJson(storyline))).toBe(true);
    }
  });

  test('reaches every optional field of the head, of turns and of calls', () => {
    const reached = new Set(
      storylines.flatMap((storyline) =>
        pointersOf(storylineToJson(storyline)).map((pointer) => pointer.replace(/\/\d+/g, '/*')),
      ),
    );
    const head: readonly (keyof Storyline)[] = [
      'origin',
      'run',
      'trajectory',
      'attempt_id',
      'parent',
      'children',
      'notes',
      'task',
      'prompt',
      'started_at',
      'finished_at',
      'final_metrics',
      'continued_trajectory_ref',
      'extra',
      'meta',
      'unknown_fields',
      'unknown_key_counts',
    ];
    const turn = [
      'kind',
      'ts',
      'finished_at',
      'reason',
      'effort',
      'observation',
      'metrics',
      'extra',
      'model',
      'nllm',
      'latency_ms',
      'ttft_ms',
      'env',
      'prompt',
    ];
    const call = ['tcid', 'fn', 'args', 'result', 'duration_ms', 'extra', 'kind', 'response'];
    const wanted = [
      ...head.map((key) => `/${key}`),
      ...turn.map((key) => `/turns/*/${key}`),
      ...call.map((key) => `/turns/*/tool_calls/*/${key}`),
    ];
    expect(wanted.filter((pointer) => !reached.has(pointer))).toEqual([]);
  });

  test('numbers turns upwards when asked', () => {
    for (const { turns } of sampled(arbitraryStoryline({ turnIds: 'increasing' }), 100)) {
      const ids = turns.map((turn) => Number(turn.id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(ids.every((id) => id >= 1)).toBe(true);
    }
  });
});

test('arbitraryTime gives legal times only', () => {
  for (const time of sampled(arbitraryTime())) expect(parseTime(time)).toHaveProperty('nanoseconds');
});

describe('mutations', () => {
  const document = deepFreeze({ a: { b: [1, 2, { c: null }] }, d: 'x' });

  test('replace, remove, repeat and insert change one place of a copy', () => {
    const at = pointersOf(document).indexOf('/a/b');
    expect(applyEdit(document, { kind: 'replace', at, key: '', value: 7 })).toEqual({ a: { b: 7 }, d: 'x' });
    expect(applyEdit(document, { kind: 'remove', at, key: '', value: 7 })).toEqual({ a: {}, d: 'x' });
    expect(applyEdit(document, { kind: 'repeat', at, key: '', value: 7 })).toEqual({
      a: { b: [1, 2, { c: null }, 1] },
      d: 'x',
    });
    const inner = pointersOf(document).indexOf('/a/b/2');
    const inserted = applyEdit(document, { kind: 'insert', at: inner, key: '__proto__', value: 7 });
    expect(pointerExists(inserted, '/a/b/2/__proto__')).toBe(true);
    expect(document).toEqual({ a: { b: [1, 2, { c: null }] }, d: 'x' });
  });

  test('most mutations differ from their document', () => {
    const mutated = sampled(arbitraryMutation(fc.constant(document)), 200);
    expect(mutated.filter((value) => !equalJson(value, document)).length).toBeGreaterThan(150);
  });
});

describe('differences', () => {
  test('names the smallest places, by value and not by key order', () => {
    expect(differences({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 3] }, a: 1 })).toEqual([
      { pointer: '/b/c/1', left: 2, right: 3 },
    ]);
    expect(differences({ a: 1 }, { b: 1 })).toEqual([
      { pointer: '/a', left: 1, right: undefined },
      { pointer: '/b', left: undefined, right: 1 },
    ]);
    expect(differences([1], { 0: 1 })).toEqual([{ pointer: '', left: [1], right: { 0: 1 } }]);
  });

  test('none exactly when the values are equal', () => {
    fc.assert(
      fc.property(arbitraryJson(), arbitraryJson(), (left, right) => {
        expect(differences(left, left)).toEqual([]);
        expect(differences(left, right).length === 0).toBe(equalJson(left, right));
      }),
      { numRuns: 200 },
    );
  });
});

test('pointerExists takes * for any array position and for nothing else', () => {
  const document = { steps: [{ a: 1 }, { b: 2 }], map: { x: { a: 1 } } };
  expect(pointerExists(document, '/steps/*/b')).toBe(true);
  expect(pointerExists(document, '/steps/*/c')).toBe(false);
  expect(pointerExists(document, '/map/*/a')).toBe(false);
  expect(pointerExists(document, 'steps')).toBe(false);
});

test('deepFreeze makes writing throw, at any depth', () => {
  const value: { readonly a: { b: number[] } } = deepFreeze({ a: { b: [1] } });
  expect(() => value.a.b.push(2)).toThrow(TypeError);
});
