import type { ImportEvent } from '../import/events.ts';
import type { Source } from '../source.ts';
import type { Steps } from './need.ts';

/** Runs steps of which only the result counts: awaits what they need, passes over what they tell. Throws the signal's reason on abort. */
export async function runSteps<T>(
  steps: Steps<T, ImportEvent>,
  source: Source,
  signal?: AbortSignal,
): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    signal?.throwIfAborted();
    const { value } = step;
    if (value.type === 'read') step = steps.next(await source.read(value.target, value.position));
    else step = steps.next(value.type === 'wait' ? await value.promise : undefined);
  }
  return step.value;
}
