import { compareText } from '../json/compare-text.ts';
import { canonicalNumber } from '../json/number.ts';
import { piecesOf, type Spelling } from '../json/stringify.ts';
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';

/**
 * When two JSON values count as equal:
 *
 * - `typed` (default): type by type; 1 and 1.0 differ where the reader kept the floatness, true and 1 always.
 * - `canon`: numbers by mathematical value alone.
 * - `python-eq`: as Python's `==`: numbers by value, and true is 1, false is 0.
 */
export type EqualityProfile = 'typed' | 'canon' | 'python-eq';

/** All profiles by name. */
export const EQUALITY_PROFILES: readonly EqualityProfile[] = ['typed', 'canon', 'python-eq'];

const keys: Spelling['keys'] = (object) => Object.keys(object).sort(compareText);
const typed: Spelling = { keys, number: canonicalNumber, indent: '' };
const byValue: Spelling = { keys, number: (value) => canonicalNumber(value).replace(/\.0$/, ''), indent: '' };

/** Text that is the same for two values exactly when they are equal under the profile. */
export function identityText(value: Json, profile: EqualityProfile): string {
  const subject = profile === 'python-eq' ? booleansAsNumbers(value) : value;
  let text = '';
  for (const piece of piecesOf(subject, profile === 'typed' ? typed : byValue)) text += piece;
  return text;
}

/** A copy in which true is 1 and false is 0, made with an explicit stack. */
function booleansAsNumbers(root: Json): Json {
  const holder: Json[] = [root];
  const pending: { readonly from: Json; put(value: Json): void }[] = [
    {
      from: root,
      put: (value) => {
        holder[0] = value;
      },
    },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { from, put } = next;
    if (typeof from === 'boolean') put(from ? 1 : 0);
    else if (isJsonArray(from)) {
      const copy: Json[] = [...from];
      put(copy);
      from.forEach((item, index) => {
        pending.push({
          from: item,
          put: (value) => {
            copy[index] = value;
          },
        });
      });
    } else if (isJsonObject(from) && !isJsonNumber(from)) {
      const copy: MutableJsonObject = {};
      put(copy);
      for (const key of Object.keys(from)) {
        // The key is written at once to keep the order, and its value later.
        setOwn(copy, key, null);
        pending.push({ from: from[key] as Json, put: (value) => setOwn(copy, key, value) });
      }
    } else put(from);
  }
  return holder[0] as Json;
}
