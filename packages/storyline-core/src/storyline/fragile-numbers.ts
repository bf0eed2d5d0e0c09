import { canonicalNumber, numberFromToken } from '../json/number.ts';
import { appendPointer } from '../json/pointer.ts';
import { numberToken } from '../json/stringify.ts';
import { isJsonArray, isJsonObject, isNumeric, type Json, type JsonInteger } from '../json/value.ts';

/** How a reader takes numbers; as in {@link Format}. */
export interface NumberReading {
  readonly keepFloats?: boolean;
  readonly nonFinite?: 'keep';
}

/**
 * The numbers of a value that do not come back from its JSON text as they are, for a reader that takes numbers like this: pointer, and
 * token. These are NaN and the infinities, and 1.0 where floats are not kept apart from integers.
 */
export function* fragileNumbers(
  value: Json,
  reading: NumberReading,
  base = '',
): Generator<readonly [pointer: string, token: string]> {
  const pending: (readonly [pointer: string, value: Json])[] = [[base, value]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, current] = next;
    if (isJsonArray(current)) {
      for (const [index, element] of current.entries()) {
        if (typeof element === 'object' || typeof element === 'number')
          pending.push([`${pointer}/${index}`, element]);
      }
    } else if (isJsonObject(current)) {
      for (const key of Object.keys(current)) {
        const member = current[key] ?? null;
        if (typeof member === 'object' || typeof member === 'number')
          pending.push([appendPointer(pointer, key), member]);
      }
    } else if (isNumeric(current) && !survives(current, reading)) {
      yield [pointer, numberToken(current)];
    }
  }
}

/** Whether a text is the token of a number, NaN and the infinities included. */
export function isNumberToken(text: Json | undefined): text is string {
  return typeof text === 'string' && /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|NaN|-?Infinity)$/.test(text);
}

function survives(number: JsonInteger, reading: NumberReading): boolean {
  const token = numberToken(number);
  if (!/^-?\d/.test(token)) return reading.nonFinite === 'keep';
  if (typeof number === 'number') return true;
  return canonicalNumber(numberFromToken(token, reading.keepFloats ?? false)) === canonicalNumber(number);
}
