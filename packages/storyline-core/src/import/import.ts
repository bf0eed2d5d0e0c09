import type { DrivenFormat } from '../format.ts';
import type { Source } from '../source.ts';
import type { ImportEvent, ImportOptions } from './events.ts';
import { importSteps } from './import-steps.ts';
import { startStream } from './stream-run.ts';

/**
 * Reads a source as Storylines: for each source document `document`, its `storyline`s and `issue`s, then `end` with the verdict.
 * Data never throws, a bad document never takes its neighbours with it, and memory is bounded by the largest record (the entry of a
 * map, the rows of one group, one document), not by the source. Throws what the source's reads throw, and the signal's reason on abort.
 */
export async function* importStorylines(
  source: Source,
  format: DrivenFormat,
  options: ImportOptions = {},
): AsyncGenerator<ImportEvent, void, undefined> {
  const { signal } = options;
  const steps = importSteps(startStream(source, format, options));
  try {
    for (let step = steps.next(); step.done !== true; ) {
      signal?.throwIfAborted();
      const { value } = step;
      if (value.type === 'read') step = steps.next(await source.read(value.target, value.position));
      else if (value.type === 'wait') step = steps.next(await value.promise);
      else {
        yield value;
        step = steps.next();
      }
    }
  } finally {
    steps.return();
  }
}
