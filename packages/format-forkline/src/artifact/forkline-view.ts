import {
  getOwn,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { numberOf } from '../python/number.ts';
import { versionText } from './version.ts';

/** What Forkline 0.5 itself keeps of an artifact: its known fields with their defaults, in its own order; unknown fields are gone (forkline-notes §2). */
export interface ForklineView {
  readonly schema_version: string;
  readonly run_id: Json;
  readonly entrypoint: Json;
  readonly started_at: Json;
  readonly ended_at: Json;
  readonly status: Json;
  readonly forkline_version: Json;
  readonly events: readonly JsonObject[];
  readonly metadata: Json;
}

/** Reads an artifact as Forkline's `from_dict` does: no migration, no type checks; where Forkline would crash, an issue says so. */
export function forklineView(value: Json, report: Report): ForklineView | undefined {
  if (!isJsonObject(value)) {
    report('error', 'forkline/not-an-artifact', '', 'an artifact must be a JSON object');
    return undefined;
  }
  const version = getOwn(value, 'schema_version') ?? null;
  if (version === null) {
    report(
      'error',
      'forkline/missing-schema-version',
      '/schema_version',
      'the artifact has no schema_version',
    );
    return undefined;
  }
  const list = getOwn(value, 'events') ?? (Object.hasOwn(value, 'events') ? null : []);
  const events: JsonObject[] = [];
  const elements = list === '' || (isJsonObject(list) && Object.keys(list).length === 0) ? [] : list;
  if (!isJsonArray(elements)) {
    report('error', 'forkline/events-not-a-list', '/events', 'events must be a list of objects');
    return undefined;
  }
  for (const [index, event] of elements.entries()) {
    if (!isJsonObject(event)) {
      report('error', 'forkline/event-not-an-object', `/events/${index}`, 'an event must be an object');
      return undefined;
    }
    events.push({
      event_id: defaulted(event, 'event_id', 0),
      run_id: defaulted(event, 'run_id', ''),
      ts: defaulted(event, 'ts', ''),
      type: defaulted(event, 'type', 'system'),
      payload: defaulted(event, 'payload', {}),
    });
  }
  return {
    schema_version: versionText(version),
    run_id: defaulted(value, 'run_id', ''),
    entrypoint: defaulted(value, 'entrypoint', ''),
    started_at: defaulted(value, 'started_at', ''),
    ended_at: defaulted(value, 'ended_at', null),
    status: defaulted(value, 'status', null),
    forkline_version: defaulted(value, 'forkline_version', null),
    events,
    metadata: defaulted(value, 'metadata', {}),
  };
}

function defaulted(object: JsonObject, key: string, fallback: Json): Json {
  return Object.hasOwn(object, key) ? (getOwn(object, key) ?? null) : fallback;
}

/** The object that Forkline writes of its view: null `ended_at`, `status`, `forkline_version` and falsy `metadata` are left out. */
export function forklineViewToJson(view: ForklineView): JsonObject {
  const result: MutableJsonObject = {
    schema_version: view.schema_version,
    run_id: view.run_id,
    entrypoint: view.entrypoint,
    started_at: view.started_at,
  };
  for (const key of ['ended_at', 'status', 'forkline_version'] as const) {
    if (view[key] !== null) result[key] = view[key];
  }
  result.events = view.events;
  if (isTruthy(view.metadata)) result.metadata = view.metadata;
  return result;
}

/** Whether Python takes a value as true: not null, false, 0, nor empty. */
export function isTruthy(value: Json): boolean {
  if (value === null || typeof value === 'boolean') return value === true;
  if (typeof value === 'string' || isJsonArray(value)) return value.length > 0;
  if (typeof value === 'number' || isJsonNumber(value)) {
    const number = numberOf(value);
    return number !== 0 && number !== 0n;
  }
  return Object.keys(value).length > 0;
}

/** The faults that Forkline's own `validate` lists, in its words and order: required fields that are missing or empty. */
export function forklineFaults(view: ForklineView): readonly string[] {
  const faults: string[] = [];
  for (const key of ['schema_version', 'run_id', 'entrypoint', 'started_at'] as const) {
    if (!isTruthy(view[key])) faults.push(`${key} is required and must be non-empty`);
  }
  for (const [index, event] of view.events.entries()) {
    for (const key of ['run_id', 'ts', 'type']) {
      if (!isTruthy(getOwn(event, key) ?? null)) faults.push(`events[${index}].${key} is required`);
    }
  }
  return faults;
}
