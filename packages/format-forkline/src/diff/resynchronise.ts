import type { StepSignature } from './step-signature.ts';

/** The nearest pair of offsets at which both runs show the same step again; of equal distances the smaller offset in A wins. */
export function resynchronise(
  a: StepSignature,
  b: StepSignature,
  i: number,
  lengthA: number,
  lengthB: number,
  window: number,
): { readonly a: number; readonly b: number } | undefined {
  for (let distance = 1; distance <= 2 * window; distance += 1) {
    for (let offset = 0; offset <= Math.min(distance, window - 1); offset += 1) {
      const other = distance - offset;
      if (other >= window || i + offset >= lengthA || i + other >= lengthB) continue;
      if (a.key(i + offset) === b.key(i + other)) return { a: offset, b: other };
    }
  }
  return undefined;
}
