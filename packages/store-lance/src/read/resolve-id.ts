import { anyOf, equals } from '../lance/filter.ts';
import type { Snapshot } from '../snapshot.ts';
import { type LiveEntry, liveEntries } from './live-entries.ts';

/** The indexed columns that an id given by a person may name. */
const ID_COLUMNS = ['document_key', 'document_id', 'session_id', 'run_id'] as const;

/**
 * Finds the Storylines that an id names: by document key, document id, session or run; if none, by attempt (many runs have an attempt "1").
 * Several are normal; the caller decides.
 */
export async function resolveId(snapshot: Snapshot, id: string): Promise<LiveEntry[]> {
  const found = await liveEntries(snapshot, anyOf(...ID_COLUMNS.map((column) => equals(column, id))));
  return found.length > 0 ? found : await liveEntries(snapshot, equals('attempt_id', id));
}
