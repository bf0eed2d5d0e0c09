import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { findPlaces } from './find-places.ts';
import type { StoredIngest } from './live-entries.ts';
import { type ChunkParts, readChunk } from './read-chunk.ts';

/** Documents whose places are held at once. */
const WINDOW = 100_000;
/** Characters that a chunk of documents should hold: bounds memory, whatever the size of their values. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;
const CHUNK_DOCUMENTS = 500;
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
