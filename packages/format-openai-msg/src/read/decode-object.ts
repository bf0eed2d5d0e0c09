import { isJsonObject, type Json, type JsonObject, parseText } from '@pchronicle/storyline-core';

/** The object that `meta_json` or `env_state` holds, as it is or as JSON text; `undefined` for anything else (RFC-0009, mapping). */
export function decodeObject(value: Json | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string' || !/^[ \t\n\r]*\{/.test(value)) return undefined;
  const decoded = parseText(value);
  return isJsonObject(decoded) ? decoded : undefined;
}
