import { explainFailure } from '../lance/explain-failure.ts';

const ATTEMPTS = 6;

/** Does something that another process's commit may have crossed, again until it succeeds. */
export async function retried<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (cause) {
      if (attempt === ATTEMPTS || explainFailure(cause, '').code !== 'store/conflict') throw cause;
      await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt * (0.5 + Math.random())));
    }
  }
}
