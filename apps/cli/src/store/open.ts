import type { Store } from '@pchronicle/store-lance';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';

/** Opens the store for a command that only reads it, runs the work, and lets go of it. */
export async function withStore(uri: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openExisting(uri);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function openExisting(uri: string): Promise<Store> {
  const { isStoreError, openStore } = await import('@pchronicle/store-lance');
  try {
    return await openStore(uri);
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'store/not-found') throw error;
    throw new Failure(EXIT.store, error.code, error.message, {
      hint: 'import something first (pchronicle import FILE), or name the store with --store or PCHRONICLE_STORE',
    });
  }
}
