import type { Storyline } from '@pchronicle/storyline-core';
import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { oneOf } from '../lance/filter.ts';
import { scan, take } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import { type StoredRows, storylineOf } from '../storyline-rows.ts';
import type { LiveEntry } from './live-entries.ts';
import { type RowRanges, rowRanges, rowsIn } from './row-ranges.ts';

/** Documents up to which steps and calls are found by their key; more are found by one narrow scan for where they lie. */
const FOUND_BY_KEY = 64;
/** Documents whose places are held at once. */
const WINDOW = 100_000;
/** Characters that a chunk of documents should hold: bounds memory, whatever the size of their values. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;
const CHUNK_DOCUMENTS = 500;

const NO_ROWS: StoredRows = { run: {}, steps: [], toolCalls: [] };

/** A Storyline read back, with its entry. */
export interface ReadStory {
  readonly entry: LiveEntry;
  readonly storyline: Storyline;
  /** The rows it was built from; empty unless they were asked for. */
  readonly parts: StoredRows;
}

/** Reads Storylines in the order of the entries, a few documents at a time. */
export async function* readStories(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
  keepRows = false,
): AsyncGenerator<ReadStory> {
  let charactersAStep = CHUNK_CHARACTERS / 64;
  for (let start = 0; start < entries.length; start += WINDOW) {
    const window = entries.slice(start, start + WINDOW);
    const places = window.length <= FOUND_BY_KEY ? undefined : await findPlaces(context, snapshot, window);
    for (let first = 0; first < window.length; ) {
      const chunk = nextChunk(window, first, CHUNK_CHARACTERS / charactersAStep);
      first += chunk.length;
      const parts = await guarded(context, `read the store ${context.location.shown}`, () =>
        readChunk(context, snapshot, chunk, places),
      );
      const steps = chunk.reduce((sum, entry) => sum + entry.steps + 1, 0);
      charactersAStep = Math.max(64, parts.characters / steps);
      for (const entry of chunk) {
        const run = parts.runs.get(entry.ingestId);
        const own = {
          run,
          steps: parts.steps.get(entry.ingestId) ?? [],
          toolCalls: parts.calls.get(entry.ingestId) ?? [],
        };
        // Let go of the rows before the consumer works on the Storyline.
        parts.runs.delete(entry.ingestId);
        parts.steps.delete(entry.ingestId);
        parts.calls.delete(entry.ingestId);
        const storyline = assemble(context, entry, own);
        yield {
          entry,
          storyline,
          parts: keepRows && own.run !== undefined ? { ...own, run: own.run } : NO_ROWS,
        };
      }
    }
  }
}

/** Builds a Storyline from its rows; a row that is missing or contradicts another is damage, never repaired. */
export function assemble(
  context: StoreContext,
  entry: LiveEntry,
  parts: {
    readonly run: Row | undefined;
    readonly steps: readonly Row[];
    readonly toolCalls: readonly Row[];
  },
): Storyline {
  const doing = `the Storyline with the document key ${entry.key} in ${context.location.shown}`;
  if (parts.run === undefined) throw new StoreError('store/damaged', `${doing} has lost its row in runs`);
  const built = storylineOf({ run: parts.run, steps: parts.steps, toolCalls: parts.toolCalls });
  if (built.storyline === undefined)
    throw new StoreError(
      'store/damaged',
      `${doing} cannot be rebuilt: ${built.faults[0] ?? 'unknown fault'}`,
    );
  return built.storyline;
}

interface Places {
  readonly steps: RowRanges;
  readonly calls: RowRanges;
}

async function findPlaces(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): Promise<Places> {
  const wanted = new Set(entries.map((entry) => entry.ingestId));
  return await guarded(context, `read the store ${context.location.shown}`, async () => ({
    steps: await rowRanges(snapshot.tables.steps, wanted),
    calls: await rowRanges(snapshot.tables.tool_calls, wanted),
  }));
}

function nextChunk(entries: readonly LiveEntry[], first: number, maxSteps: number): LiveEntry[] {
  const chunk: LiveEntry[] = [];
  let steps = 0;
  for (let index = first; index < entries.length && chunk.length < CHUNK_DOCUMENTS; index += 1) {
    const entry = entries[index];
    if (entry === undefined || (chunk.length > 0 && steps + entry.steps > maxSteps)) break;
    chunk.push(entry);
    steps += entry.steps + 1;
  }
  return chunk;
}

interface ChunkParts {
  readonly runs: Map<string, Row>;
  readonly steps: Map<string, Row[]>;
  readonly calls: Map<string, Row[]>;
  readonly characters: number;
}

async function readChunk(
  context: StoreContext,
  snapshot: Snapshot,
  chunk: readonly LiveEntry[],
  places: Places | undefined,
): Promise<ChunkParts> {
  const ingests = new Set(chunk.map((entry) => entry.ingestId));
  const keys = chunk.map((entry) => entry.key);
  const runs = new Map<string, Row>();
  let characters = 0;
  const runIds = chunk.map((entry) => entry.rowId);
  for await (const page of take(snapshot.tables.runs, runIds, { columns: names(context, 'runs') })) {
    for (const row of page) {
      runs.set(textOf(row, 'ingest_id'), row);
      characters += charactersOf(row);
    }
  }
  const group = async (name: 'steps' | 'tool_calls'): Promise<Map<string, Row[]>> => {
    const table = snapshot.tables[name];
    const columns = names(context, name);
    const ranges = name === 'steps' ? places?.steps : places?.calls;
    const pages =
      ranges === undefined
        ? scan(table, { columns, where: oneOf('document_key', keys), batchRows: 512 })
        : take(table, rowsIn(ranges, ingests), { columns, batchRows: 512 });
    const groups = new Map<string, Row[]>();
    for await (const page of pages) {
      for (const row of page) {
        const ingest = textOf(row, 'ingest_id');
        // Rows of the key that were replaced, or never committed, do not count.
        if (!ingests.has(ingest)) continue;
        characters += charactersOf(row);
        const rows = groups.get(ingest);
        if (rows === undefined) groups.set(ingest, [row]);
        else rows.push(row);
      }
    }
    return groups;
  };
  const steps = await group('steps');
  const calls = chunk.some((entry) => entry.calls > 0) ? await group('tool_calls') : new Map<string, Row[]>();
  return { runs, steps, calls, characters };
}

function names(context: StoreContext, table: TableName): string[] {
  return context.columns[table].map((column) => column.name);
}

function charactersOf(row: Row): number {
  let characters = 0;
  for (const cell of Object.values(row)) if (typeof cell === 'string') characters += cell.length;
  return characters;
}
