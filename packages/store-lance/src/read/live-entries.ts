import { integerOf, optionalFlag, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { ordinalOf } from '../identity.ts';
import { type Filter, oneOf } from '../lance/filter.ts';
import { scan } from '../lance/scan.ts';
import { isNewer, type Versioned } from '../newest.ts';
import type { Snapshot } from '../snapshot.ts';

/** Where the rows of one Storyline are found. */
export interface StoredIngest {
  readonly key: string;
  readonly ingestId: string;
  /** Address of the row in `runs`, in the pinned version. */
  readonly rowId: bigint;
  readonly steps: number;
  readonly calls: number;
}

/** A row of `runs` that counts: the newest of its key, and no tombstone. */
export interface LiveEntry extends Versioned, StoredIngest {
  readonly sourcePath: string;
  readonly sourceId: string;
  /** Which of the source documents of one id in its source it came from, from 1. */
  readonly sourceDocumentOrdinal: number;
  readonly position: number;
}

const ENTRY_COLUMNS = [
  'document_key',
  'ingest_id',
  'revision',
  'deleted',
  'source_id',
  'source_path',
  'source_document',
  'storage_ordinal',
  'step_count',
  'tool_call_count',
];

/** Matches up to which the newest row is looked up by key; more are compared with all rows of the table. */
const LOOKED_UP = 2_000;
const KEYS_A_QUERY = 1_000;

/** The live rows of `runs` that a condition selects, in the order of exports: source, record, position in the record. */
export async function liveEntries(snapshot: Snapshot, where: Filter | undefined): Promise<LiveEntry[]> {
  const matched: Row[] = [];
  let all = where === undefined;
  if (where !== undefined) {
    for await (const page of scan(snapshot.tables.runs, { columns: ENTRY_COLUMNS, where, rowIds: true })) {
      for (const row of page) matched.push(row);
    }
    all = matched.length > LOOKED_UP;
  }
  const newest = new Map<string, Row>();
  const offer = (row: Row): void => {
    const key = textOf(row, 'document_key');
    const before = newest.get(key);
    if (before === undefined || isNewer(versionOf(row), versionOf(before))) newest.set(key, row);
  };
  if (all) {
    for await (const page of scan(snapshot.tables.runs, { columns: ENTRY_COLUMNS, rowIds: true }))
      page.forEach(offer);
  } else {
    const keys = [...new Set(matched.map((row) => textOf(row, 'document_key')))];
    for (let start = 0; start < keys.length; start += KEYS_A_QUERY) {
      const some = oneOf('document_key', keys.slice(start, start + KEYS_A_QUERY));
      for await (const page of scan(snapshot.tables.runs, {
        columns: ENTRY_COLUMNS,
        where: some,
        rowIds: true,
      }))
        page.forEach(offer);
    }
  }
  const candidates = where === undefined ? newest.values() : matched;
  const entries: LiveEntry[] = [];
  for (const row of candidates) {
    const last = newest.get(textOf(row, 'document_key'));
    // The condition may have met a row that was replaced since: only the newest row of a key counts.
    if (
      last !== undefined &&
      textOf(last, 'ingest_id') === textOf(row, 'ingest_id') &&
      optionalFlag(last, 'deleted') !== true
    ) {
      entries.push(entryOf(row));
    }
  }
  return entries.sort(compareEntries);
}

function versionOf(row: Row): Versioned {
  return { revision: integerOf(row, 'revision'), ingestId: textOf(row, 'ingest_id') };
}

function entryOf(row: Row): LiveEntry {
  return {
    ...versionOf(row),
    key: textOf(row, 'document_key'),
    rowId: integerOf(row, '_rowid'),
    sourcePath: textOf(row, 'source_path'),
    sourceId: textOf(row, 'source_id'),
    sourceDocumentOrdinal: ordinalOf(optionalText(row, 'source_document') ?? ''),
    position: Number(integerOf(row, 'storage_ordinal')),
    steps: Number(integerOf(row, 'step_count')),
    calls: Number(integerOf(row, 'tool_call_count')),
  };
}

function compareEntries(left: LiveEntry, right: LiveEntry): number {
  return (
    compareStrings(left.sourcePath, right.sourcePath) ||
    compareStrings(left.sourceId, right.sourceId) ||
    left.position - right.position ||
    compareStrings(left.key, right.key)
  );
}

function compareStrings(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
