/** Hands out ids that are unique in a table: the wanted ones when all of a run are free, else the next numbers. */
export function idGiver() {
  const taken = new Set<bigint>();
  let highest = 0n;
  return (
    wanted: readonly (bigint | undefined)[],
  ): { readonly ids: readonly bigint[]; readonly renumbered: boolean } => {
    const distinct = new Set(wanted);
    const fits = distinct.size === wanted.length && wanted.every((id) => id !== undefined && !taken.has(id));
    const ids = wanted.map((id, index) => (fits && id !== undefined ? id : highest + BigInt(index) + 1n));
    for (const id of ids) {
      taken.add(id);
      if (id > highest) highest = id;
    }
    return { ids, renumbered: !fits };
  };
}
