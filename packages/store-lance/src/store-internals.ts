import type { StoreContext } from './context.ts';
import type { Snapshots } from './snapshot.ts';
import type { StoreReads } from './store.ts';

/** What the other entry points of this package need of an open store. */
export interface StoreInternals {
  readonly context: StoreContext;
  readonly snapshot: Snapshots;
}

const internals = new WeakMap<StoreReads, StoreInternals>();

/** Remembers the insides of a store, or of a moment of one. */
export function keepInternals(store: StoreReads, inside: StoreInternals): void {
  internals.set(store, inside);
}

/** The insides of a store that this package opened. */
export function storeInternals(store: StoreReads): StoreInternals {
  const inside = internals.get(store);
  if (inside === undefined) throw new TypeError('this is no store that openStore gave');
  inside.context.assertOpen();
  return inside;
}
