import { type Json, parseTime } from '@pchronicle/storyline-core';

/** A time of a row: the text for the time slots, and whether that is how the row spells it. */
export interface RowTime {
  readonly text: string;
  readonly isVerbatim: boolean;
}

/** As PostgreSQL prints timestamps, and as `row_to_json` writes those without a zone: a short offset, or none, which is UTC here (notes §1.1). */
const POSTGRES = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)(?::?(\d\d))?)?$/;

/** Reads a time as the Console or a database dump spells it; `undefined` for what is none. */
export function rowTime(value: Json | undefined): RowTime | undefined {
  if (typeof value !== 'string') return undefined;
  if (!('fault' in parseTime(value))) return { text: value, isVerbatim: true };
  const match = POSTGRES.exec(value);
  if (match === null) return undefined;
  const [, date, time, hours, minutes = '00'] = match;
  const isUtc = hours === undefined || (hours === '+00' && minutes === '00');
  const text = `${date}T${time}${isUtc ? 'Z' : `${hours}:${minutes}`}`;
  return 'fault' in parseTime(text) ? undefined : { text, isVerbatim: false };
}
