import { parseTime } from '@pchronicle/storyline-core';
import { durationSeconds } from '../commands/parse.ts';

/**
 * A time as people write it, in nanoseconds since 1970 UTC: RFC 3339; a day, or a day and time, without an offset (then UTC); or a span with
 * its unit back from now (`36h`, `7d`). `undefined` for anything else.
 */
export function readTime(text: string, now: number = Date.now()): bigint | undefined {
  const ago = /[a-z]$/.test(text) ? durationSeconds(text) : undefined;
  if (ago !== undefined) return BigInt(Math.round(now - ago * 1000)) * 1_000_000n;
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})?)?$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [, day, minutes = '00:00', seconds = ':00', offset = 'Z'] = match;
  const parsed = parseTime(`${day}T${minutes}${seconds}${offset}`);
  return 'nanoseconds' in parsed ? parsed.nanoseconds : undefined;
}
