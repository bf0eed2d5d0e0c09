import type { Report } from '../issue.ts';
import { isInteger } from '../json/number.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, isJsonObject, type JsonObject } from '../json/value.ts';
import type { UnknownKeyCounts } from '../storyline.ts';
import { describeJson } from './describe-json.ts';

/**
 * Compares counts as given with the counts of the residuals (storyline-v1 §8). Reports `storyline/wrong-type` for what is no count
 * and `storyline/counts-mismatch` for every source or pointer that differs; true when they are the same.
 */
export function compareCounts(
  given: JsonObject,
  counted: UnknownKeyCounts,
  pointer: string,
  report: Report,
): boolean {
  let same = true;
  const differs = (place: string, message: string): void => {
    same = false;
    report('error', 'storyline/counts-mismatch', place, message);
  };
  for (const source of Object.keys(given)) {
    const ofSource = getOwn(given, source);
    const place = appendPointer(pointer, source);
    if (!isJsonObject(ofSource)) {
      same = false;
      report(
        'error',
        'storyline/wrong-type',
        place,
        `the counts of a source are ${describeJson(ofSource)}; an object of pointers and numbers is expected`,
      );
      continue;
    }
    const expected: { readonly [pointer: string]: number } = Object.hasOwn(counted, source)
      ? (counted[source] ?? {})
      : {};
    if (!Object.hasOwn(counted, source)) {
      differs(
        place,
        `unknown_key_counts has the source ${JSON.stringify(source)}, which has no residuals in unknown_fields`,
      );
      continue;
    }
    for (const key of Object.keys(ofSource)) {
      const count = getOwn(ofSource, key);
      const wanted = Object.hasOwn(expected, key) ? (expected[key] ?? 0) : 0;
      if (!isInteger(count ?? null)) {
        same = false;
        report(
          'error',
          'storyline/wrong-type',
          appendPointer(place, key),
          `a count is ${describeJson(count)}; an integer above 0 is expected`,
        );
      } else if (Number(count) !== wanted) {
        differs(
          appendPointer(place, key),
          `unknown_key_counts says ${String(count)} for ${key} of ${source}; unknown_fields hold ${wanted}`,
        );
      }
    }
    for (const key of Object.keys(expected)) {
      if (!Object.hasOwn(ofSource, key)) {
        differs(
          place,
          `unknown_key_counts has no count for ${key} of ${source}; unknown_fields hold ${expected[key]}`,
        );
      }
    }
  }
  for (const source of Object.keys(counted)) {
    if (!Object.hasOwn(given, source))
      differs(pointer, `unknown_key_counts has no entry for the source ${JSON.stringify(source)}`);
  }
  return same;
}
