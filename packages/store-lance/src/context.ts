import type * as LanceDb from '@lancedb/lancedb';
import type { Column } from './columns/column.ts';
import { explainFailure } from './lance/explain-failure.ts';
import type { Lance } from './lance/load-lance.ts';
import type { TableName } from './layout.ts';
import { StoreError } from './store-error.ts';
import type { StoreLocation } from './uri.ts';

/** One handle for each table. */
export type Tables = { readonly [name in TableName]: LanceDb.Table };

/** How to connect to a store. Holds credentials: never stored, never shown. */
export interface StoreAccess {
  readonly uri: string;
  readonly storageOptions?: { readonly [name: string]: string };
}

/** What the parts of an open store share. */
export interface StoreContext {
  readonly lance: Lance;
  readonly connection: LanceDb.Connection;
  /** How another thread connects to the same store. */
  readonly access: StoreAccess;
  readonly location: StoreLocation;
  /** Values that no message may show. */
  readonly secrets: readonly string[];
  /** Handles that follow the newest version. */
  readonly tables: Tables;
  /** The columns each table has, as far as this package knows them; an older store may lack some. */
  readonly columns: { readonly [name in TableName]: readonly Column[] };
  /** Layout version found in the store. */
  readonly layout: string;
  /** Told when a read of a table had to do without an index that is there. */
  readonly onUnreadableIndex: (name: TableName) => void;
  /** Told when a search had to do without a text index, because what is missing in it could not be added. */
  readonly onIndexBehind: () => void;
  /** Throws when the store was closed. */
  assertOpen(): void;
}

/** Runs something that touches the store; a failure of the store becomes a StoreError ("cannot …"). */
export async function guarded<Result>(
  context: Pick<StoreContext, 'secrets'>,
  doing: string,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (cause) {
    // Lance and Node throw plain errors; a TypeError is a bug, an AbortError somebody's wish: neither is the store's failure.
    if (cause instanceof Error && cause.name !== 'Error') throw cause;
    throw explainFailure(cause, doing, context.secrets);
  }
}

/** The error of a store that is used after `close()`. */
export function closedError(): StoreError {
  return new StoreError('store/closed', 'this store was closed');
}
