import type { StoreAccess, StoreContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StoreErrorCode } from '../store-error.ts';
import type { Checked } from './check-unit.ts';

/** What a thread that checks is started with. */
export interface CheckerData {
  readonly access: StoreAccess;
  readonly versions: Snapshot['versions'];
  readonly columns: StoreContext['columns'];
}

/** What it answers: one message for each unit it was sent. */
export type FromChecker =
  | { readonly type: 'checked'; readonly checked: Checked }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly code: StoreErrorCode | undefined;
    };
