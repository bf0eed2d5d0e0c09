import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { oneOf } from '../lance/filter.ts';
import { take } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { DERIVED_COLUMNS } from '../storyline-rows.ts';
import { isUnreadable } from '../verify/readable-spans.ts';
import type { StoredIngest } from './live-entries.ts';
import { readableRanges } from './readable-ranges.ts';
import { type RowRanges, rowRanges } from './row-ranges.ts';

/** Documents up to which the places of steps and calls are found by key; those of more, by one narrow scan. */
const FOUND_BY_KEY = 64;
/** Documents whose places are held at once. */
const WINDOW = 100_000;
/** Characters that a chunk of documents should hold: bounds memory, whatever the size of their values. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;
const CHUNK_DOCUMENTS = 500;
/** Rows of the first take of a chunk, before their size is known, and characters that the next ones aim at. */
const FIRST_TAKE = 64;
const TAKE_CHARACTERS = 1024 * 1024;

/** The rows of one Storyline, in no certain order. The reader that is handed them may empty the lists. */
export interface ReadParts<Entry extends StoredIngest> {
  readonly entry: Entry;
  /** Its row in `runs`, if it can be read. */
  readonly run: Row | undefined;
  readonly steps: Row[];
  readonly toolCalls: Row[];
}

/** Reads the rows of Storylines in the order of the entries, a few documents at a time; all columns, or those that a Storyline is rebuilt from. */
export async function* readParts<Entry extends StoredIngest>(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly Entry[],
  allColumns: boolean,
): AsyncGenerator<ReadParts<Entry>> {
  let charactersAStep = CHUNK_CHARACTERS / 64;
  for (let start = 0; start < entries.length; start += WINDOW) {
    const window = entries.slice(start, start + WINDOW);
    const places = await findPlaces(context, snapshot, window);
    let first = 0;
    const readNext = (): Reading<Entry> | undefined => {
      const chunk = nextChunk(window, first, CHUNK_CHARACTERS / charactersAStep);
      if (chunk.length === 0) return undefined;
      const number = first;
      first += chunk.length;
      const parts = guarded(context, `read the store ${context.location.shown}`, () =>
        readChunk(context, snapshot, chunk, number, places, allColumns),
      );
      // Whoever waits for it is told; a reader that stops early does not ask.
      parts.catch(() => undefined);
      return { chunk, parts };
    };
    for (let reading = readNext(); reading !== undefined; ) {
      const { chunk } = reading;
      const parts: ChunkParts = await reading.parts;
      const steps = chunk.reduce((sum, entry) => sum + entry.steps + 1, 0);
      charactersAStep = Math.max(64, parts.characters / steps);
      // The next chunk is read while this one is worked on, unless this one is large already.
      const ahead = parts.characters <= 2 * CHUNK_CHARACTERS;
      reading = ahead ? readNext() : undefined;
      for (const entry of chunk) {
        // No local may hold the rows while the consumer works and the next chunk is read.
        yield partsOf(entry, parts);
      }
      if (!ahead) reading = readNext();
    }
  }
}

/** A chunk of documents that is being read. */
interface Reading<Entry> {
  readonly chunk: readonly Entry[];
  readonly parts: Promise<ChunkParts>;
}

function partsOf<Entry extends StoredIngest>(entry: Entry, parts: ChunkParts): ReadParts<Entry> {
  const run = parts.runs.get(entry.ingestId);
  const steps = parts.steps.get(entry.ingestId) ?? [];
  const toolCalls = parts.calls.get(entry.ingestId) ?? [];
  parts.runs.delete(entry.ingestId);
  parts.steps.delete(entry.ingestId);
  parts.calls.delete(entry.ingestId);
  return { entry, run, steps, toolCalls };
}

interface Places {
  readonly steps: RowRanges;
  readonly calls: RowRanges;
}

async function findPlaces(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly StoredIngest[],
): Promise<Places> {
  const numbers = new Map(entries.map((entry, number) => [entry.ingestId, number]));
  const where =
    entries.length > FOUND_BY_KEY
      ? undefined
      : oneOf(
          'document_key',
          entries.map((entry) => entry.key),
        );
  return await guarded(context, `read the store ${context.location.shown}`, async () => {
    const find = (name: 'steps' | 'tool_calls'): Promise<RowRanges> =>
      rowRanges(snapshot.tables[name], numbers, where).catch((cause: unknown) => {
        if (!isUnreadable(cause)) throw cause;
        return readableRanges(snapshot.tables[name], name, numbers);
      });
    const [steps, calls] = await Promise.all([find('steps'), find('tool_calls')]);
    return { steps, calls };
  });
}

function nextChunk<Entry extends StoredIngest>(
  entries: readonly Entry[],
  first: number,
  maxSteps: number,
): Entry[] {
  const chunk: Entry[] = [];
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
  chunk: readonly StoredIngest[],
  /** Of its first one, in `places`. */
  number: number,
  places: Places,
  allColumns: boolean,
): Promise<ChunkParts> {
  const names = (table: TableName): string[] =>
    context.columns[table]
      .map((column) => column.name)
      .filter((name) => allColumns || !DERIVED_COLUMNS.has(name));
  const runs = new Map<string, Row>();
  let characters = 0;
  const readRuns = async (): Promise<void> => {
    const runIds = chunk.map((entry) => entry.rowId);
    for await (const page of take(snapshot.tables.runs, runIds, { columns: names('runs') })) {
      for (const row of page) {
        runs.set(textOf(row, 'ingest_id'), row);
        characters += charactersOf(row);
      }
    }
  };
  const group = async (name: 'steps' | 'tool_calls', ranges: RowRanges): Promise<Map<string, Row[]>> => {
    const columns = names(name);
    const groups = new Map<string, Row[]>();
    const ids = chunk.flatMap((_, index) => ranges.addresses(number + index));
    // Small takes: Lance and the copy into JavaScript hold all of one at once, however big its values are.
    let size = FIRST_TAKE;
    for (let start = 0; start < ids.length; ) {
      const slice = ids.slice(start, start + size);
      start += slice.length;
      let taken = 0;
      for await (const page of take(snapshot.tables[name], slice, { columns })) {
        for (const row of page) {
          const ingest = textOf(row, 'ingest_id');
          taken += charactersOf(row);
          const rows = groups.get(ingest);
          if (rows === undefined) groups.set(ingest, [row]);
          else rows.push(row);
        }
      }
      characters += taken;
      size = Math.min(4096, Math.max(8, Math.round((slice.length * TAKE_CHARACTERS) / Math.max(1, taken))));
    }
    return groups;
  };
  const [, steps, calls] = await Promise.all([
    readRuns(),
    group('steps', places.steps),
    chunk.some((entry) => entry.calls > 0) ? group('tool_calls', places.calls) : new Map<string, Row[]>(),
  ]);
  return { runs, steps, calls, characters };
}

function charactersOf(row: Row): number {
  let characters = 0;
  for (const cell of Object.values(row)) if (typeof cell === 'string') characters += cell.length;
  return characters;
}
