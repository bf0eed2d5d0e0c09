import type { AnyFormat, ExportDocument, Issue } from '@pchronicle/storyline-core';
import type { WriteOptions } from '../commands/write-options.ts';
import type { Context } from '../context.ts';
import type { IssueLog } from '../issues/log.ts';
import type { StoryBatch } from './batch.ts';
import type { Destination } from './destination.ts';

/** What a command writes with. */
export interface Writing {
  readonly format: AnyFormat;
  readonly destination: Destination;
  readonly options: WriteOptions;
  readonly context: Context;
  readonly log: IssueLog;
}

/** What was written. */
export interface Written {
  readonly documents: number;
  readonly storylines: number;
  readonly failed: number;
}

/** One document on its way out, with its batch and the number of Storylines before that. */
export interface Outgoing {
  readonly document: ExportDocument;
  readonly batch: StoryBatch;
  readonly before: number;
}

/** How the parts of writing tell about issues. */
export interface Reporting {
  report(issue: Issue): void;
  /** Writes the losses reported so far to their file. */
  flushLosses(): Promise<void>;
}
