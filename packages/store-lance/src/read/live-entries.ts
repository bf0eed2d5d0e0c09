import { integerOf, optionalFlag, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { compareStrings } from '../compare-strings.ts';
import { ordinalOf } from '../identity.ts';
import { type Filter, oneOf } from '../lance/filter.ts';
import { scan } from '../lance/scan.ts';
import { isNewer, type Versioned } from '../newest.ts';
import type { Snapshot } from '../snapshot.ts';
import { type RunFilter, runCondition } from './run-filter.ts';

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

/**
 * The live rows of `runs` that a condition selects, and of those the keys in `keys` if it is given, in the order of exports: source, record,
 * position in the record. What remains in memory is some 0.3 kB a row.
 */
export async function liveEntries(
  snapshot: Snapshot,
  where: Filter | undefined,
  keys?: ReadonlySet<string>,
): Promise<LiveEntry[]> {
  const { runs } = snapshot.tables;
  const read = entryReader();
  const newest = new Map<string, Found>();
  const offer = (row: Row): void => {
    const key = textOf(row, 'document_key');
    if (keys?.has(key) === false) return;
    const before = newest.get(key);
    if (before === undefined || isNewer(versionOf(row), before.entry)) newest.set(key, read(row));
  };
  let matched: Set<string> | undefined;
  if (where !== undefined) {
    const matchedKeys = new Set<string>();
    matched = new Set();
    const columns = ['document_key', 'ingest_id'];
    for await (const page of scan(runs, { columns, where })) {
      for (const row of page) {
        const key = textOf(row, 'document_key');
        if (keys?.has(key) === false) continue;
        matched.add(textOf(row, 'ingest_id'));
        matchedKeys.add(key);
      }
    }
    if (matched.size <= LOOKED_UP) {
      const list = [...matchedKeys];
      for (let start = 0; start < list.length; start += KEYS_A_QUERY) {
        const some = oneOf('document_key', list.slice(start, start + KEYS_A_QUERY));
        for await (const page of scan(runs, { columns: ENTRY_COLUMNS, where: some, rowIds: true }))
          page.forEach(offer);
      }
    }
  }
  if (matched === undefined || matched.size > LOOKED_UP) {
    for await (const page of scan(runs, { columns: ENTRY_COLUMNS, rowIds: true })) page.forEach(offer);
  }
  const entries: LiveEntry[] = [];
  for (const { entry, deleted } of newest.values()) {
    // The condition may have met a row that was replaced since: only the newest row of a key counts.
    if (!deleted && matched?.has(entry.ingestId) !== false) entries.push(entry);
  }
  return entries.sort(compareEntries);
}

/** Keys up to which a filter names them in a condition; more are looked for while all rows are read. */
const KEYS_IN_CONDITION = 1_000;

/** The live rows that a filter selects, in the order of exports. */
export async function selectedEntries(snapshot: Snapshot, filter: RunFilter): Promise<LiveEntry[]> {
  const { documentKeys, ...others } = filter;
  if (documentKeys === undefined || documentKeys.length <= KEYS_IN_CONDITION)
    return await liveEntries(snapshot, runCondition(filter));
  return await liveEntries(snapshot, runCondition(others), new Set(documentKeys));
}

interface Found {
  readonly entry: LiveEntry;
  readonly deleted: boolean;
}

function versionOf(row: Row): Versioned {
  return { revision: integerOf(row, 'revision'), ingestId: textOf(row, 'ingest_id') };
}

/** Reads entries. Sources repeat: each is held once, however many rows name it. */
function entryReader(): (row: Row) => Found {
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  };
  return (row) => {
    const { revision, ingestId } = versionOf(row);
    return {
      deleted: optionalFlag(row, 'deleted') === true,
      entry: {
        // Nearly all: no need for a number on the heap each.
        revision: revision === 1n ? 1n : revision,
        ingestId,
        key: textOf(row, 'document_key'),
        rowId: integerOf(row, '_rowid'),
        sourcePath: shared(textOf(row, 'source_path')),
        sourceId: shared(textOf(row, 'source_id')),
        sourceDocumentOrdinal: ordinalOf(optionalText(row, 'source_document') ?? ''),
        position: Number(integerOf(row, 'storage_ordinal')),
        steps: Number(integerOf(row, 'step_count')),
        calls: Number(integerOf(row, 'tool_call_count')),
      },
    };
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
