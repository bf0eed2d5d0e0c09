import { describe, expect, test } from 'vitest';
import { gatherGroups } from '../../src/containers/gather-groups.ts';

const row = (key: string | undefined, ...names: string[]) => ({
  key: key === undefined ? undefined : { id: `"${key}`, text: key },
  names,
  isOrphan: key === undefined && names.length === 0,
});

/** The groups of rows: the key of each, and the rows in it. */
function groupsOf(rows: readonly ReturnType<typeof row>[]) {
  const gatherer = gatherGroups();
  const numbers = rows.map(gatherer.add);
  const { keys, places } = gatherer.settle();
  return keys.map((key, place) => [
    key,
    numbers.flatMap((number, at) => (places[number] === place ? [at] : [])),
  ]);
}

describe('rows are gathered', () => {
  test('by key, by the names that link them, and through others, in order of first appearance', () => {
    expect(groupsOf([row('b'), row('a'), row('b')])).toEqual([
      ['b', [0, 2]],
      ['a', [1]],
    ]);
    expect(
      groupsOf([row(undefined, '2', '1'), row('x'), row(undefined, '1'), row(undefined, '3', '2')]),
    ).toEqual([
      [undefined, [0, 2, 3]],
      ['x', [1]],
    ]);
    expect(groupsOf([row(undefined, '2', '1'), row('x', '1')])).toEqual([['x', [0, 1]]]);
    expect(groupsOf([row(undefined, '1'), row(undefined, '2'), row(undefined, '3', '2', '1')])).toEqual([
      [undefined, [0, 1, 2]],
    ]);
  });

  test('a row that two keys claim stays with the one that it was linked to first; keys never become one', () => {
    expect(groupsOf([row('a', '1'), row(undefined, '2', '1'), row('b', '3', '2')])).toEqual([
      ['a', [0, 1]],
      ['b', [2]],
    ]);
    expect(groupsOf([row(undefined, '2', '1'), row('b', '3', '2'), row('a', '1')])).toEqual([
      ['b', [0, 1]],
      ['a', [2]],
    ]);
    expect(groupsOf([row('a', '1'), row('b', '1')])).toEqual([
      ['a', [0]],
      ['b', [1]],
    ]);
  });

  test('rows without anything belong to the only key, or to the first of them', () => {
    expect(groupsOf([row(undefined), row('a'), row(undefined)])).toEqual([['a', [0, 1, 2]]]);
    expect(groupsOf([row(undefined), row(undefined)])).toEqual([[undefined, [0, 1]]]);
    expect(groupsOf([row(undefined), row('a'), row('b')])).toHaveLength(3);
  });

  const size = 1 << 14;
  /** Rows by their names, in orders that make ways long. */
  const orders: { readonly [name: string]: (at: number) => readonly string[] } = {
    'a chain': (at) => [String(at + 1), String(at)],
    'a chain backwards': (at) => [String(size - at), String(size - at - 1)],
    'a chain in pieces': (at) => [String(((at * 12_345) % size) + 1), String((at * 12_345) % size)],
    'one name that is put below another each time': (at) => (at % 2 === 0 ? [`s${at}`] : ['t', `s${at - 1}`]),
  };
  test.each(Object.entries(orders))('are gathered in a few steps each: %s', (_, namesOf) => {
    let steps = 0;
    const parents = new Proxy<number[]>([], {
      get(target, member, receiver) {
        if (typeof member === 'string' && /^\d+$/.test(member)) steps += 1;
        return Reflect.get(target, member, receiver);
      },
    });
    const gatherer = gatherGroups(parents);
    for (let at = 0; at < size; at += 1) gatherer.add(row(undefined, ...namesOf(at)));
    expect(gatherer.settle().keys).toHaveLength(1);
    expect(steps).toBeLessThan(size * 2 * Math.log2(size));
    expect(steps).toBeGreaterThan(size);
  });
});
