import type { RowTells } from './group-keys.ts';

/** Finds out which rows are one group, while they are passed. Holds a number for each key and name, and for each row without a key. */
export interface GroupGatherer {
  /** Takes the next row; gives the number of its group as far as is known now: rows of one number stay together. */
  add(tells: RowTells): number;
  /** The groups in order of first appearance, by their keys, and by number given so far which of them it is. */
  settle(): { readonly keys: readonly (string | undefined)[]; readonly places: readonly number[] };
  /** The keys, text and number apart. */
  ids(): readonly string[];
  names(): readonly string[];
  readonly orphans: number;
}

/**
 * Rows of one key are one group; so are rows that share a name, unless that would join two keys: then the row without a key stays with the
 * group that named it first. Rows that may be adopted belong to the only key there is, or to the first of them.
 */
export function gatherGroups(): GroupGatherer {
  /** By number: itself, or one that it is part of. */
  const parents: number[] = [];
  const texts: (string | undefined)[] = [];
  const byKey = new Map<string, number>();
  const byName = new Map<string, number>();
  const orphans: number[] = [];
  const rootOf = (of: number): number => {
    let root = of;
    for (let next = parents[root] as number; next !== root; next = parents[root] as number) {
      // Half of the way is cut off each time, so ways stay short.
      parents[root] = parents[next] as number;
      root = next;
    }
    return root;
  };
  const unite = (left: number, right: number): void => {
    const [a, b] = [rootOf(left), rootOf(right)];
    if (texts[b] === undefined) parents[b] = a;
    else if (texts[a] === undefined) parents[a] = b;
  };
  return {
    add({ key, names, isOrphan }) {
      let own = key && byKey.get(key.id);
      if (own === undefined) {
        own = parents.length;
        parents.push(own);
        texts.push(key?.text);
        if (key !== undefined) byKey.set(key.id, own);
        else if (isOrphan) orphans.push(own);
      }
      for (const name of names) {
        const known = byName.get(name);
        if (known === undefined) byName.set(name, own);
        else unite(known, own);
      }
      return own;
    },
    settle() {
      const [known = orphans[0] as number] = byKey.values();
      if (byKey.size < 2) for (const orphan of orphans) unite(known, orphan);
      const keys: (string | undefined)[] = [];
      const placeOf = new Map<number, number>();
      const places = parents.map((_, number) => {
        const root = rootOf(number);
        const place = placeOf.get(root) ?? keys.push(texts[root]) - 1;
        placeOf.set(root, place);
        return place;
      });
      return { keys, places };
    },
    ids: () => [...byKey.keys()],
    names: () => [...byName.keys()],
    get orphans() {
      return orphans.length;
    },
  };
}
