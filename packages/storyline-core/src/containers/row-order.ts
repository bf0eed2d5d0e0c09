import type { Limits } from '../import/events.ts';
import { compareText } from '../json/compare-text.ts';
import { compareNumbers } from '../json/number.ts';
import { isNumeric, type Json } from '../json/value.ts';

/** Compares the order keys of two rows: missing ones first, then numbers by value, then texts by code point. */
export function compareOrder(left: readonly Json[], right: readonly Json[]): number {
  for (let index = 0; index < left.length; index += 1) {
    const a = left[index] ?? null;
    const b = right[index] ?? null;
    let sign = rank(a) - rank(b);
    if (sign === 0 && isNumeric(a) && isNumeric(b)) sign = compareNumbers(a, b);
    if (sign === 0 && typeof a === 'string' && typeof b === 'string') sign = compareText(a, b);
    if (sign !== 0) return sign;
  }
  return 0;
}

function rank(value: Json): number {
  return typeof value === 'string' ? 2 : isNumeric(value) ? 1 : 0;
}

/** A key that says which group a row belongs to. */
export interface GroupKey {
  /** What tells two groups apart: "5" and 5 are two. */
  readonly id: string;
  readonly text: string;
}

/** What a value says as a group key: a text or a number; `undefined` for anything else. */
export function readGroupKey(value: Json | undefined): GroupKey | undefined {
  if (typeof value === 'string') return { id: `"${value}`, text: value };
  return isNumeric(value) ? { id: String(value), text: String(value) } : undefined;
}

/** The message of a group over the limit of a record. */
export function describeRowsTooLarge(size: number, { recordBytes }: Limits): string {
  return `the rows of this group take ${size} bytes, more than the limit of ${recordBytes} for one record`;
}

/** The keys of a row that may say which record it belongs to, first choice first. */
export function groupKeysOf(group: string | readonly string[]): readonly string[] {
  return typeof group === 'string' ? [group] : group;
}
