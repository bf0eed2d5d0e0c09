import type { Source } from '../source.ts';
import type { Steps } from './need.ts';

/** Runs steps that have nothing to tell: awaits what they need, gives their result. */
export async function runSteps<T>(steps: Steps<T>, source: Source): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    const { value } = step;
    step = steps.next(
      value.type === 'read' ? await source.read(value.target, value.position) : await value.promise,
    );
  }
  return step.value;
}
