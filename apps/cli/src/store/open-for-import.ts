import type { Store } from '@pchronicle/store-lance';
import { temporaryFolder } from '../io/temporary.ts';
import { checkStoreName } from './check-name.ts';

/** A store to import into, and its name for people. */
export interface ImportStore {
  readonly store: Store;
  readonly shown: string;
}

/** Opens the store to write into, making it if there is none. A dry run makes nothing: where there is no store, it looks at an empty one in a temporary folder. */
export async function openForImport(uri: string, dryRun: boolean): Promise<ImportStore> {
  checkStoreName(uri);
  const { isStoreError, openStore } = await import('@pchronicle/store-lance');
  if (!dryRun) {
    const store = await openStore(uri, { create: true });
    return { store, shown: store.uri };
  }
  try {
    const store = await openStore(uri);
    return { store, shown: store.uri };
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'store/not-found') throw error;
    const store = await openStore(`${temporaryFolder()}/store`, { create: true });
    return { store, shown: uri };
  }
}
