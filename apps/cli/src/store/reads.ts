import type { StoreReads } from '@pchronicle/store-lance';
import type { Context } from '../context.ts';
import { momentOf } from './moment.ts';
import { withStore } from './open.ts';
import { withoutDamage } from './without-damage.ts';

/** Which store, and as of when. */
export interface ReadsOptions {
  readonly store: string;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
}

/** Opens the store for reading, as it is or as it was (`--as-of`), without what is damaged if that is asked for, runs the work, and lets go of it. */
export async function withReads(
  { store: uri, asOf, skipDamaged }: ReadsOptions,
  context: Context,
  work: (reads: StoreReads) => Promise<void>,
): Promise<void> {
  await withStore(uri, context, async (store) => {
    const reads = asOf === undefined ? store : await store.at(await momentOf(store, asOf));
    if (skipDamaged === true) await withoutDamage(reads, context, work);
    else await work(reads);
  });
}
