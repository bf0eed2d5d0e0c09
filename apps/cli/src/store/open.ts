import type { Store } from '@pchronicle/store-lance';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { createIssueLog } from '../issues/log.ts';
import { checkStoreName } from './check-name.ts';

/** Opens the store for a command that does not import, runs the work, and lets go of it. What does not keep a read from its result is said in `context`. */
export async function withStore(
  uri: string,
  context: Context,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await openExisting(uri, context);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function openExisting(uri: string, { notes }: Context): Promise<Store> {
  checkStoreName(uri);
  const { isStoreError, openStore } = await import('@pchronicle/store-lance');
  try {
    return await openStore(uri, {
      onIssue(issue) {
        const log = createIssueLog(notes);
        log.add(issue);
        log.print();
      },
    });
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'store/not-found') throw error;
    throw new Failure(EXIT.store, error.code, error.message, {
      hint: 'import something first (pchronicle import FILE), or name the store with --store or PCHRONICLE_STORE',
    });
  }
}
