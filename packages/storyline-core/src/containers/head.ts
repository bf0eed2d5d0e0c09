import type { Head } from '../format.ts';
import { DEFAULT_LIMITS } from '../import/events.ts';
import { findInvalidUtf8, OPEN_ARRAY, OPEN_OBJECT } from '../json/bytes.ts';
import type { Json } from '../json/value.ts';
import type { Source } from '../source.ts';
import { BrokenStructure } from './fault.ts';
import { findLayout, openSource } from './layout.ts';
import { type LineState, nextLine } from './lines.ts';
import type { Steps } from './need.ts';
import { runSteps } from './run-steps.ts';
import { sketchValue } from './sketch.ts';
import { skipValue } from './skip-value.ts';
import { nextElement } from './walk.ts';
import { CHUNK, openInner, peek, positionOf, readRange, seek, type Window } from './window.ts';

/** How {@link readHead} looks. */
export interface HeadOptions {
  /** Counts the elements or lines of an input of any size; by default they are counted only when the input is small. */
  readonly count?: boolean;
}

/** Length of {@link Head.bytes}. */
const FIRST_BYTES = 4096;

/**
 * Looks at an input for detection. Of one object, all of it is passed over, so that its root keys are complete even behind hundreds
 * of megabytes; of an array or lines, the first one only, unless the rest is to be counted. Memory stays small. In the sketch a
 * container below the fourth level is empty. Never throws for data: of broken JSON, the sketch holds what stands before the break.
 */
export function readHead(source: Source, options: HeadOptions = {}): Promise<Head> {
  return runSteps(headSteps(source, options), source);
}

function* headSteps(source: Source, options: HeadOptions): Steps<Head> {
  const bytes = new Uint8Array(Math.min(FIRST_BYTES, source.size));
  yield* readRange(source, 0, bytes.length, bytes);
  const name = source.name.slice(Math.max(source.name.lastIndexOf('/'), source.name.lastIndexOf('\\')) + 1);
  const picture = { bytes, sketch: undefined, ...(name === '' ? {} : { name }) };
  const window = yield* openSource(source);
  const start = positionOf(window);
  let { layout, isSure } = yield* findLayout(window, CHUNK);
  if (layout === 'empty') return { ...picture, shape: 'empty' };
  const first = yield* peek(window);
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) {
    const scalar = yield* readScalar(window);
    return { ...picture, ...(scalar ?? { shape: isBinary(bytes) ? 'binary' : 'text' }) };
  }
  const isCounted = options.count === true || source.size <= CHUNK;
  if (layout === 'array') return { ...picture, shape: 'array', ...(yield* readElements(window, isCounted)) };
  if (layout === 'document') {
    const sketch = yield* sketchValue(window);
    if (isSure || (yield* peek(window)) === -1) return { ...picture, shape: 'document', sketch };
    // Something follows the first value, or it is broken.
    seek(window, start);
    ({ layout, isSure } = yield* findLayout(window, source.size));
    if (layout === 'document') return { ...picture, shape: 'document', sketch };
  }
  return { ...picture, shape: 'lines', ...(yield* readLines(window, isCounted)) };
}

/** A root that is a scalar, if nothing else stands there. */
function* readScalar(window: Window): Steps<Pick<Head, 'shape' | 'sketch'> | undefined> {
  const start = positionOf(window);
  const end = window.source.size;
  // A longer one is no document of any format.
  if (end - start > CHUNK) return undefined;
  const sketch = yield* sketchValue(window);
  return sketch !== undefined && (yield* peek(window)) === -1 ? { shape: 'document', sketch } : undefined;
}

/** Whether bytes are no text: a NUL, or no UTF-8 before the cut. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const broken = findInvalidUtf8(bytes, 0, bytes.length);
  return broken !== -1 && (bytes.length < FIRST_BYTES || bytes.length - broken > 3);
}

function* readElements(
  window: Window,
  isCounted: boolean,
): Steps<{ readonly sketch: Json | undefined; readonly count?: number }> {
  window.at += 1;
  let sketch: Json | undefined;
  let count = 0;
  try {
    while (yield* nextElement(window, count === 0, '')) {
      count += 1;
      if (count === 1) {
        sketch = yield* sketchValue(window);
        if (!isCounted) return { sketch };
      } else if ((yield* skipValue(window, DEFAULT_LIMITS)) !== undefined) return { sketch };
    }
  } catch (error) {
    if (error instanceof BrokenStructure) return { sketch };
    throw error;
  }
  return { sketch, count };
}

function* readLines(
  window: Window,
  isCounted: boolean,
): Steps<{ readonly sketch: Json | undefined; readonly count?: number }> {
  const state: LineState = { number: 1 };
  const first = yield* nextLine(window, state);
  if (first === undefined) return { sketch: undefined };
  const line = openInner(window, first.start, first.end);
  yield* peek(line);
  const sketch = yield* sketchValue(line);
  if (!isCounted) return { sketch };
  let count = 1;
  while ((yield* nextLine(window, state)) !== undefined) count += 1;
  return { sketch, count };
}
