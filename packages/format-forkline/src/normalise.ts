import {
  getOwn,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { migrateRecordingV0 } from './artifact/migrate-recording-v0.ts';

/**
 * What a round trip makes of an artifact (decision G1): the closed list "Normalisations" of MAPPING.md, and nothing else.
 *
 * 1. `recording_v0` and `0.1` become 1.0, field by field as the schema says. 2. A `schema_version` that is a number becomes its text.
 * 3. NaN and the infinities become `{"$nonfinite": …}`. Independent of importer and exporter; idempotent.
 */
export function normaliseForkline(document: Json): Json {
  const tagged = tag(document);
  if (!isJsonObject(tagged)) return tagged;
  const version = getOwn(tagged, 'schema_version');
  if (version === 'recording_v0' || version === '0.1' || isNumber(version, 0.1))
    return migrateRecordingV0(tagged);
  if (typeof version !== 'number' && !isJsonNumber(version)) return tagged;
  return { ...tagged, schema_version: spell(version) };
}

function isNumber(value: Json | undefined, wanted: number): boolean {
  return typeof value === 'number' && value === wanted;
}

/** Python's text of a version number: those in question are short. */
function spell(
  value: number | Exclude<Json, null | boolean | number | string | JsonObject | readonly Json[]>,
): string {
  return typeof value === 'number' ? String(value) : value.raw;
}

/** Copies a value, with every non-finite number as its tag; an explicit stack, because nesting is the input's choice. */
function tag(root: Json): Json {
  const holder: MutableJsonObject = {};
  const work: [from: Json, put: (value: Json) => void][] = [
    [
      root,
      (value) => {
        holder.value = value;
      },
    ],
  ];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [from, put] = next;
    if (isJsonNumber(from) && /^(NaN|-?Infinity)$/.test(from.raw)) put({ $nonfinite: from.raw });
    else if (isJsonArray(from)) {
      const array: Json[] = [];
      put(array);
      for (const [index, element] of from.entries()) {
        array.push(null);
        work.push([
          element,
          (value) => {
            array[index] = value;
          },
        ]);
      }
    } else if (isJsonObject(from)) {
      const object: MutableJsonObject = {};
      put(object);
      for (const [key, member] of Object.entries(from)) {
        setOwn(object, key, null);
        work.push([member, (value) => setOwn(object, key, value)]);
      }
    } else put(from);
  }
  return holder.value ?? null;
}
