import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';

/** The environment fields of a run, which 1.0 keeps in `metadata`. */
export const ENVIRONMENT_KEYS = ['python_version', 'platform', 'cwd'] as const;

/**
 * recording_v0 → 1.0 (artifact schema, "Loading older artifacts"): `script` becomes `entrypoint` where that is absent, the environment
 * moves into `metadata` (null counting as empty, forkline-gaps A16), an event's `created_at` becomes `ts` where that is absent.
 * Everything else stays, known or not; the input is only read.
 */
export function migrateRecordingV0(artifact: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  const environment: MutableJsonObject = {};
  const renamesScript = Object.hasOwn(artifact, 'script') && !Object.hasOwn(artifact, 'entrypoint');
  for (const [key, value] of Object.entries(artifact)) {
    if ((ENVIRONMENT_KEYS as readonly string[]).includes(key)) environment[key] = value;
    else if (key === 'events' && isJsonArray(value)) result[key] = value.map(migrateEvent);
    else setOwn(result, key === 'script' && renamesScript ? 'entrypoint' : key, value);
  }
  if (Object.keys(environment).length > 0) {
    const metadata = getOwn(artifact, 'metadata');
    if (metadata === undefined || metadata === null || isJsonObject(metadata)) {
      result.metadata = { ...metadata, ...environment };
    } else {
      // A metadata that is no object takes nothing in; the environment stays where it was.
      Object.assign(result, environment);
    }
  }
  result.schema_version = '1.0';
  return result;
}

function migrateEvent(event: Json): Json {
  if (!isJsonObject(event)) return event;
  if (Object.hasOwn(event, 'ts') || !Object.hasOwn(event, 'created_at')) return event;
  const result: MutableJsonObject = {};
  for (const [key, value] of Object.entries(event)) setOwn(result, key === 'created_at' ? 'ts' : key, value);
  return result;
}
