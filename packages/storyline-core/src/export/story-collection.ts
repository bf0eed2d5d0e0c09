import { headOf, type Storyline, type StorylineHead } from '../storyline.ts';

/** A selection of Storylines to write: all heads at once, whole Storylines one by one, possibly more than once. */
export interface StoryCollection {
  /** The heads in the order of the selection. */
  heads(): AsyncIterable<StorylineHead> | Iterable<StorylineHead>;
  /** The Storyline at a position of that order. */
  read(index: number): Promise<Storyline> | Storyline;
  /** A text that is the same for the Storylines of one source document, and another one for a second document of the same id, where that is known. */
  sourceOf?(index: number): string | undefined;
}

/** A collection of Storylines that are in memory; reading it never waits. */
export interface StoryArray extends StoryCollection {
  heads(): Iterable<StorylineHead>;
  read(index: number): Storyline;
}

/** Makes a collection of Storylines that are in memory. */
export function storyCollection(storylines: readonly Storyline[]): StoryArray {
  return {
    // Whatever is handed in has a head; the driver says what is wrong with it.
    heads: () => storylines.map((storyline) => headOf(storyline ?? {})),
    read(index) {
      const storyline = storylines[index];
      if (storyline === undefined)
        throw new RangeError(`there is no Storyline ${index} of ${storylines.length}`);
      return storyline;
    },
  };
}
