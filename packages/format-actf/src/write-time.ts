import { formatTime, parseTime, type TimeValue } from '@pchronicle/storyline-core';

/** A time as ACTF has it: text as it is, Unix seconds as `YYYY-MM-DD HH:MM:SS[.fraction]+00:00`. */
export function writeTime(time: TimeValue | undefined): string | undefined {
  if (time === undefined || typeof time === 'string') return time;
  const parsed = parseTime(time);
  if ('fault' in parsed) return undefined;
  return formatTime(parsed.nanoseconds).replace('T', ' ').replace('Z', '+00:00');
}
