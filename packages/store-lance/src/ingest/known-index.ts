import { isNewer } from '../newest.ts';
import type { KnownRow, KnownView } from './known-rows.ts';

/** The newest rows of what was added, to be looked up. */
export interface KnownIndex extends KnownView {
  add(row: KnownRow): void;
}

/** Makes an empty one. Some 0.5 kB a row: texts that are equal are held once, and a list is only made where there is more than one. */
export function knownIndex(): KnownIndex {
  const newest = new Map<string, KnownRow>();
  const documents = new Map<string, Keys>();
  const sources = new Map<string, Source>();
  const rowsOf = (keys: Keys | undefined, keep: (row: KnownRow) => boolean): KnownRow[] => {
    const rows: KnownRow[] = [];
    for (const key of typeof keys === 'string' ? [keys] : (keys ?? [])) {
      const row = newest.get(key);
      if (row !== undefined && keep(row)) rows.push(row);
    }
    return rows;
  };
  const sourceOf = (sourceId: string): Source => {
    let source = sources.get(sourceId);
    if (source === undefined) {
      source = { id: sourceId, documents: new Map() };
      sources.set(sourceId, source);
    }
    return source;
  };
  return {
    byKey: (key) => newest.get(key),
    byDocumentId: (documentId) =>
      rowsOf(documents.get(stored(documentId)), (row) => row.documentId === stored(documentId)),
    bySourceDocument: ({ sourceId, name }) =>
      rowsOf(
        sources.get(stored(sourceId))?.documents.get(stored(name)),
        (row) => row.sourceId === stored(sourceId) && row.sourceDocument === stored(name),
      ),
    add(row) {
      const before = newest.get(row.key);
      if (before !== undefined && !isNewer(row, before)) return;
      const source = sourceOf(stored(row.sourceId));
      const documentId = stored(row.documentId);
      const sourceDocument = row.sourceDocument === row.documentId ? documentId : stored(row.sourceDocument);
      // Nearly all have revision 1: no need for a number on the heap each.
      const revision = row.revision === 1n ? 1n : row.revision;
      newest.set(row.key, { ...row, revision, documentId, sourceId: source.id, sourceDocument });
      put(documents, documentId, row.key);
      put(source.documents, sourceDocument, row.key);
    },
  };
}

/** One key, as nearly always, or several. */
type Keys = string | Set<string>;

/** What one source gave: the keys of each of its source documents. */
interface Source {
  readonly id: string;
  readonly documents: Map<string, Keys>;
}

function put(map: Map<string, Keys>, name: string, key: string): void {
  const keys = map.get(name);
  if (keys === undefined) map.set(name, key);
  else if (typeof keys !== 'string') keys.add(key);
  else if (keys !== key) map.set(name, new Set([keys, key]));
}

/** A text as a Utf8 column gives it back: lone surrogates become U+FFFD. */
export function stored(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text;
}
