import type { DrivenFormat, Reader } from '../format.ts';
import type { Place } from '../issue.ts';
import type { ParseSettings } from '../json/parse.ts';
import { DEFAULT_LIMITS, type ImportOptions } from './events.ts';
import { tallyUnknownKeys, type UnknownKeyTally } from './unknown-keys.ts';

/** What the parts of the reading drivers work with while one input is read. */
export interface ImportRun extends ParseSettings {
  /** Display path of the input. */
  readonly name: string;
  readonly format: DrivenFormat;
  readonly reader: Reader<unknown, unknown>;
  readonly salvage: boolean;
  readonly unknownKeys: UnknownKeyTally;
  /** Documents begun so far. */
  documents: number;
  /** Errors reported so far. */
  errors: number;
  /** Added to what is said about broken JSON: what this container expects. */
  hint: string;
}

/** What is said about broken JSON where each line is a value. */
export const LINES_HINT = ' (each line of this input must hold one complete JSON value)';

/** Starts the reading of one input. */
export function startRun(name: string, format: DrivenFormat, options: ImportOptions): ImportRun {
  if (format.reader === undefined) throw new TypeError(`the format ${format.id} has no reader`);
  return {
    name,
    format,
    reader: format.reader,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    nonFinite: format.nonFinite ?? options.nonFinite ?? 'error',
    keepFloats: format.keepFloats ?? false,
    salvage: options.salvage ?? false,
    unknownKeys: tallyUnknownKeys(format.id),
    documents: 0,
    errors: 0,
    hint: '',
  };
}

/** A place in the input of a run. */
export function placeIn(run: ImportRun, rest: Omit<Place, 'source'>): Place {
  return { source: run.name, ...rest };
}
