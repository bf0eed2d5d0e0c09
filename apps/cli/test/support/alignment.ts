/** The blocks of an alignment in the output of `diff --json`: kind, left, right, count. */
export function blocksOf(result: { readonly alignment: readonly Record<string, unknown>[] }): unknown[][] {
  return result.alignment.map(({ kind, left, right, count }) => [kind, left, right, count]);
}
