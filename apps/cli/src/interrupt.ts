import { EXIT } from './exit.ts';
import { Interrupted } from './failure.ts';
import { removeTemporary } from './io/temporary.ts';

/** The user's wish to stop. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Throws {@link Interrupted} once the user wants to stop: called between whole trajectories. */
  check(): void;
  /** While `work` runs, Ctrl-C belongs to somebody else (a pager). */
  ignoring<Result>(work: () => Promise<Result>): Promise<Result>;
  /** While `work` runs, a thread may be in native code that nothing stops: a second Ctrl-C then lets the signal itself end the process. */
  inNative<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Listens to SIGINT and SIGTERM: the first asks for a clean stop, the second ends the process at once (its temporary files are still removed). `afterwards` says what is finished first. */
export function listenForInterrupt(announce: (text: string) => void, afterwards = ''): Interrupt {
  const controller = new AbortController();
  let ignored = false;
  let native = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (ignored) return;
    if (controller.signal.aborted) {
      removeTemporary();
      // process.exit waits for other threads; a shell sees 130 either way.
      if (native > 0) endBy(signal);
      else process.exit(EXIT.interrupted);
      return;
    }
    controller.abort(new Interrupted());
    announce(`stopping${afterwards} (once more to stop at once)`);
  };
  const endBy = (signal: NodeJS.Signals): void => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    process.kill(process.pid, signal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    check() {
      if (controller.signal.aborted) throw new Interrupted();
    },
    async ignoring(work) {
      ignored = true;
      try {
        return await work();
      } finally {
        ignored = false;
      }
    },
    async inNative(work) {
      native += 1;
      try {
        return await work();
      } finally {
        native -= 1;
      }
    },
  };
}
