import { Worker } from 'node:worker_threads';
import type { StoreContext } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import type { Checked } from './check-unit.ts';
import type { CheckerData, FromChecker } from './messages.ts';
import type { Unit } from './plan-units.ts';

/** Checks one unit after another. */
export interface Checker {
  check(unit: Unit): Promise<Checked>;
  close(): Promise<void>;
}

/** Memory for what is young: rows live no longer than that. */
const YOUNG_MEGABYTES = 8;

/** Starts a thread that checks units at versions of the tables, with a connection of its own. */
export function threadChecker(context: StoreContext, versions: Snapshot['versions']): Checker {
  const workerData: CheckerData = { access: context.access, versions, columns: context.columns };
  const { url, ...options } = workerFile();
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
  const worker = new Worker(url, { workerData, resourceLimits, ...options });
  let settle: ((checked: Checked) => void) | undefined;
  let reject: ((error: Error) => void) | undefined;
  let broken: Error | undefined;
  const fail = (error: Error): void => {
    broken = error;
    reject?.(error);
  };
  worker.on('message', (message: FromChecker) => {
    if (message.type === 'checked') settle?.(message.checked);
    // The thread goes on: what comes next may be readable.
    else if (message.code !== undefined) reject?.(new StoreError(message.code, message.message));
    else reject?.(Object.assign(new Error(message.message), { name: message.name }));
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  const exited = new Promise<void>((done) => {
    worker.once('exit', () => {
      fail(broken ?? new Error('a thread that verifies has ended'));
      done();
    });
  });
  return {
    check: (unit) =>
      new Promise((resolve, refuse) => {
        if (broken !== undefined) return refuse(broken);
        settle = resolve;
        reject = refuse;
        worker.postMessage(unit);
      }),
    async close() {
      settle = undefined;
      reject = undefined;
      // It ends by itself: a thread that is killed in a native scan takes the process with it.
      worker.postMessage(undefined);
      await exited;
    },
  };
}

/** The worker's file: built, also when this file runs from its source (tests); then it has nothing to do with how that is loaded. */
function workerFile(): { readonly url: URL; readonly execArgv?: string[] } {
  const here = import.meta.url;
  return here.endsWith('.ts')
    ? { url: new URL('../../dist/verify/check-worker.js', here), execArgv: [] }
    : { url: new URL('./check-worker.js', here) };
}
