import { type MutableJsonObject, setOwn } from '../json/value.ts';
import type { UnknownFields, UnknownKeyCounts } from '../storyline.ts';
import { normaliseResidualPointer } from './normalise-residual-pointer.ts';

/** Counts the residuals of each source by normalised pointer (storyline-v1 §8); a source without fields has no entry. */
export function countUnknownKeys(unknownFields: UnknownFields): UnknownKeyCounts {
  const counts: MutableJsonObject = {};
  for (const source of Object.keys(unknownFields.sources)) {
    const fields = Object.keys(unknownFields.sources[source]?.fields ?? {});
    if (fields.length === 0) continue;
    const ofSource = new Map<string, number>();
    for (const pointer of fields) {
      const normalised = normaliseResidualPointer(source, pointer);
      ofSource.set(normalised, (ofSource.get(normalised) ?? 0) + 1);
    }
    setOwn(counts, source, Object.fromEntries(ofSource));
  }
  return counts as unknown as UnknownKeyCounts;
}
