import type * as LanceDb from '@lancedb/lancedb';
import { integerOf, optionalFlag, textOf } from '../cells.ts';
import { scan } from '../lance/scan.ts';
import { isNewer, type Versioned } from '../newest.ts';

/** The rows of `runs` by whether they still matter. */
export interface RunRows {
  /**
   * Ingest ids of rows that nobody can ask for any more: replaced, or tombstones with all before them, before the cutoff.
   * The rows of a key come in the order of their revisions: deleted in this order, nothing comes back however far one gets.
   */
  readonly superseded: readonly string[];
  /** All other ingest ids. */
  readonly kept: ReadonlySet<string>;
}

interface Version extends Versioned {
  readonly deleted: boolean;
  readonly time: bigint;
}

/**
 * Finds the rows of `runs` that were superseded before `cutoff` (nanoseconds): by a newer row of their key that is itself older than that.
 * What a reader as of any later moment would see is never among them. A tombstone goes together with all it covers, or stays.
 */
export async function findSuperseded(runs: LanceDb.Table, cutoff: bigint): Promise<RunRows> {
  const keys = new Map<string, Version[]>();
  const columns = ['document_key', 'ingest_id', 'revision', 'deleted', 'ingested_at'];
  for await (const page of scan(runs, { columns })) {
    for (const row of page) {
      const version: Version = {
        revision: integerOf(row, 'revision'),
        ingestId: textOf(row, 'ingest_id'),
        deleted: optionalFlag(row, 'deleted') === true,
        time: integerOf(row, 'ingested_at'),
      };
      const key = textOf(row, 'document_key');
      const versions = keys.get(key);
      if (versions === undefined) keys.set(key, [version]);
      else versions.push(version);
    }
  }
  const superseded: string[] = [];
  const kept = new Set<string>();
  for (const versions of keys.values()) {
    versions.sort((left, right) => (isNewer(left, right) ? 1 : -1));
    let allGone = true;
    for (const [index, version] of versions.entries()) {
      const next = versions[index + 1];
      // The newest row goes only if it is an old tombstone and all that it covers goes too (clocks differ): else that would come back.
      const gone: boolean =
        next === undefined ? version.deleted && version.time < cutoff && allGone : next.time < cutoff;
      allGone &&= gone;
      if (gone) superseded.push(version.ingestId);
      else kept.add(version.ingestId);
    }
  }
  return { superseded, kept };
}
