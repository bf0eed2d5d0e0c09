import { createLineIndex, type LineIndex } from '../containers/line-index.ts';
import type { Steps } from '../containers/need.ts';
import { held, readRange, type Window } from '../containers/window.ts';
import type { AnyFormat, Reader } from '../format.ts';
import type { Place } from '../issue.ts';
import type { ParseSettings } from '../json/parse.ts';
import type { Source } from '../source.ts';
import { DEFAULT_LIMITS, type ImportEvent, type ImportOptions } from './events.ts';
import { tallyUnknownKeys, type UnknownKeyTally } from './unknown-keys.ts';

/** What the parts of the reading driver work with while one source is read. */
export interface ImportRun extends ParseSettings {
  readonly source: Source;
  readonly format: AnyFormat;
  readonly reader: Reader<unknown, unknown>;
  readonly salvage: boolean;
  readonly lineIndex: LineIndex;
  readonly unknownKeys: UnknownKeyTally;
  /** Documents begun so far. */
  documents: number;
  /** Errors reported so far. */
  errors: number;
  /** What progress was told last, in bytes. */
  told: number;
  /** Added to what is said about broken JSON: what this container expects. */
  hint: string;
  /** Reused for records that are read on their own. */
  buffer: Uint8Array;
}

/** Progress is told when it grew by this many bytes. */
const PROGRESS_STEP = 4 * 1024 * 1024;

/** Starts the reading of one source. */
export function startRun(source: Source, format: AnyFormat, options: ImportOptions): ImportRun {
  if (format.reader === undefined) throw new TypeError(`the format ${format.id} has no reader`);
  return {
    source,
    format,
    reader: format.reader,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    nonFinite: format.nonFinite ?? options.nonFinite ?? 'error',
    keepFloats: format.keepFloats ?? false,
    salvage: options.salvage ?? false,
    lineIndex: createLineIndex(source),
    unknownKeys: tallyUnknownKeys(format.id),
    documents: 0,
    errors: 0,
    told: 0,
    hint: '',
    buffer: new Uint8Array(0),
  };
}

/** Tells how far the reading is, when that is news. */
export function* tellProgress(run: ImportRun, bytes: number): Steps<void, ImportEvent> {
  if (bytes - run.told < PROGRESS_STEP) return;
  run.told = bytes;
  yield { type: 'progress', bytes };
}

/** The bytes [start, end) of the source: those of the window where it has them, else read into the run's own buffer, valid until the next call. */
export function* bytesOf(
  run: ImportRun,
  window: Window | undefined,
  start: number,
  end: number,
): Steps<Uint8Array> {
  const atHand = window === undefined ? undefined : held(window, start, end);
  if (atHand !== undefined) return atHand;
  if (run.buffer.length < end - start) run.buffer = new Uint8Array(end - start);
  yield* readRange(run.source, start, end, run.buffer);
  return run.buffer.subarray(0, end - start);
}

/** A place in the source of a run. */
export function placeIn(run: ImportRun, rest: Omit<Place, 'source'>): Place {
  return { source: run.source.name, ...rest };
}
