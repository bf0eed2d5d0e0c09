import {
  exportDocument,
  type Format,
  type JsonObject,
  parseJson,
  type Storyline,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeap } from '../../src/export/heap.ts';
import { toyRows } from './toy-formats.ts';

/** toy-rows, with the places of rows in `meta`: each Storyline may name the place of each of its rows. */
const placed = {
  ...toyRows,
  writer: {
    ...toyRows.writer,
    firstPlace: (head: Storyline) => (head.meta as number[] | undefined)?.[0],
    *write(storyline: Storyline) {
      const places = storyline.meta as number[] | undefined;
      for (const [n, turn] of storyline.turns.entries()) {
        const place = places?.[n];
        yield {
          value: { s: storyline.session, n, id: turn.id as number },
          ...(place === undefined ? {} : { place }),
        };
      }
    },
  },
} as unknown as Format;

function story(session: string, rows: number, places?: readonly number[]): Storyline {
  return {
    schema_version: 'storyline/v1',
    session,
    agent: { id: 'a' },
    turns: Array.from({ length: rows }, (_, id) => ({ id, src: 'user', msg: null })),
    ...(places === undefined ? {} : { meta: places }),
  };
}

function order(stories: readonly Storyline[]): string[] {
  const { text, issues } = exportDocument(placed, stories);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  const { rows } = parseJson(text).value as { rows: JsonObject[] };
  return rows.map((row) => `${String(row.s)}${String(row.n)}`);
}

describe('rows that name their places (O2)', () => {
  test.each<[string, Storyline[], string[]]>([
    ['stand there, interleaved', [story('a', 2, [0, 2]), story('b', 2, [1, 3])], ['a0', 'b0', 'a1', 'b1']],
    [
      'whatever the order of the Storylines',
      [story('b', 2, [1, 3]), story('a', 2, [0, 2])],
      ['a0', 'b0', 'a1', 'b1'],
    ],
    [
      'others fill the places that are free',
      [story('x', 3), story('a', 2, [1, 3])],
      ['x0', 'a0', 'x1', 'a1', 'x2'],
    ],
    ['gaps that nobody fills close up', [story('a', 2, [5, 9]), story('b', 1, [7])], ['a0', 'b0', 'a1']],
    ['gaps after the last free row close up', [story('x', 1), story('a', 2, [5, 9])], ['x0', 'a0', 'a1']],
    ['places that are taken twice', [story('a', 2, [0, 1]), story('b', 2, [0, 1])], ['a0', 'b0', 'a1', 'b1']],
    ['a Storyline without rows', [story('x', 0), story('y', 1), story('a', 1, [1])], ['y0', 'a0']],
    [
      'of a part of the source: others stay behind those before them',
      [story('b', 2, [1, 4]), story('c', 1)],
      ['b0', 'c0', 'b1'],
    ],
    [
      'and behind one without rows',
      [story('z', 0, [0]), story('b', 2, [1, 4]), story('c', 1), story('d', 1, [7]), story('e', 1)],
      ['b0', 'c0', 'b1', 'd0', 'e0'],
    ],
  ])('%s', (_name, stories, expected) => {
    expect(order(stories)).toEqual(expected);
  });

  test('any interleaving comes back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (owners, firstIsFree) => {
          const places = new Map<number, number[]>();
          for (const [place, owner] of owners.entries())
            places.set(owner, [...(places.get(owner) ?? []), place]);
          const stories = [...places].map(([owner, own], index) =>
            // The rows of one Storyline need not name their places: what is left over is theirs.
            story(`s${owner}-`, own.length, firstIsFree && index === 0 ? undefined : own),
          );
          const counts = new Map<number, number>();
          const expected = owners.map((owner) => {
            const n = counts.get(owner) ?? 0;
            counts.set(owner, n + 1);
            return `s${owner}-${n}`;
          });
          expect(order(stories)).toEqual(expected);
        },
      ),
    );
  });

  test('many Storylines that overlap cost little more than their rows', () => {
    const count = 2_000;
    const stories = Array.from({ length: count }, (_, index) =>
      story(
        `s${index}-`,
        10,
        Array.from({ length: 10 }, (_row, n) => n * count + index),
      ),
    );
    const expected = Array.from({ length: 10 }, (_row, n) =>
      stories.map(({ session }) => `${session}${n}`),
    ).flat();
    expect(order(stories)).toEqual(expected);
  });
});

test('the heap gives elements in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.nat(50)), (numbers, additions) => {
      const heap = createHeap<{ value: number }>((left, right) => left.value - right.value);
      for (const value of numbers) heap.push({ value });
      for (const addition of additions) {
        const least = heap.peek();
        if (least === undefined) break;
        least.value += addition;
        heap.sink();
      }
      const taken: number[] = [];
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) taken.push(next.value);
      expect(taken).toEqual([...taken].sort((left, right) => left - right));
      expect(taken.length).toBe(numbers.length);
    }),
  );
});
