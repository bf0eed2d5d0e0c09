import { anyOf, equals } from '../lance/filter.ts';
import type { Snapshot } from '../snapshot.ts';
import { type LiveEntry, liveEntries } from './live-entries.ts';

/** The columns that an id given by a person may name, most specific first. */
export const ID_COLUMNS = ['document_key', 'document_id', 'session_id', 'run_id', 'attempt_id'] as const;

/** Finds the Storylines that an id names: by document key, document id, session, run or attempt. Several are normal (decided by the caller). */
export async function resolveId(snapshot: Snapshot, id: string): Promise<LiveEntry[]> {
  return await liveEntries(snapshot, anyOf(...ID_COLUMNS.map((column) => equals(column, id))));
}
