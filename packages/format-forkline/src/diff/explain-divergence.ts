/** What {@link firstDivergence} can find. */
export type DivergenceStatus =
  | 'exact_match'
  | 'op_divergence'
  | 'input_divergence'
  | 'error_divergence'
  | 'output_divergence'
  | 'missing_steps'
  | 'extra_steps';

/** Steps that only the first run has. */
export function missingText(i: number, count: number): string {
  return count === 1
    ? `Step ${i} from run_a missing in run_b`
    : `Steps ${i}..${i + count - 1} from run_a missing in run_b`;
}

/** Steps that only the second run has. */
export function extraText(i: number, count: number): string {
  return count === 1
    ? `Step ${i} in run_b not present in run_a`
    : `Steps ${i}..${i + count - 1} in run_b not present in run_a`;
}

/** What differs in a step that both runs have. */
export function explain(status: DivergenceStatus, i: number, nameA: string, nameB: string): string {
  if (status === 'op_divergence') return `Step ${i}: operation mismatch ('${nameA}' vs '${nameB}')`;
  if (status === 'input_divergence') return `Step ${i} '${nameA}': input differs`;
  if (status === 'error_divergence') return `Step ${i} '${nameA}': error state differs`;
  return `Step ${i} '${nameA}': output differs (same input)`;
}
