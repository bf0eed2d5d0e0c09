import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/import/events.ts';
import { encodeText } from '../../src/json/parse.ts';
import { parsePlan } from '../../src/json/parse-plan.ts';
import { advance } from '../../src/json/scan.ts';
import { type Scan, startScan } from '../../src/json/scan-state.ts';
import { stringify } from '../../src/json/stringify.ts';
import type { Json } from '../../src/json/value.ts';
import { anyJson, isSame } from './arbitraries.ts';

/** Scans bytes that come in chunks; what was passed is gone, as in a window that slides. */
function scanInChunks(bytes: Uint8Array, size: number, scan: Scan): number {
  let start = 0;
  let end = 0;
  for (;;) {
    end = Math.min(end + size, bytes.length);
    // A copy without the bytes behind `end`, so that nothing can look ahead.
    start += advance(scan, bytes.slice(start, end), 0, start);
    if (scan.isOver || end === bytes.length) return start;
  }
}

const containers = anyJson.filter(
  (value) => typeof value === 'object' && value !== null && !('raw' in value),
);

describe('a scan in chunks', () => {
  property.prop([
    containers,
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 60 }),
    fc.constantFrom(0, 2),
  ])('plans the same as one over all bytes, and the plan gives the value', (value, size, piece, indent) => {
    const bytes = encodeText(`${stringify(value, { indent })},"behind"]`);
    const length = bytes.length - ',"behind"]'.length;
    const whole = startScan(DEFAULT_LIMITS, false, piece);
    expect(advance(whole, bytes, 0, 0)).toBe(length);
    const scan = startScan(DEFAULT_LIMITS, false, piece);
    expect(scanInChunks(bytes, size, scan)).toBe(length);
    expect([scan.isOver, scan.fault]).toStrictEqual([true, undefined]);
    expect(scan.plan.steps).toStrictEqual(whole.plan.steps);
    expect(scan.plan.members).toBe(whole.plan.members);
    const parsed = parsePlan(bytes.subarray(0, length), scan.plan, 0, false);
    expect(parsed?.duplicates).toBe(false);
    expect(isSame(parsed?.value as Json, value)).toBe(true);
  });
  property.prop([containers, fc.integer({ min: 1, max: 50 })])('starts anywhere in a file', (value, size) => {
    const text = stringify(value);
    const before = '[1e400,{"x":"';
    const bytes = encodeText(`${before}${text}`);
    const scan = startScan(DEFAULT_LIMITS, true, 10);
    const offset = before.length;
    const part = bytes.subarray(offset);
    let start = 0;
    for (let end = size; !scan.isOver; end += size)
      start += advance(scan, part.slice(start, end), 0, offset + start);
    expect(start).toBe(part.length);
    const parsed = parsePlan(part, scan.plan, offset, true);
    expect(isSame(parsed?.value as Json, value)).toBe(true);
  });
  test('G18: limits are found in whatever chunks they come, and the end too', () => {
    const bytes = encodeText('{"a":"12345","b":[[[1]]],"c":"é\\"x"} ');
    for (let size = 1; size < bytes.length; size += 1) {
      const found = (limits: object) => {
        const scan = startScan({ ...DEFAULT_LIMITS, ...limits });
        return [scanInChunks(bytes, size, scan), scan.isOver, scan.fault];
      };
      const length = bytes.length - 1;
      expect(found({})).toStrictEqual([length, true, undefined]);
      expect(found({ stringBytes: 4 })).toStrictEqual([length, true, { what: 'string', offset: 5 }]);
      expect(found({ stringBytes: 5, depth: 3 })).toStrictEqual([
        length,
        true,
        { what: 'depth', offset: 19 },
      ]);
    }
  });
  test('hostile depth takes no memory', () => {
    const scan = startScan(DEFAULT_LIMITS, false, Number.POSITIVE_INFINITY);
    const chunk = new Uint8Array(1_000_000).fill(0x5b);
    for (let base = 0; base < 50_000_000; base += chunk.length) advance(scan, chunk, 0, base);
    expect(scan.depth).toBe(50_000_000);
    expect(scan.pendingAt.length).toBeLessThanOrEqual(DEFAULT_LIMITS.depth + 1);
    expect(scan.fault).toStrictEqual({ what: 'depth', offset: 1000 });
  });
  // Quadratic work would take longer than a test may.
  test('two hundred thousand exact numbers are kept in one pass', () => {
    const text = `[${Array.from({ length: 200_000 }, (_, index) => `90071992547409931${index}`).join(',')}]`;
    const bytes = encodeText(text);
    const scan = startScan(DEFAULT_LIMITS);
    advance(scan, bytes, 0, 0);
    const parsed = parsePlan(bytes, scan.plan, 0, false);
    expect(stringify(parsed?.value as Json)).toBe(text);
  }, 30_000);
});
