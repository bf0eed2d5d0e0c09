import { compareText, type FoundGroups } from '@pchronicle/storyline-core';

/** Finds which inputs hold parts of one record: those that share a group or are linked, directly or through others. */
export interface InputJoiner {
  /** Adds the next input of a format, with the groups of its rows. */
  add(name: string, format: string, groups: FoundGroups): void;
  /** The positions of the inputs that belong together, sorted by name; sets in the order of their first input. */
  sets(): readonly (readonly number[])[];
}

/** Starts with no inputs. Holds a number for each group and each input. */
export function createInputJoiner(): InputJoiner {
  const names: string[] = [];
  /** By input: itself, or one that it belongs with. */
  const parents: number[] = [];
  /** By format and id of a group: an input that has it. */
  const holders = new Map<string, Map<string, number>>();
  /** By format: inputs of the first two groups. */
  const keyed = new Map<string, readonly number[]>();
  const orphans: { readonly format: string; readonly input: number }[] = [];

  const rootOf = (input: number): number => {
    let root = input;
    for (let next = parents[root] ?? root; next !== root; next = parents[root] ?? root) root = next;
    // What was passed leads straight to the root from now on.
    for (let at = input; at !== root; ) {
      const next = parents[at] ?? root;
      parents[at] = root;
      at = next;
    }
    return root;
  };
  const unite = (left: number, right: number): void => {
    const [a, b] = [rootOf(left), rootOf(right)];
    parents[Math.max(a, b)] = Math.min(a, b);
  };

  return {
    add(name, format, { ids, canBeAdopted }) {
      const input = names.length;
      names.push(name);
      parents.push(input);
      const known = holders.get(format) ?? new Map<string, number>();
      holders.set(format, known);
      for (const id of ids) {
        const holder = known.get(id);
        if (holder === undefined) {
          known.set(id, input);
          // Names link rows, but are no groups that could adopt others.
          if (!id.startsWith('>')) keyed.set(format, [...(keyed.get(format) ?? []), input].slice(0, 2));
        } else unite(holder, input);
      }
      if (canBeAdopted) orphans.push({ format, input });
    },
    sets() {
      for (const { format, input } of orphans) {
        const [sole, another] = keyed.get(format) ?? [];
        if (sole !== undefined && another === undefined) unite(sole, input);
      }
      const sets = new Map<number, number[]>();
      for (const input of names.keys()) {
        const root = rootOf(input);
        const set = sets.get(root);
        if (set === undefined) sets.set(root, [input]);
        else set.push(input);
      }
      // By name, so that the order in which files are given changes nothing.
      return [...sets.values()].map((set) => set.sort((a, b) => compareText(names[a] ?? '', names[b] ?? '')));
    },
  };
}
