import type { Span } from './plan-units.ts';

/** Rows that cannot be read, and why. */
export interface UnreadableSpan extends Span {
  readonly cause: unknown;
}

/** Reads rows; gives why they cannot be read, or `undefined`. */
export type ReadRows = (span: Span) => Promise<UnreadableSpan | undefined>;

/** Rows, spread evenly, of which one must be readable to look for more. */
const PROBES = 8;
/** Reads that may fail before what is left of a part that is hit counts as a whole. */
const MOST_FAILURES = 2_000;

/**
 * Which rows of a part that cannot be read as a whole those are that cannot: pages of a data file are read apart, and one that is spoilt leaves
 * the others as they were. Halves what fails until single rows stand alone.
 */
export async function unreadableRows(whole: UnreadableSpan, read: ReadRows): Promise<UnreadableSpan[]> {
  if (!(await anyReadable(whole, read))) return [whole];
  const found: UnreadableSpan[] = [];
  let failures = 0;
  const add = (span: UnreadableSpan): void => {
    const last = found.at(-1);
    if (last?.end === span.start) found[found.length - 1] = { ...last, end: span.end };
    else found.push(span);
  };
  const narrow = async (span: UnreadableSpan): Promise<void> => {
    failures += 1;
    if (span.end - span.start === 1 || failures > MOST_FAILURES) return add(span);
    const middle = (span.start + span.end) >> 1;
    for (const [start, end] of [
      [span.start, middle],
      [middle, span.end],
    ] as const) {
      const failed = await read({ start, end });
      if (failed !== undefined) await narrow(failed);
    }
  };
  await narrow(whole);
  // What failed as a whole, and in no part, is not to be trusted either.
  return found.length === 0 ? [whole] : found;
}

/** A file that is cut short gives no row at all: that is seen soon. */
async function anyReadable({ start, end }: Span, read: ReadRows): Promise<boolean> {
  const stride = Math.max(1, Math.floor((end - start) / PROBES));
  for (let row = start; row < end; row += stride)
    if ((await read({ start: row, end: row + 1 })) === undefined) return true;
  return false;
}

/** The parts of a span between others that lie in it, in their order. */
export function spansBetween({ start, end }: Span, others: readonly Span[]): Span[] {
  const found: Span[] = [];
  let at = start;
  for (const other of others) {
    if (other.start > at) found.push({ start: at, end: other.start });
    at = other.end;
  }
  if (at < end) found.push({ start: at, end });
  return found;
}
