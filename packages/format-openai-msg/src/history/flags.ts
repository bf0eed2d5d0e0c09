/** A copy of an earlier message that has its `reasoning_content` too. */
export const WITH_REASON = 1;
/** A copy without the unknown keys of the first occurrence (it may have others, as residuals of its own). */
export const BARE = 2;
/** A copy that differs in having, or not having, a `content` key (the content is null). */
export const CONTENT_KEY = 4;

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
