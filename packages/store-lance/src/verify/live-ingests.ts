import { columnsOf } from '../columns/read-batch.ts';
import { type ArrowBatch, batches } from '../lance/scan.ts';
import { isNewer } from '../newest.ts';
import type { StoredIngest } from '../read/live-entries.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Span } from './plan-units.ts';

/** The ingests that count, by number: some 0.2 kB each, as a store may hold millions. */
export interface LiveIngests {
  readonly length: number;
  /** The number of an ingest that counts. */
  numberOf(ingestId: string): number | undefined;
  at(number: number): StoredIngest;
  /** Rows that all ingests say they have, those that no longer count included. */
  readonly claimed: { readonly steps: number; readonly calls: number };
}

/** The columns that it reads. */
export const LIVE_COLUMNS = [
  'document_key',
  'ingest_id',
  'revision',
  'deleted',
  'step_count',
  'tool_call_count',
];

/** Finds the ingests that count with one scan of narrow columns of `runs`. */
export async function liveIngests(
  snapshot: Snapshot,
  /** The parts of `runs` that can be read. */
  parts: readonly Span[],
): Promise<LiveIngests> {
  const runs = snapshot.tables.runs;
  const rows = await runs.countRows();
  const keys: string[] = [];
  const ingestIds: string[] = [];
  const revisions = new BigInt64Array(rows);
  const rowIds = new BigUint64Array(rows);
  const steps = new Float64Array(rows);
  const calls = new Float64Array(rows);
  const deleted = new Uint8Array(rows);
  const byKey = new Map<string, number>();
  const claimed = { steps: 0, calls: 0 };
  const addBatch = (batch: ArrowBatch): void => {
    const columns = columnsOf(batch);
    const integer = (name: string, index: number): bigint => {
      const cell = columns.get(name)?.(index);
      return typeof cell === 'bigint' ? cell : 0n;
    };
    for (let index = 0; index < batch.numRows; index += 1) {
      const key = String(columns.get('document_key')?.(index));
      const ingestId = String(columns.get('ingest_id')?.(index));
      const revision = integer('revision', index);
      claimed.steps += Number(integer('step_count', index));
      claimed.calls += Number(integer('tool_call_count', index));
      let number = byKey.get(key);
      if (number === undefined) {
        number = keys.length;
        byKey.set(key, number);
        keys.push(key);
      } else {
        const before = { revision: revisions[number] ?? 0n, ingestId: ingestIds[number] ?? '' };
        if (!isNewer({ revision, ingestId }, before)) continue;
      }
      ingestIds[number] = ingestId;
      revisions[number] = revision;
      rowIds[number] = integer('_rowid', index);
      steps[number] = Number(integer('step_count', index));
      calls[number] = Number(integer('tool_call_count', index));
      deleted[number] = columns.get('deleted')?.(index) === true ? 1 : 0;
    }
  };
  for (const { start, end } of parts) {
    const query = runs
      .query()
      .select(LIVE_COLUMNS)
      .withRowId()
      .offset(start)
      .limit(end - start);
    for await (const batch of batches(query, 1_024)) addBatch(batch);
  }
  byKey.clear();
  const live: number[] = [];
  const numbers = new Map<string, number>();
  for (const [index, ingestId] of ingestIds.entries()) {
    if (deleted[index] === 1) continue;
    numbers.set(ingestId, live.length);
    live.push(index);
  }
  return {
    claimed,
    length: live.length,
    numberOf: (ingestId) => numbers.get(ingestId),
    at(number) {
      const index = live[number] ?? -1;
      return {
        key: keys[index] ?? '',
        ingestId: ingestIds[index] ?? '',
        rowId: rowIds[index] ?? 0n,
        steps: steps[index] ?? 0,
        calls: calls[index] ?? 0,
      };
    },
  };
}
