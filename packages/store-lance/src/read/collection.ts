import type { Storyline, StorylineHead } from '@pchronicle/storyline-core';
import type { StoreContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { readHeads } from './heads.ts';
import type { LiveEntry } from './live-entries.ts';
import { type ReadStory, readStories } from './read-stories.ts';

/** Storylines of one pinned version, in the order of exports; what core's export drivers read from. */
export interface StoredCollection {
  readonly length: number;
  readonly documentKeys: readonly string[];
  heads(): AsyncIterable<StorylineHead>;
  read(index: number): Promise<Storyline>;
  /** Names the source document a Storyline came from, among those of one id. */
  sourceOf(index: number): string | undefined;
}

/** Storylines a forward jump may skip before reading starts anew at the wanted one. */
const SKIPPED = 8;

/** Makes a collection of entries. Reading in order costs one pass; jumping costs a lookup. */
export function storedCollection(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): StoredCollection {
  let reading: AsyncGenerator<ReadStory> | undefined;
  let next = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (index: number): Promise<Storyline> => {
    if (entries[index] === undefined)
      throw new RangeError(`there is no Storyline ${index} among ${entries.length}`);
    if (reading === undefined || index < next || index > next + SKIPPED) {
      await reading?.return(undefined);
      reading = readStories(context, snapshot, entries.slice(index));
      next = index;
    }
    for (;;) {
      const item: IteratorResult<ReadStory> = await reading.next();
      if (item.done === true) throw new RangeError(`there is no Storyline ${index} among ${entries.length}`);
      next += 1;
      if (next > index) return item.value.storyline;
    }
  };
  return {
    length: entries.length,
    documentKeys: entries.map((entry) => entry.key),
    heads: () => readHeads(context, snapshot, entries),
    sourceOf(index) {
      const entry = entries[index];
      // Not the record: attempts of one task that came as rows, or as Storylines one a line, are one document in their own format.
      return entry && `${entry.sourceId}#${entry.sourceDocumentOrdinal}`;
    },
    read(index) {
      // One read at a time: they share a cursor.
      const result = turn.then(() => read(index));
      turn = result.catch(() => undefined);
      return result;
    },
  };
}
