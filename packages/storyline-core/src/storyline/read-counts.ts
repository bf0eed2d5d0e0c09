import type { Report } from '../issue.ts';
import { getOwn, type JsonObject } from '../json/value.ts';
import type { UnknownFields } from '../storyline.ts';
import { compareCounts } from './compare-counts.ts';
import { countUnknownKeys } from './count-unknown-keys.ts';
import { change } from './read-shape.ts';

/** Recounts the residuals and compares (storyline-v1 §8, decision G15). */
export function readCounts(storyline: JsonObject, pointer: string, report: Report): JsonObject | undefined {
  const fields = getOwn(storyline, 'unknown_fields') as unknown as UnknownFields | undefined;
  const given = getOwn(storyline, 'unknown_key_counts');
  if (fields === undefined && given === undefined) return storyline;
  const counted = fields === undefined ? {} : countUnknownKeys(fields);
  if (
    given !== undefined &&
    !compareCounts(given as JsonObject, counted, `${pointer}/unknown_key_counts`, report)
  ) {
    return undefined;
  }
  if (fields === undefined) return change(storyline, new Map([['unknown_key_counts', undefined]]));
  if (given !== undefined && isPlainCounts(given as JsonObject)) return storyline;
  return { ...storyline, unknown_key_counts: counted };
}

/** Counts that compared equal and are spelled as JS numbers need no respelling. */
function isPlainCounts(counts: JsonObject): boolean {
  return Object.values(counts).every((ofSource) =>
    Object.values(ofSource as JsonObject).every((count) => typeof count === 'number'),
  );
}
