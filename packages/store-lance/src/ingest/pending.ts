import type { Place, SourceDocument, Storyline } from '@pchronicle/storyline-core';
import type { Row } from '../columns/column.ts';

/** What is to happen with a Storyline. */
export type Outcome = 'new' | 'replaced' | 'unchanged' | 'copy' | 'skipped-copy';

/** A Storyline on its way into the store. */
export interface PendingStory {
  readonly key: string;
  readonly sourceId: string;
  readonly documentId: string;
  /** Ordinal among the documents of the source that share the document id, from 1. */
  readonly ordinal: number;
  readonly ingestId: string;
  readonly hash: string;
  /** 0-based position among the Storylines of its source. */
  readonly position: number;
  readonly at: Place;
  /** Let go of once its calls and steps are written. */
  storyline: Storyline | undefined;
  outcome: Outcome | undefined;
  /** Its row for `runs`, once its calls and steps are written; the revision comes at the commit. */
  runRow: Row | undefined;
  steps: number;
  calls: number;
}

/** A source document that is being read, or waits for its commit. */
export interface PendingDocument {
  readonly document: SourceDocument;
  readonly sourceId: string;
  readonly stories: PendingStory[];
  /** Characters of the canonical JSON of the Storylines that wait in memory. */
  characters: number;
  /** Their turns. */
  turns: number;
  /** How many of its Storylines were let go of: written ahead, or not to be written. */
  released: number;
  /** Identity of the source document inside its source; known with its first Storyline. */
  identity: string | undefined;
  /** False once an error was reported for it: what it does not give may be there all the same. */
  complete: boolean;
  /** Whether it belongs to another share. */
  elsewhere: boolean;
}

/** Whether a Storyline's rows are written. */
export function isWritten({ outcome }: PendingStory): boolean {
  return outcome === 'new' || outcome === 'replaced' || outcome === 'copy';
}
