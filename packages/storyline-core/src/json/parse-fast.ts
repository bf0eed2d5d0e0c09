import type { Limits } from '../import/events.ts';
import { isBlank, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipBlank } from './bytes.ts';
import { type PlannedResult, parsePlan } from './parse-plan.ts';
import { advance } from './scan.ts';
import { startScan } from './scan-state.ts';

/**
 * Parses one JSON value: one scan over the bytes, then native JSON.parse of pieces. `undefined` when something is wrong, or breaks a
 * limit: then the careful parser must look.
 */
export function parseFast(
  bytes: Uint8Array,
  limits: Limits,
  keepFloats: boolean,
  piece?: number,
): PlannedResult | undefined {
  const scan = startScan(limits, keepFloats, piece);
  const start = skipBlank(bytes, 0, bytes.length);
  const first = bytes[start];
  if (first === QUOTE || first === OPEN_ARRAY || first === OPEN_OBJECT) {
    const end = advance(scan, bytes, start, 0);
    if (!scan.isOver || scan.fault !== undefined || skipBlank(bytes, end, bytes.length) !== bytes.length)
      return undefined;
  } else {
    // A number, a literal or nothing: JSON.parse judges it, and a number may be one that a double does not keep.
    let end = bytes.length;
    while (end > start && isBlank(bytes[end - 1])) end -= 1;
    scan.plan.numbers.push(start, end);
  }
  return parsePlan(bytes, scan.plan, 0, keepFloats);
}
