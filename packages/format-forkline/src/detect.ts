import {
  type Detection,
  getOwn,
  type Head,
  isJsonArray,
  isJsonObject,
  type JsonObject,
} from '@pchronicle/storyline-core';

/** First bytes of every SQLite database. */
export const SQLITE_MAGIC = new TextEncoder().encode('SQLite format 3\u0000');

/** Whether an input looks like a Forkline artifact: its root names a run and its events. Content decides, the name does not. */
export function detect(head: Head): Detection {
  const root = isJsonArray(head.sketch) ? head.sketch[0] : head.sketch;
  if (!isJsonObject(root)) return { confidence: 'no', why: 'there is no JSON object' };
  const has = (key: string): boolean => Object.hasOwn(root, key);
  if (!has('run_id')) return { confidence: 'no', why: 'the object has no run_id' };
  if (has('events') && isForklineVersion(root)) {
    return { confidence: 'yes', why: 'an object with schema_version, run_id and events' };
  }
  if (has('events') && firstEventFits(root)) {
    return { confidence: 'yes', why: 'an object with run_id and events that have event_id and payload' };
  }
  if (has('entrypoint') && (has('schema_version') || has('started_at'))) {
    return { confidence: 'maybe', why: 'an object with run_id and entrypoint' };
  }
  return { confidence: 'no', why: 'an object with run_id, but without events or entrypoint' };
}

/** Versions of artifacts: `recording_v…` or plain numbers; those of other formats have names in them. */
function isForklineVersion(root: JsonObject): boolean {
  const version = getOwn(root, 'schema_version');
  if (typeof version === 'string') return /^(recording_v|\d)/.test(version);
  return version !== undefined && !isJsonObject(version) && !isJsonArray(version);
}

function firstEventFits(root: JsonObject): boolean {
  const events = getOwn(root, 'events');
  const first = isJsonArray(events) ? events[0] : undefined;
  return (
    isJsonObject(first) &&
    Object.hasOwn(first, 'payload') &&
    (Object.hasOwn(first, 'event_id') || Object.hasOwn(first, 'type'))
  );
}

/** Whether an input is a SQLite database, of whatever tables. */
export function isSqlite(head: Head): boolean {
  return SQLITE_MAGIC.every((byte, index) => head.bytes[index] === byte);
}
