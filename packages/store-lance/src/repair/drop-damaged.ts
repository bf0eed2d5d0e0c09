import type { StoreContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import { dropRows } from './drop-rows.ts';
import { findDamage } from './find-damage.ts';
import { named } from './without-damage.ts';

/** Rows that were dropped because they cannot be read. */
export interface DroppedRows {
  readonly steps: number;
  readonly tool_calls: number;
}

const SHOWN = 5;

/**
 * Drops rows of `steps` and `tool_calls` that cannot be read from the newest version. Only when they are of no Storyline that counts, and
 * never rows of `runs`, of which nobody knows what they name: else throws `store/damaged`, and drops nothing.
 */
export async function dropDamaged(
  context: StoreContext,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<DroppedRows> {
  const { shown } = context.location;
  const { tables, hit } = await findDamage(context, snapshot, signal);
  if (tables.runs.unreadable.length > 0) {
    throw new StoreError(
      'store/damaged',
      `cannot drop damaged rows of the store ${shown}: rows of its table runs cannot be read, and nobody knows what they name; put that file back from a copy, or export what can be read`,
    );
  }
  if (hit.length > 0) {
    const some = (await named(snapshot, hit.slice(0, SHOWN))).map(({ documentId }) => `"${documentId}"`);
    const more = hit.length > SHOWN ? ` and ${hit.length - SHOWN} more` : '';
    throw new StoreError(
      'store/damaged',
      `cannot drop damaged rows of the store ${shown}: rows of ${some.join(', ')}${more} are among them; put the files back from a copy, or delete these first and import them again`,
    );
  }
  const dropped = { steps: 0, tool_calls: 0 };
  for (const name of ['steps', 'tool_calls'] as const) {
    const { unreadable } = tables[name];
    await context.tables[name].checkoutLatest();
    await dropRows(context.tables[name], snapshot.tables[name], unreadable);
    for (const { start, end } of unreadable) dropped[name] += end - start;
  }
  return dropped;
}
