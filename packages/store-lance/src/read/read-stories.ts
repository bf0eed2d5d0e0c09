import type { Storyline } from '@pchronicle/storyline-core';
import type { Row } from '../columns/column.ts';
import type { StoreContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import { storylineOf } from '../storyline-rows.ts';
import type { LiveEntry } from './live-entries.ts';
import { readParts } from './read-parts.ts';

/** A Storyline read back, with its entry. */
export interface ReadStory {
  readonly entry: LiveEntry;
  readonly storyline: Storyline;
}

/** Reads Storylines in the order of the entries, a few documents at a time. */
export async function* readStories(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): AsyncGenerator<ReadStory> {
  for await (const parts of readParts(context, snapshot, entries, false)) {
    const { entry } = parts;
    // Turns carry nothing that would show that one of their calls is missing.
    if (parts.toolCalls.length < entry.calls) {
      throw new StoreError(
        'store/damaged',
        `the Storyline with the document key ${entry.key} in ${context.location.shown} cannot be rebuilt: ${parts.toolCalls.length} of its ${entry.calls} calls are there`,
      );
    }
    // The rows are let go of while the Storyline is built, and no local may hold that while the consumer works.
    yield { entry, storyline: assemble(context, entry, parts, true) };
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
  release = false,
): Storyline {
  const doing = `the Storyline with the document key ${entry.key} in ${context.location.shown}`;
  if (parts.run === undefined) throw new StoreError('store/damaged', `${doing} has lost its row in runs`);
  const built = storylineOf({ run: parts.run, steps: parts.steps, toolCalls: parts.toolCalls }, release);
  if (built.storyline === undefined)
    throw new StoreError(
      'store/damaged',
      `${doing} cannot be rebuilt: ${built.faults[0] ?? 'unknown fault'}`,
    );
  return built.storyline;
}
