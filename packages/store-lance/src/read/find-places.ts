import { guarded, type StoreContext } from '../context.ts';
import { oneOf } from '../lance/filter.ts';
import type { Snapshot } from '../snapshot.ts';
import { isUnreadable } from '../verify/readable-spans.ts';
import type { StoredIngest } from './live-entries.ts';
import { readableRanges } from './readable-ranges.ts';
import { type RowRanges, rowRanges } from './row-ranges.ts';

/** Documents up to which the places of steps and calls are found by key; those of more, by one narrow scan. */
const FOUND_BY_KEY = 64;

/** Where the steps and calls of some Storylines lie, by the Storyline's number among them. */
export interface Places {
  readonly steps: RowRanges;
  readonly calls: RowRanges;
}

/** Finds them. */
export async function findPlaces(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly StoredIngest[],
): Promise<Places> {
  const numbers = new Map(entries.map((entry, number) => [entry.ingestId, number]));
  const where =
    entries.length > FOUND_BY_KEY
      ? undefined
      : oneOf(
          'document_key',
          entries.map((entry) => entry.key),
        );
  return await guarded(context, `read the store ${context.location.shown}`, async () => {
    const find = (name: 'steps' | 'tool_calls'): Promise<RowRanges> =>
      rowRanges(snapshot.tables[name], numbers, where).catch((cause: unknown) => {
        if (!isUnreadable(cause)) throw cause;
        return readableRanges(snapshot.tables[name], numbers);
      });
    const [steps, calls] = await Promise.all([find('steps'), find('tool_calls')]);
    return { steps, calls };
  });
}
