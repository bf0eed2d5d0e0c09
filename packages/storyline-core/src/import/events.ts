import type { Issue, Place } from '../issue.ts';
import type { ByteRange } from '../source.ts';
import type { Storyline } from '../storyline.ts';

/** One source document: an ACTF task, one session's rows, one Storyline. The unit that is accepted or rejected as a whole (decision G7). */
export interface SourceDocument {
  /** 0-based position among the documents of its source. */
  readonly ordinal: number;
  readonly format: string;
  /** The document's place: source, record, line, offset. */
  readonly at: Place;
  /** Identity of the source document inside its source, where it has one before its records are read (group of rows). */
  readonly key?: string;
}

/**
 * What the reading driver yields, in order, for each source document:
 * `document`, then its `storyline`s and `issue`s mixed, then `end` with the verdict.
 * A consumer that must not keep anything of a rejected document (a store, a converter) holds its effects back until `end`.
 */
export type ImportEvent =
  | { readonly type: 'document'; readonly document: SourceDocument }
  | {
      readonly type: 'storyline';
      readonly storyline: Storyline;
      readonly document: SourceDocument;
      readonly at: Place;
    }
  | { readonly type: 'issue'; readonly issue: Issue; readonly document?: SourceDocument }
  | {
      readonly type: 'end';
      readonly document: SourceDocument;
      /** False: at least one error; everything of this document is to be forgotten. */
      readonly accepted: boolean;
      /** True: accepted, but records of it were left out (under `salvage`). */
      readonly salvaged?: true;
      /** How many Storylines it gave (salvaged ones only, under `salvage`). */
      readonly storylines: number;
      /** Where its bytes lie in the source: what a rejects file takes, byte for byte. */
      readonly ranges: readonly ByteRange[];
    }
  /** Bytes of the source read so far, for progress; sent now and then. */
  | { readonly type: 'progress'; readonly bytes: number };

/** Bounds on untrusted input (decision G18). */
export interface Limits {
  /** Nesting levels; default 1,000. */
  readonly depth: number;
  /** Bytes of one string; default 256 MiB. */
  readonly stringBytes: number;
  /** Bytes of one record; default 1 GiB. */
  readonly recordBytes: number;
}

/** The defaults of {@link Limits}. */
export const DEFAULT_LIMITS: Limits = {
  depth: 1_000,
  stringBytes: 256 * 1024 * 1024,
  recordBytes: 1024 * 1024 * 1024,
};

/** Options of the reading driver. */
export interface ImportOptions {
  readonly limits?: Partial<Limits>;
  /** NaN and Infinity tokens: an error (default), or read as null with one issue each (decision G6). */
  readonly nonFinite?: 'error' | 'null';
  /** Keep the good records of a bad document, with an issue for each other one (decision G7). */
  readonly salvage?: boolean;
  /** Stop after decode: what `validate` asks for; Storylines are still built, to find semantic faults, but need not be kept. */
  readonly signal?: AbortSignal;
}
