import type { IngestSummary } from '@pchronicle/store-lance';

/** What an import did, over all its inputs. */
export type ImportTotals = Pick<IngestSummary, 'documents' | 'rows'>;

/** Nothing done yet. */
export const NOTHING_IMPORTED: ImportTotals = {
  documents: { new: 0, replaced: 0, unchanged: 0, rejected: 0, copies: 0, tombstoned: 0, elsewhere: 0 },
  rows: { runs: 0, steps: 0, tool_calls: 0 },
};

/** The sum of two imports. */
export function addTotals(left: ImportTotals, right: ImportTotals): ImportTotals {
  return {
    documents: addNumbers(left.documents, right.documents),
    rows: addNumbers(left.rows, right.rows),
  };
}

function addNumbers<Counts extends { readonly [name in keyof Counts]: number }>(
  left: Counts,
  right: Counts,
): Counts {
  const sums = { ...left } as { -readonly [name in keyof Counts]: number };
  for (const name of Object.keys(left) as (keyof Counts)[]) sums[name] = left[name] + right[name];
  return sums as Counts;
}
