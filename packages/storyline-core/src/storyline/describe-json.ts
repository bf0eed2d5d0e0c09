import { isJsonNumber } from '../json/value.ts';

/** What was found, for a person: `null`, `an array`, `an object`, `the text "…"` (cut at 40 characters), `the number 5`. */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') {
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  }
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || isJsonNumber(value)) {
    const text = String(value);
    return `the number ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
  }
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
