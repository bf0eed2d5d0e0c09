import { textOf } from '../cells.ts';
import { anyOf, equals } from '../lance/filter.ts';
import { scan } from '../lance/scan.ts';
import type { Snapshot } from '../snapshot.ts';
import { type LiveEntry, liveEntries, selectedEntries } from './live-entries.ts';

/** The indexed columns that an id given by a person may name. */
const ID_COLUMNS = ['document_key', 'document_id', 'session_id', 'run_id'] as const;

/**
 * Finds the Storylines that an id names: by document key, document id, session or run; if none, by tool call; if none, by attempt
 * (many runs have an attempt "1"). Several are normal; the caller decides.
 */
export async function resolveId(snapshot: Snapshot, id: string): Promise<LiveEntry[]> {
  const found = await liveEntries(snapshot, anyOf(...ID_COLUMNS.map((column) => equals(column, id))));
  if (found.length > 0) return found;
  const calling = await callingEntries(snapshot, id);
  return calling.length > 0 ? calling : await liveEntries(snapshot, equals('attempt_id', id));
}

/** The Storylines with a call of some id. */
async function callingEntries(snapshot: Snapshot, callId: string): Promise<LiveEntry[]> {
  const ingests = new Set<string>();
  const keys = new Set<string>();
  const columns = ['document_key', 'ingest_id'];
  for await (const page of scan(snapshot.tables.tool_calls, {
    columns,
    where: equals('tool_call_id', callId),
  })) {
    for (const row of page) {
      ingests.add(textOf(row, 'ingest_id'));
      keys.add(textOf(row, 'document_key'));
    }
  }
  if (keys.size === 0) return [];
  const entries = await selectedEntries(snapshot, { documentKeys: [...keys] });
  // A replaced version may have had the call, and the newest may not.
  return entries.filter((entry) => ingests.has(entry.ingestId));
}
