import type { SingleBar } from 'cli-progress';
import type { Notes } from './notes.ts';
import { formatBytes, formatCount, formatDuration } from './numbers.ts';

/** A progress display: shown on a terminal for anything that takes more than a second, never in a pipe. */
export interface Progress {
  /** `done` of the total (bytes or items) is done; `counts` is a phrase such as `1,204 trajectories`. */
  update(done: number, counts: string): void;
  /** Takes the display away. */
  stop(): void;
}

/** What is measured. */
export interface ProgressOptions {
  readonly label: string;
  /** 0 when unknown. */
  readonly total: number;
  readonly unit: 'bytes' | 'items';
}

const SHOW_AFTER_MS = 1000;
const CLEAR_LINE = '\r\u001b[K';

/** Starts to measure; nothing shows for the first second, under `--quiet` or `--json`, or where stderr is no terminal. */
export function createProgress(notes: Notes, options: ProgressOptions): Progress {
  if (!notes.isTerminal || notes.quiet || notes.json) return { update() {}, stop() {} };
  const start = performance.now();
  let bar: SingleBar | undefined;
  let loading = false;
  let stopped = false;

  const show = async (): Promise<void> => {
    loading = true;
    const { SingleBar } = await import('cli-progress');
    if (stopped) return;
    bar = new SingleBar({
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: null,
      fps: 5,
      barsize: 24,
      autopadding: false,
      format: `${options.label} {state}`,
      formatValue: String,
    } as ConstructorParameters<typeof SingleBar>[0]);
    bar.start(Math.max(1, options.total), 0, { state: '' });
    notes.onWrite = () => process.stderr.write(CLEAR_LINE);
  };

  return {
    update(done, counts) {
      const seconds = (performance.now() - start) / 1000;
      if (bar === undefined) {
        if (!loading && seconds * 1000 > SHOW_AFTER_MS) void show();
        return;
      }
      bar.update(Math.min(done, Math.max(1, options.total)), {
        state: progressState(done, seconds, counts, options),
      });
    },
    stop() {
      stopped = true;
      bar?.stop();
      bar = undefined;
      notes.onWrite = undefined;
    },
  };
}

/** The words of a progress line: bar, share, rate, time left, counts. */
export function progressState(
  done: number,
  seconds: number,
  counts: string,
  options: ProgressOptions,
): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const shownRate =
    options.unit === 'bytes' ? `${formatBytes(Math.round(rate))}/s` : `${formatCount(rate)}/s`;
  if (options.total <= 0) {
    const soFar = options.unit === 'bytes' ? formatBytes(done) : formatCount(done);
    return `${soFar} | ${shownRate} | ${counts}`;
  }
  const share = Math.min(1, done / options.total);
  const filled = Math.round(share * 24);
  const bar = '█'.repeat(filled) + '░'.repeat(24 - filled);
  const left = rate > 0 ? formatDuration(Math.max(0, options.total - done) / rate) : '…';
  return `${bar} ${Math.floor(share * 100)}% | ${shownRate} | ETA ${left} | ${counts}`;
}
