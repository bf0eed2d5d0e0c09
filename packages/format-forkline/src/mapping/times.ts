import { type Json, parseTime } from '@pchronicle/storyline-core';

/** Times as Forkline writes them and nearly everybody else does: no need to compute the instant. */
const PLAIN =
  /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Whether a value of an artifact fits a time slot of a Storyline: RFC 3339 text in the nanosecond range. Numbers are no times to Forkline. */
export function isTimeText(value: Json | undefined): value is string {
  if (typeof value !== 'string') return false;
  return PLAIN.test(value) || 'nanoseconds' in parseTime(value);
}

const FORKLINE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{6}))?\+00:00$/;

/** Microseconds since the epoch of a time that has exactly Forkline's form (forkline-notes §5); `undefined` for any other text. */
export function microsecondsOf(text: string): bigint | undefined {
  const match = FORKLINE_TIME.exec(text);
  if (match === null || match[1] === '000000') return undefined;
  const time = parseTime(text);
  if ('fault' in time) return undefined;
  const micros = time.nanoseconds / 1000n;
  // A leap second has no spelling of its own on the way back.
  return timeOfMicroseconds(micros) === text ? micros : undefined;
}

/** A time in Forkline's form: no fraction where the microseconds are zero. */
export function timeOfMicroseconds(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (micros - fraction) / 1_000_000n;
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const text = date.toISOString().slice(0, 19);
  return fraction === 0n ? `${text}+00:00` : `${text}.${fraction.toString().padStart(6, '0')}+00:00`;
}
