import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { integerOf, optionalFlag, textOf } from '../cells.ts';
import { guarded, type StoreContext } from '../context.ts';
import { scan } from '../lance/scan.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { isNewer, type Versioned } from '../newest.ts';
import type { Snapshot } from '../snapshot.ts';

/** One table in numbers. */
export interface TableInfo {
  readonly version: number;
  readonly rows: number;
  readonly fragments: number;
  /** Bytes of its data files in this version, as Lance counts them. */
  readonly bytes: number;
  readonly indexes: readonly string[];
}

/** A store in numbers. */
export interface StoreInfo {
  readonly uri: string;
  readonly layout: string;
  /** Storylines that count, their steps and calls. */
  readonly documents: number;
  readonly steps: number;
  readonly toolCalls: number;
  /** Rows that no longer count: replaced Storylines and tombstones, with the steps and calls of the former. */
  readonly superseded: { readonly runs: number; readonly steps: number; readonly toolCalls: number };
  /** Rows of imports that never committed. */
  readonly orphans: { readonly steps: number; readonly toolCalls: number };
  /** Sources that gave live Storylines. */
  readonly sources: number;
  readonly tables: { readonly [name in TableName]: TableInfo };
  /** Bytes on disk, all versions and indexes included; only for a local store. */
  readonly bytesOnDisk?: number;
}

/** Counts what a store holds. */
export async function storeInfo(context: StoreContext, snapshot: Snapshot): Promise<StoreInfo> {
  return await guarded(context, `read the store ${context.location.shown}`, async () => {
    interface Newest extends Versioned {
      readonly deleted: boolean;
      readonly sourceId: string;
      readonly steps: number;
      readonly calls: number;
    }
    const newest = new Map<string, Newest>();
    const all = { rows: 0, steps: 0, calls: 0 };
    const columns = [
      'document_key',
      'ingest_id',
      'revision',
      'deleted',
      'source_id',
      'step_count',
      'tool_call_count',
    ];
    for await (const page of scan(snapshot.tables.runs, { columns })) {
      for (const row of page) {
        const entry: Newest = {
          revision: integerOf(row, 'revision'),
          ingestId: textOf(row, 'ingest_id'),
          deleted: optionalFlag(row, 'deleted') === true,
          sourceId: textOf(row, 'source_id'),
          steps: Number(integerOf(row, 'step_count')),
          calls: Number(integerOf(row, 'tool_call_count')),
        };
        all.rows += 1;
        all.steps += entry.steps;
        all.calls += entry.calls;
        const key = textOf(row, 'document_key');
        const before = newest.get(key);
        if (before === undefined || isNewer(entry, before)) newest.set(key, entry);
      }
    }
    const live = { documents: 0, steps: 0, calls: 0 };
    const sources = new Set<string>();
    for (const entry of newest.values()) {
      if (entry.deleted) continue;
      live.documents += 1;
      live.steps += entry.steps;
      live.calls += entry.calls;
      sources.add(entry.sourceId);
    }
    const tables = {} as { [name in TableName]: TableInfo };
    for (const name of TABLE_NAMES) tables[name] = await tableInfo(snapshot, name);
    const disk =
      context.location.folder === undefined ? undefined : await folderBytes(context.location.folder);
    return {
      uri: context.location.shown,
      layout: context.layout,
      documents: live.documents,
      steps: live.steps,
      toolCalls: live.calls,
      superseded: {
        runs: all.rows - live.documents,
        steps: all.steps - live.steps,
        toolCalls: all.calls - live.calls,
      },
      // After a purge of superseded rows in `steps` alone this could be negative for a moment; nothing is orphaned then.
      orphans: {
        steps: Math.max(0, tables.steps.rows - all.steps),
        toolCalls: Math.max(0, tables.tool_calls.rows - all.calls),
      },
      sources: sources.size,
      tables,
      ...(disk === undefined ? {} : { bytesOnDisk: disk }),
    };
  });
}

async function tableInfo(snapshot: Snapshot, name: TableName): Promise<TableInfo> {
  const table = snapshot.tables[name];
  const stats = await table.stats();
  const indexes = await table.listIndices();
  return {
    version: snapshot.versions[name],
    rows: await table.countRows(),
    fragments: stats.fragmentStats.numFragments,
    bytes: stats.totalBytes,
    indexes: indexes.map((index) => index.name).sort(),
  };
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // Another process may be cleaning up: a file that is gone has no size.
    bytes += await stat(join(entry.parentPath ?? entry.path, entry.name)).then(
      (found) => found.size,
      () => 0,
    );
  }
  return bytes;
}
