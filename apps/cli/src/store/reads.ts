import type { Store, StoreReads } from '@pchronicle/store-lance';
import type { Context } from '../context.ts';
import { momentOf } from './moment.ts';
import { withStore } from './open.ts';

/** Which store, and as of when. */
export interface ReadsOptions {
  readonly store: string;
  readonly asOf?: string;
}

/** Opens the store for reading, as it is or as it was (`--as-of`), runs the work, and lets go of it. */
export async function withReads(
  options: ReadsOptions,
  context: Context,
  work: (reads: StoreReads, store: Store) => Promise<void>,
): Promise<void> {
  await withStore(options.store, context, async (store) => {
    const { asOf } = options;
    await work(asOf === undefined ? store : await store.at(await momentOf(store, asOf)), store);
  });
}
