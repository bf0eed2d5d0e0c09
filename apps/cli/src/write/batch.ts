import type { StoryCollection } from '@pchronicle/storyline-core';

/** Storylines to write that are complete among themselves: none of them shares an output document with a later batch. */
export interface StoryBatch {
  readonly stories: StoryCollection;
  readonly count: number;
  /** Name of the input that a Storyline came from, where it is known. */
  sourceOf(index: number): string | undefined;
  /** Called when all of it is written. */
  close(): void;
}

/** Tells whether more than one Storyline comes, without losing any: looks one batch ahead at most. */
export async function lookAhead(batches: AsyncIterable<StoryBatch>): Promise<{
  readonly several: boolean;
  readonly none: boolean;
  readonly batches: AsyncIterable<StoryBatch>;
}> {
  const iterator = batches[Symbol.asyncIterator]();
  const ahead: StoryBatch[] = [];
  while (ahead.reduce((sum, batch) => sum + batch.count, 0) < 2) {
    const next = await iterator.next();
    if (next.done === true) break;
    if (next.value.count === 0) next.value.close();
    else ahead.push(next.value);
  }
  return {
    several: ahead.reduce((sum, batch) => sum + batch.count, 0) > 1,
    none: ahead.length === 0,
    batches: replay(ahead, iterator),
  };
}

async function* replay(
  ahead: readonly StoryBatch[],
  rest: AsyncIterator<StoryBatch>,
): AsyncGenerator<StoryBatch> {
  try {
    yield* ahead;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
