/** A copy of an earlier message that has its `reasoning_content` too. */
export const WITH_REASON = 1;
/** A copy without the unknown keys of the first occurrence (it may have others, as residuals of its own). */
export const BARE = 2;
/** A copy without `content`, where the first occurrence has null. */
export const WITHOUT_NULL = 4;
/** A copy whose `content` is null, where the first occurrence has none. */
export const WITH_NULL = 8;

/** A message in the form that flags describe, as one number: what a planned row holds of it. The flags are its lowest four bits. */
export function copyCode(ref: number, flags: number): number {
  return (ref << 4) | (flags & 15);
}

/** The request message of the row. */
export const USER = -1;
/** The output of the row, standing among its messages. */
export const OUTPUT = -2;
/** A message without a place in a Storyline: it is wholly residual. */
export const OTHER = -3;
/** A copy of the row's own output. */
export const OWN = -4;

/** The `index`-th new tool result of the row. */
export function toolItem(index: number): number {
  return -10 - index;
}

/** The index of a tool result item; negative for other items. */
export function toolIndex(item: number): number {
  return -10 - item;
}
