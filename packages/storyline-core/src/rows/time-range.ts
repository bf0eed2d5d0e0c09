import { parseTime } from '../storyline/time.ts';
import type { Storyline, TimeValue } from '../storyline.ts';

/** Nanoseconds since the epoch; null for what is absent or no time. */
export function instant(time: TimeValue | undefined): bigint | null {
  if (time === undefined) return null;
  const parsed = parseTime(time);
  return 'fault' in parsed ? null : parsed.nanoseconds;
}

/** The earliest and the latest time of a Storyline. Copied context is another's time, so it does not count. */
export function timeRange(storyline: Storyline): {
  readonly first: bigint | null;
  readonly last: bigint | null;
} {
  let first: bigint | null = null;
  let last: bigint | null = null;
  const see = (time: TimeValue | undefined): void => {
    const at = instant(time);
    if (at === null) return;
    if (first === null || at < first) first = at;
    if (last === null || at > last) last = at;
  };
  see(storyline.started_at);
  see(storyline.finished_at);
  for (const turn of storyline.turns) {
    if (turn.copied === true) continue;
    see(turn.ts);
    see(turn.finished_at);
  }
  return { first, last };
}
