import type { RowTells } from './group-keys.ts';

/** Finds out which rows are one group, while they are passed. Holds a number for each key and name, and for each row without a key. */
export interface GroupGatherer {
  /** Takes the next row; gives the number of its group as far as is known now: rows of one number stay together. */
  add(tells: RowTells): number;
  /** The groups in order of first appearance, by their keys, and by number given so far which of them it is. */
  settle(): { readonly keys: readonly (string | undefined)[]; readonly places: readonly number[] };
  /** The keys, text and number apart, and the names, with `>` in front. */
  ids(): readonly string[];
  /** Whether there are rows that may be adopted. */
  canBeAdopted(): boolean;
}

/**
 * Rows of one key are one group; so are rows that share a name, unless that would join two keys: then the row without a key stays with the
 * group that was linked to it first. Rows that may be adopted belong to the only key there is, or to the first of them. `parents` holds, by
 * number, itself or one that it is part of.
 */
export function gatherGroups(parents: number[] = []): GroupGatherer {
  const texts: (string | undefined)[] = [];
  const numbers = new Map<string, number>();
  /** The numbers of keys. */
  const keyed: number[] = [];
  const orphans: number[] = [];
  const rootOf = (number: number): number => {
    let root = number;
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
      let own = key && numbers.get(key.id);
      if (own === undefined) {
        own = parents.length;
        parents.push(own);
        texts.push(key?.text);
        if (key !== undefined) {
          numbers.set(key.id, own);
          keyed.push(own);
        } else if (isOrphan) orphans.push(own);
      }
      for (const name of names) {
        const known = numbers.get(`>${name}`);
        if (known === undefined) numbers.set(`>${name}`, own);
        else unite(known, own);
      }
      return own;
    },
    settle() {
      const [first = orphans[0] as number] = keyed;
      if (keyed.length < 2) for (const orphan of orphans) unite(first, orphan);
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
    ids: () => [...numbers.keys()],
    canBeAdopted: () => orphans.length > 0,
  };
}
