import { integerOf, optionalFlag, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import type { StoreContext } from '../context.ts';
import { allOf, type Filter, oneOf } from '../lance/filter.ts';
import { collect, scan } from '../lance/scan.ts';
import type { Versioned } from '../newest.ts';
import { type KnownIndex, knownIndex } from './known-index.ts';

/** What an import needs to know of a row in `runs`. */
export interface KnownRow extends Versioned {
  readonly key: string;
  readonly hash: string;
  readonly deleted: boolean;
  readonly documentId: string;
  readonly sourceId: string;
  readonly sourceDocument: string;
}

/** What an import asks for before it decides. */
export interface WantedRows {
  readonly keys: ReadonlySet<string>;
  readonly documentIds: ReadonlySet<string>;
  readonly sourceDocuments: readonly SourceDocumentId[];
}

/** A source document: its identity is unique in its source alone. */
export interface SourceDocumentId {
  readonly sourceId: string;
  readonly name: string;
}

/** The newest rows of everything asked for. */
export interface KnownView {
  byKey(key: string): KnownRow | undefined;
  byDocumentId(documentId: string): readonly KnownRow[];
  bySourceDocument(document: SourceDocumentId): readonly KnownRow[];
}

/** The newest rows of `runs` as an import sees them. */
export interface KnownRows {
  /** Looks things up in the newest version of the table. */
  find(wanted: WantedRows): Promise<KnownView>;
  /** Version of `runs` that the last `find` saw. */
  version(): number;
  /** Tells what was just committed, and as which version. */
  committed(rows: readonly KnownRow[], version: number): void;
}

/** Rows up to which all are loaded at once (50,000 in some 200 ms); a bigger table is asked batch by batch, through its indexes. */
const CACHED_ROWS = 200_000;
const KEYS_A_QUERY = 1_000;

const COLUMNS = [
  'document_key',
  'ingest_id',
  'revision',
  'content_hash',
  'deleted',
  'document_id',
  'source_id',
  'source_document',
];

/** Opens the view of `runs` for an import. */
export async function knownRows(context: StoreContext): Promise<KnownRows> {
  const { runs } = context.tables;
  let seen = await latestVersion(context);
  let cache: KnownIndex | undefined;
  let cacheVersion = -1;
  if ((await runs.countRows()) <= CACHED_ROWS) {
    cache = knownIndex();
    for await (const page of scan(runs, { columns: COLUMNS }))
      for (const row of page) cache.add(knownRow(row));
    cacheVersion = seen;
  }
  return {
    version: () => seen,
    async find(wanted) {
      seen = await latestVersion(context);
      // As long as nobody else commits, what was loaded plus what this import wrote is all there is.
      if (cache !== undefined && cacheVersion === seen) return cache;
      cache = undefined;
      return await lookUp(context, wanted);
    },
    committed(rows, version) {
      if (cache !== undefined && version === cacheVersion + 1) {
        for (const row of rows) cache.add(row);
        cacheVersion = version;
      } else cache = undefined;
      seen = version;
    },
  };
}

async function latestVersion(context: StoreContext): Promise<number> {
  await context.tables.runs.checkoutLatest();
  return await context.tables.runs.version();
}

async function lookUp(context: StoreContext, wanted: WantedRows): Promise<KnownView> {
  const found = knownIndex();
  const query = async (column: string, values: Iterable<string>, also?: Filter): Promise<void> => {
    const list = [...values];
    for (let start = 0; start < list.length; start += KEYS_A_QUERY) {
      const where = allOf(oneOf(column, list.slice(start, start + KEYS_A_QUERY)), also);
      for (const row of await collect(scan(context.tables.runs, { columns: COLUMNS, where })))
        found.add(knownRow(row));
    }
  };
  // All rows of a key carry the same document id, so this also finds the newest row of each wanted key.
  await query('document_id', wanted.documentIds);
  await query(
    'document_key',
    [...wanted.keys].filter((key) => found.byKey(key) === undefined),
  );
  const documents = wanted.sourceDocuments;
  const sourceIds = new Set(documents.map((document) => document.sourceId));
  // Documents of a few sources are asked for with their source; the index below keeps them apart in any case.
  const among = sourceIds.size <= KEYS_A_QUERY ? oneOf('source_id', [...sourceIds]) : undefined;
  await query('source_document', new Set(documents.map((document) => document.name)), among);
  // A key may have moved to another source document since: only its newest row tells.
  const members = documents.flatMap((document) => found.bySourceDocument(document).map((row) => row.key));
  await query(
    'document_key',
    members.filter((key) => !wanted.keys.has(key)),
  );
  return found;
}

function knownRow(row: Row): KnownRow {
  return {
    key: textOf(row, 'document_key'),
    ingestId: textOf(row, 'ingest_id'),
    revision: integerOf(row, 'revision'),
    hash: textOf(row, 'content_hash'),
    deleted: optionalFlag(row, 'deleted') === true,
    documentId: textOf(row, 'document_id'),
    sourceId: textOf(row, 'source_id'),
    sourceDocument: textOf(row, 'source_document'),
  };
}
