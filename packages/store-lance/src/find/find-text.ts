import type * as LanceDb from '@lancedb/lancedb';
import { integerOf, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { readBatch } from '../columns/read-batch.ts';
import { guarded, type StoreContext } from '../context.ts';
import { allOf, anyOf, equals, type Filter, oneOf } from '../lance/filter.ts';
import { reportUnreadableIndex } from '../lance/filtered-batches.ts';
import { batches } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import { liveEntries } from '../read/live-entries.ts';
import { type RunFilter, runCondition } from '../read/run-filter.ts';
import type { Snapshot, Snapshots } from '../snapshot.ts';
import { scanText } from './scan-text.ts';
import { joinWords, separateWords } from './search-text.ts';
import { holdsWords, type Snippet, snippetOf, wordsOf } from './snippet.ts';
import { refreshTextIndex } from './text-index.ts';
import { holdsPiece, unspacedPieces, withoutPieces } from './unspaced.ts';

/** Options of a search. */
export interface FindOptions {
  /** Best matches wanted; default 20. */
  readonly limit?: number;
  /** Only Storylines that this selects. */
  readonly filter?: RunFilter;
  /** Only calls of this tool. */
  readonly tool?: string;
  /** Only turns of this source (`user`, `agent`, …); calls and prompts are left out. */
  readonly source?: string;
  /** All words must stand in the same turn or call (default), or any. */
  readonly words?: 'all' | 'any';
  readonly signal?: AbortSignal;
}

/** A turn or a call that was found; or a Storyline itself (`story`), by its prompts, notes, answer or error. */
export interface FoundText {
  readonly kind: 'turn' | 'call' | 'story';
  readonly documentKey: string;
  readonly documentId: string;
  readonly session: string;
  readonly run?: string;
  /** Id and 0-based position of the turn, for turns and calls. */
  readonly turnId?: bigint;
  readonly turn?: number;
  /** `src` of the turn, for turns. */
  readonly source?: string;
  /** Tool and call id, for calls. */
  readonly tool?: string;
  readonly callId?: string;
  /** How well it matches; only comparable within one search. 0 for a part of a word, in scripts without spaces. */
  readonly score: number;
  readonly snippet: Snippet;
}

const COMMON = ['document_key', 'ingest_id', 'document_id', 'session_id', 'run_id', 'search_text', '_score'];
const COLUMNS: { readonly [name in TableName]: readonly string[] } = {
  runs: COMMON,
  steps: [...COMMON, 'step_id', 'turn_ordinal', 'source'],
  tool_calls: [...COMMON, 'step_id', 'turn_ordinal', 'function_name', 'tool_call_id', 'call_index'],
};
/** Rows with the score of the last one wanted that are looked at, so that which of them are shown does not change. */
const MOST_TIES = 2_000;
/** Keys up to which a search is given the selected Storylines as a filter. */
const MAX_KEYS = 1_000;

/**
 * Searches messages, reasoning, arguments and results, prompts and notes; best matches first, equally good ones by document, turn and call.
 * Rows that do not count are never among them. The past is searched in the tables of today, which hold all that any kept version counts.
 */
export async function findText(
  context: StoreContext,
  { present, snapshot }: { readonly present: Snapshots; readonly snapshot: Snapshots },
  query: string,
  options: FindOptions = {},
): Promise<FoundText[]> {
  const separated = separateWords(query);
  const words = wordsOf(separated);
  const pieces = unspacedPieces(separated);
  if (words.length === 0) return [];
  const limit = options.limit ?? 20;
  return await guarded(context, `search the store ${context.location.shown}`, async () => {
    const names: TableName[] = [];
    // A store of layout 1.0 that nobody has written to since has no such text.
    const withStories = context.columns.runs.some((column) => column.name === 'search_text');
    if (options.tool === undefined && options.source === undefined && withStories) names.push('runs');
    if (options.tool === undefined) names.push('steps');
    if (options.source === undefined) names.push('tool_calls');
    for (const name of names) {
      options.signal?.throwIfAborted();
      try {
        await refreshTextIndex(context, name);
      } catch (cause) {
        if (cause instanceof Error && cause.name !== 'Error') throw cause;
        // An index that cannot be read: the search tells.
      }
    }
    const pinned = await snapshot();
    const { tables } = snapshot === present ? pinned : await present();
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
    const found: { readonly name: TableName; readonly row: Row }[] = [];
    for (const name of names) {
      options.signal?.throwIfAborted();
      const where = allOf(few, ownCondition(name, options));
      const asked = { limit, allowed, words: options.words ?? 'all', signal: options.signal };
      const source = { pinned, table: tables[name] };
      const rows = await liveMatches(context, source, name, separated, where, asked).catch(
        async (cause: unknown) => {
          if (cause instanceof Error && cause.name !== 'Error') throw cause;
          const scanned = await wordMatches(source, name, words, where, asked);
          reportUnreadableIndex(tables[name]);
          return scanned;
        },
      );
      for (const row of rows) found.push({ name, row });
    }
    found.sort((left, right) => compareMatches(left.row, right.row));
    if (found.length < limit && pieces.length > 0) {
      const wanted = limit - found.length;
      const further: { readonly name: TableName; readonly row: Row }[] = [];
      for (const name of names) {
        const rows = await partMatches(
          { pinned, table: tables[name] },
          name,
          { pieces, words: wordsOf(withoutPieces(separated)), mode: options.words ?? 'all' },
          allOf(few, ownCondition(name, options)),
          {
            limit: wanted,
            allowed,
            known: found.filter((match) => match.name === name).map((match) => match.row),
            signal: options.signal,
          },
        );
        for (const row of rows) further.push({ name, row });
      }
      further.sort((left, right) => compareMatches(left.row, right.row));
      found.push(...further.slice(0, wanted));
    }
    const marked = [...words, ...pieces];
    return found.slice(0, limit).map(({ name, row }) => foundText(name, row, marked));
  });
}

/** What the options ask of the rows of one table. */
function ownCondition(name: TableName, { source, tool }: FindOptions): Filter | undefined {
  return allOf(
    name !== 'steps' || source === undefined ? undefined : equals('source', source),
    name !== 'tool_calls' || tool === undefined ? undefined : equals('function_name', tool),
  );
}

/** Which of some rows count, and are among the selected; remembers what it has looked up. */
function liveRows(
  pinned: Snapshot,
  allowed: ReadonlySet<string> | undefined,
): (rows: readonly Row[]) => Promise<Row[]> {
  const known = new Map<string, boolean>();
  return async (rows) => {
    const unknown = new Set(
      rows.filter((row) => !known.has(textOf(row, 'ingest_id'))).map((row) => textOf(row, 'document_key')),
    );
    if (unknown.size > 0) {
      const live = new Set(
        (await liveEntries(pinned, oneOf('document_key', [...unknown]))).map((entry) => entry.ingestId),
      );
      for (const row of rows) {
        const ingest = textOf(row, 'ingest_id');
        if (!known.has(ingest)) known.set(ingest, live.has(ingest) && (allowed?.has(ingest) ?? true));
      }
    }
    return rows.filter((row) => known.get(textOf(row, 'ingest_id')) === true);
  };
}

/** Live rows of one table that hold pieces of text as parts of words, which its index does not know; in order of document, turn and call. */
async function partMatches(
  { pinned, table }: { readonly pinned: Snapshot; readonly table: LanceDb.Table },
  name: TableName,
  query: {
    readonly pieces: readonly string[];
    readonly words: readonly string[];
    readonly mode: 'all' | 'any';
  },
  where: Filter | undefined,
  options: {
    readonly limit: number;
    readonly allowed: ReadonlySet<string> | undefined;
    readonly known: readonly Row[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<Row[]> {
  const { pieces, words, mode } = query;
  const held = pieces.map(holdsPiece);
  const live = liveRows(pinned, options.allowed);
  const known = new Set(options.known.map(placeOf));
  return await scanText(table, {
    columns: COLUMNS[name].filter((column) => column !== '_score'),
    where: allOf(where, mode === 'all' ? allOf(...held) : anyOf(...held)),
    meant: mode === 'all' && words.length > 0 ? (text) => holdsWords(text, words) : undefined,
    unseen: async (rows) => (await live(rows)).filter((row) => !known.has(placeOf(row))),
    compare: compareMatches,
    limit: options.limit,
    signal: options.signal,
  });
}

/** The same as the index finds, from all texts of a table: in order of document, turn and call, not of rank. */
async function wordMatches(
  { pinned, table }: { readonly pinned: Snapshot; readonly table: LanceDb.Table },
  name: TableName,
  words: readonly string[],
  where: Filter | undefined,
  options: {
    readonly limit: number;
    readonly allowed: ReadonlySet<string> | undefined;
    readonly words: 'all' | 'any';
    readonly signal: AbortSignal | undefined;
  },
): Promise<Row[]> {
  return await scanText(table, {
    columns: COLUMNS[name].filter((column) => column !== '_score'),
    where,
    meant: (text) =>
      options.words === 'all' ? holdsWords(text, words) : words.some((word) => holdsWords(text, [word])),
    unseen: liveRows(pinned, options.allowed),
    compare: compareMatches,
    limit: options.limit,
    signal: options.signal,
  });
}

/** What tells a row from the others of its table. */
function placeOf(row: Row): string {
  return [textOf(row, 'ingest_id'), row.turn_ordinal ?? '', row.call_index ?? ''].join(' ');
}

/** The best live matches of one table: fetches more as long as rows that do not count take places. */
async function liveMatches(
  context: StoreContext,
  { pinned, table }: { readonly pinned: Snapshot; readonly table: LanceDb.Table },
  name: TableName,
  query: string,
  where: Filter | undefined,
  options: {
    readonly limit: number;
    readonly allowed: ReadonlySet<string> | undefined;
    readonly words: 'all' | 'any';
  },
): Promise<Row[]> {
  const { MatchQuery, Operator } = context.lance.lancedb;
  const live = liveRows(pinned, options.allowed);
  for (let wanted = options.limit + 10; ; wanted *= 4) {
    const match = new MatchQuery(query, 'search_text', {
      operator: options.words === 'all' ? Operator.And : Operator.Or,
    });
    let search = table
      .query()
      .fullTextSearch(match)
      .select([...COLUMNS[name]])
      .limit(wanted);
    if (where !== undefined) search = search.where(where);
    const rows: Row[] = [];
    for await (const batch of batches(search, 1_024)) rows.push(...readBatch(batch));
    // Lance forgets a word that its index does not know, instead of finding nothing.
    const wantedWords = options.words === 'all' ? wordsOf(query) : [];
    const counting = (await live(rows)).filter((row) => holdsWords(textOf(row, 'search_text'), wantedWords));
    const complete = rows.length < wanted;
    const last = counting[options.limit - 1];
    if (!complete && last === undefined) continue;
    // Among equally good ones Lance's order is none: all of them are needed to choose.
    const open = last !== undefined && scoreOf(rows.at(-1)) === scoreOf(last);
    if (!complete && open && wanted < options.limit + MOST_TIES) continue;
    return counting.sort(compareMatches).slice(0, options.limit);
  }
}

function scoreOf(row: Row | undefined): number {
  return typeof row?._score === 'number' ? row._score : 0;
}

/** Best first; equally good ones by document, and in it by place: the Storyline itself, its turns, their calls. */
function compareMatches(left: Row, right: Row): number {
  const place = (row: Row, column: string): number =>
    row[column] === undefined ? -1 : Number(integerOf(row, column));
  return (
    scoreOf(right) - scoreOf(left) ||
    compareStrings(textOf(left, 'document_key'), textOf(right, 'document_key')) ||
    place(left, 'turn_ordinal') - place(right, 'turn_ordinal') ||
    place(left, 'call_index') - place(right, 'call_index')
  );
}

function compareStrings(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const KINDS = { runs: 'story', steps: 'turn', tool_calls: 'call' } as const;

function foundText(name: TableName, row: Row, words: readonly string[]): FoundText {
  const run = optionalText(row, 'run_id');
  return {
    kind: KINDS[name],
    documentKey: textOf(row, 'document_key'),
    documentId: textOf(row, 'document_id'),
    session: textOf(row, 'session_id'),
    ...(run === undefined ? {} : { run }),
    ...(name === 'runs'
      ? {}
      : { turnId: integerOf(row, 'step_id'), turn: Number(integerOf(row, 'turn_ordinal')) }),
    ...(name === 'steps' ? { source: textOf(row, 'source') } : {}),
    ...(name === 'tool_calls'
      ? { tool: textOf(row, 'function_name'), callId: textOf(row, 'tool_call_id') }
      : {}),
    score: scoreOf(row),
    snippet: snippetOf(joinWords(textOf(row, 'search_text')), words),
  };
}
