import { integerOf, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { readBatch } from '../columns/read-batch.ts';
import { guarded, type StoreContext } from '../context.ts';
import { allOf, equals, type Filter, oneOf } from '../lance/filter.ts';
import { batches } from '../lance/scan.ts';
import { liveEntries } from '../read/live-entries.ts';
import { type RunFilter, runCondition } from '../read/run-filter.ts';
import type { Snapshot, Snapshots } from '../snapshot.ts';
import { joinWords, separateWords } from './search-text.ts';
import { holdsWords, type Snippet, snippetOf, wordsOf } from './snippet.ts';
import { refreshTextIndex } from './text-index.ts';

/** Options of a search. */
export interface FindOptions {
  /** Best matches wanted; default 20. */
  readonly limit?: number;
  /** Only Storylines that this selects. */
  readonly filter?: RunFilter;
  /** Only calls of this tool. */
  readonly tool?: string;
  /** Only turns of this source (`user`, `agent`, …); calls are left out. */
  readonly source?: string;
  /** All words must stand in the same turn or call (default), or any. */
  readonly words?: 'all' | 'any';
  readonly signal?: AbortSignal;
}

/** A turn or a call that was found. */
export interface FoundText {
  readonly kind: 'turn' | 'call';
  readonly documentKey: string;
  readonly documentId: string;
  readonly session: string;
  readonly run?: string;
  /** Id and 0-based position of the turn. */
  readonly turnId: bigint;
  readonly turn: number;
  /** `src` of the turn, for turns. */
  readonly source?: string;
  /** Tool and call id, for calls. */
  readonly tool?: string;
  readonly callId?: string;
  /** How well it matches; only comparable within one search. */
  readonly score: number;
  readonly snippet: Snippet;
}

const COMMON = [
  'document_key',
  'ingest_id',
  'document_id',
  'session_id',
  'run_id',
  'step_id',
  'turn_ordinal',
  'search_text',
  '_score',
];
const COLUMNS = {
  steps: [...COMMON, 'source'],
  tool_calls: [...COMMON, 'function_name', 'tool_call_id', 'call_index'],
} as const;
/** Keys up to which a search is given the selected Storylines as a filter. */
const MAX_KEYS = 1_000;

/** Searches messages, reasoning, arguments and results; best matches first. Rows that do not count are never among them. */
export async function findText(
  context: StoreContext,
  snapshot: Snapshots,
  query: string,
  options: FindOptions = {},
): Promise<FoundText[]> {
  const separated = separateWords(query);
  const words = wordsOf(separated);
  if (words.length === 0) return [];
  const limit = options.limit ?? 20;
  return await guarded(context, `search the store ${context.location.shown}`, async () => {
    const names: ('steps' | 'tool_calls')[] = [];
    if (options.tool === undefined) names.push('steps');
    if (options.source === undefined) names.push('tool_calls');
    for (const name of names) {
      options.signal?.throwIfAborted();
      await refreshTextIndex(context, name);
    }
    const pinned = await snapshot();
    const condition = options.filter === undefined ? undefined : runCondition(options.filter);
    const selected = condition === undefined ? undefined : await liveEntries(pinned, condition);
    if (selected?.length === 0) return [];
    const allowed = selected === undefined ? undefined : new Set(selected.map((entry) => entry.ingestId));
    const few =
      selected === undefined || selected.length > MAX_KEYS
        ? undefined
        : oneOf(
            'document_key',
            selected.map((entry) => entry.key),
          );
    const found: FoundText[] = [];
    for (const name of names) {
      options.signal?.throwIfAborted();
      const own =
        name === 'steps'
          ? options.source === undefined
            ? undefined
            : equals('source', options.source)
          : options.tool === undefined
            ? undefined
            : equals('function_name', options.tool);
      const rows = await liveMatches(context, pinned, name, separated, allOf(few, own), {
        limit,
        allowed,
        words: options.words ?? 'all',
      });
      for (const row of rows) found.push(foundText(name, row, words));
    }
    return found
      .sort((left, right) => right.score - left.score || (left.documentKey < right.documentKey ? -1 : 1))
      .slice(0, limit);
  });
}

/** The best live matches of one table: fetches more as long as rows that do not count take places. */
async function liveMatches(
  context: StoreContext,
  pinned: Snapshot,
  name: 'steps' | 'tool_calls',
  query: string,
  where: Filter | undefined,
  options: {
    readonly limit: number;
    readonly allowed: ReadonlySet<string> | undefined;
    readonly words: 'all' | 'any';
  },
): Promise<Row[]> {
  const { MatchQuery, Operator } = context.lance.lancedb;
  const known = new Map<string, boolean>();
  for (let wanted = options.limit + 10; ; wanted *= 4) {
    const match = new MatchQuery(query, 'search_text', {
      operator: options.words === 'all' ? Operator.And : Operator.Or,
    });
    let search = pinned.tables[name]
      .query()
      .fullTextSearch(match)
      .select([...COLUMNS[name]])
      .limit(wanted);
    if (where !== undefined) search = search.where(where);
    const rows: Row[] = [];
    for await (const batch of batches(search, 1_024)) rows.push(...readBatch(batch));
    const unknown = new Set(
      rows.filter((row) => !known.has(textOf(row, 'ingest_id'))).map((row) => textOf(row, 'document_key')),
    );
    if (unknown.size > 0) {
      const live = new Set(
        (await liveEntries(pinned, oneOf('document_key', [...unknown]))).map((entry) => entry.ingestId),
      );
      for (const row of rows) {
        const ingest = textOf(row, 'ingest_id');
        if (!known.has(ingest)) known.set(ingest, live.has(ingest) && (options.allowed?.has(ingest) ?? true));
      }
    }
    // Lance forgets a word that its index does not know, instead of finding nothing.
    const wantedWords = options.words === 'all' ? wordsOf(query) : [];
    const counting = rows.filter(
      (row) =>
        known.get(textOf(row, 'ingest_id')) === true && holdsWords(textOf(row, 'search_text'), wantedWords),
    );
    if (counting.length >= options.limit || rows.length < wanted) return counting.slice(0, options.limit);
  }
}

function foundText(name: 'steps' | 'tool_calls', row: Row, words: readonly string[]): FoundText {
  const run = optionalText(row, 'run_id');
  const score = row._score;
  return {
    kind: name === 'steps' ? 'turn' : 'call',
    documentKey: textOf(row, 'document_key'),
    documentId: textOf(row, 'document_id'),
    session: textOf(row, 'session_id'),
    ...(run === undefined ? {} : { run }),
    turnId: integerOf(row, 'step_id'),
    turn: Number(integerOf(row, 'turn_ordinal')),
    ...(name === 'steps'
      ? { source: textOf(row, 'source') }
      : { tool: textOf(row, 'function_name'), callId: textOf(row, 'tool_call_id') }),
    score: typeof score === 'number' ? score : 0,
    snippet: snippetOf(joinWords(textOf(row, 'search_text')), words),
  };
}
