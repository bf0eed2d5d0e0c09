import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { compareCodePoints } from '../python/compare-code-points.ts';
import { pythonJson } from '../python/dump.ts';
import { pythonNumber } from '../python/equal.ts';
import { transformJson } from '../python/transform.ts';

/** What {@link ciNormalise} replaces; the defaults are those of Forkline's command line. */
export interface CiNormaliseOptions {
  /** Replace time texts by one fixed time; default true. */
  readonly timestamps?: boolean;
  /** Remove the environment from the metadata; default true. */
  readonly metadata?: boolean;
  /** Replace the run id and number the events from 0 in file order; default false. */
  readonly ids?: boolean;
}

const TIME_KEYS = new Set(['ts', 'started_at', 'ended_at', 'created_at', 'timestamp']);
const ENVIRONMENT_KEYS = ['python_version', 'platform', 'cwd'];
const FIXED_TIME = '2000-01-01T00:00:00+00:00';
const FIXED_RUN = 'normalized-run-id';

/**
 * Forkline's normal form for comparing artifacts in CI (forkline-notes §11): fixed times under five keys at any depth, no
 * environment metadata, events in the order of their ids. The input is not changed; what is no artifact comes back as it is.
 */
export function ciNormalise(artifact: Json, options: CiNormaliseOptions = {}): Json {
  const { timestamps = true, metadata = true, ids = false } = options;
  const timed = timestamps ? fixTimes(artifact) : artifact;
  if (!isJsonObject(timed)) return timed;
  const result: MutableJsonObject = {};
  for (const [key, value] of Object.entries(timed)) {
    if (key === 'metadata' && metadata && isJsonObject(value)) {
      const rest = withoutEnvironment(value);
      if (Object.keys(rest).length > 0) result[key] = rest;
    } else if (key === 'events' && isJsonArray(value)) {
      result[key] = sortEvents(ids ? value.map(renumber) : value);
    } else setOwn(result, key, key === 'run_id' && ids ? FIXED_RUN : value);
  }
  return result;
}

/** The file that `forkline ci normalize` writes: indent 2, sorted keys, ASCII, a newline at the end. */
export function ciNormalisedText(artifact: Json, options: CiNormaliseOptions = {}): string {
  return `${pythonJson(ciNormalise(artifact, options), { indent: 2 })}\n`;
}

function fixTimes(root: Json): Json {
  return transformJson(root, undefined, (value, _, key) =>
    key !== undefined && TIME_KEYS.has(key) && typeof value === 'string'
      ? { value: FIXED_TIME }
      : { descend: undefined },
  );
}

function withoutEnvironment(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !ENVIRONMENT_KEYS.includes(key)));
}

function renumber(event: Json, index: number): Json {
  if (!isJsonObject(event)) return event;
  const result: MutableJsonObject = { ...event };
  if (Object.hasOwn(event, 'event_id')) result.event_id = index;
  if (Object.hasOwn(event, 'run_id')) result.run_id = FIXED_RUN;
  return result;
}

/** A stable sort by event id, an absent one counting as 0; ids that Python could not compare leave the order alone. */
function sortEvents(events: readonly Json[]): readonly Json[] {
  const keyed = events.map((event) => ({
    event,
    id: isJsonObject(event) ? (getOwn(event, 'event_id') ?? 0) : null,
  }));
  if (keyed.every(({ id }) => typeof id === 'string')) {
    return keyed.sort((a, b) => compareCodePoints(String(a.id), String(b.id))).map(({ event }) => event);
  }
  const numbered = keyed.map(({ event, id }) => ({ event, id: pythonNumber(id) }));
  if (numbered.some(({ id }) => id === undefined || Number.isNaN(id))) return events;
  return numbered
    .sort((a, b) => ((a.id ?? 0) < (b.id ?? 0) ? -1 : (a.id ?? 0) > (b.id ?? 0) ? 1 : 0))
    .map(({ event }) => event);
}
