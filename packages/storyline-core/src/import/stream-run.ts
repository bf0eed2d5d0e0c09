import { createLineIndex, type LineIndex } from '../containers/line-index.ts';
import type { Steps } from '../containers/need.ts';
import { held, readRange, type Window } from '../containers/window.ts';
import type { DrivenFormat } from '../format.ts';
import type { Source } from '../source.ts';
import type { ImportEvent, ImportOptions } from './events.ts';
import { type ImportRun, startRun } from './import-run.ts';

/** A run that reads a source piece by piece. */
export interface StreamRun extends ImportRun {
  readonly source: Source;
  readonly lineIndex: LineIndex;
  /** What progress was told last, in bytes. */
  told: number;
  /** Reused for records that are read on their own. */
  buffer: Uint8Array;
}

/** Progress is told when it grew by this many bytes. */
const PROGRESS_STEP = 4 * 1024 * 1024;

/** Starts the reading of one source. */
export function startStream(source: Source, format: DrivenFormat, options: ImportOptions): StreamRun {
  const run = startRun(source.name, format, options);
  return { ...run, source, lineIndex: createLineIndex(source), told: 0, buffer: new Uint8Array(0) };
}

/** Tells how far the reading is, when that is news. */
export function* tellProgress(run: StreamRun, bytes: number): Steps<void, ImportEvent> {
  if (bytes - run.told < PROGRESS_STEP) return;
  run.told = bytes;
  yield { type: 'progress', bytes };
}

/** The bytes [start, end) of the source: those of the window where it has them, else read into the run's own buffer, valid until the next call. */
export function* bytesOf(
  run: StreamRun,
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
