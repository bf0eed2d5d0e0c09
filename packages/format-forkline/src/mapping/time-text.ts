import { formatTime, parseTime, type TimeValue } from '@pchronicle/storyline-core';

/** A time as Forkline's texts: an epoch number of another format is spelled out. */
export function timeText(value: TimeValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const parsed = parseTime(value);
  return 'fault' in parsed ? undefined : formatTime(parsed.nanoseconds);
}
